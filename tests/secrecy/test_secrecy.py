"""A slice of the secrecy proof; `python -m tests.secrecy` runs all of it.

What a seat is shown (its view, its requests, the refusals it can meet, its model's prompts in every pack and language,
of probes too, the judge's words) follows from what it may know; what the table is shown, the next stage and its
speakers among it, from what is public.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from secrecy import readers
from secrecy.ledger import compare
from secrecy.manner import Manner
from secrecy.tables import SETTINGS, Setting, distinct, setting
from secrecy.watch import Eyes, Game, play

NIGHTS = (Manner(0, 0, 0), Manner(0, 0, 1), Manner(0, 1, 0))


def test_the_tables_have_so_many_deals() -> None:
    small = [found for found in SETTINGS if not found.sample]
    assert [len(found.deals()) for found in small] == [420, 420, 420, 15, 15, 15, 420]
    for found in SETTINGS:
        deals = found.deals()
        assert len(set(deals)) == len(deals) == found.sample or not found.sample
        assert len({tuple(sorted(roles)) for roles in deals}) == 1
    assert len(set(distinct({"killer": 2, "civilian": 2}))) == 6


def test_every_deal_of_the_small_butterfly_table() -> None:
    """Two killers, a police officer, a doctor, three civilians: views, requests, refusals, and what all hear."""
    table = setting("butterfly 7, default")
    ledger = compare((Game(table, roles, Manner()) for roles in table.deals()), Eyes(prompts=False, words=False))
    assert not ledger.findings, "\n".join(ledger.findings[:3])
    assert len(ledger.figures.deals) == 420
    assert ledger.figures.alike > 420 * 419 // 2, "so many pairs of games look alike to the table when they begin"


@pytest.mark.parametrize("name", [found.name for found in SETTINGS if found.players == 6])
def test_every_deal_of_the_small_classic_table(name: str) -> None:
    table = setting(name)
    ledger = compare((Game(table, roles, manner) for manner in NIGHTS for roles in table.deals()), Eyes(prompts=False))
    assert not ledger.findings, "\n".join(ledger.findings[:3])
    assert len(ledger.figures.deals) == 15


@pytest.mark.parametrize("table", SETTINGS, ids=[found.name for found in SETTINGS])
def test_every_table_with_the_prompts_of_models(table: Setting) -> None:
    """A few deals that differ in a card or two."""
    near = replace(table, sample=3 if table.players > 8 else 5)
    nights = NIGHTS[:1] if table.players > 8 else NIGHTS[:2]
    games = (Game(table, roles, manner) for roles in near.deals() for manner in nights)
    ledger = compare(games, Eyes())
    assert not ledger.findings, "\n".join(ledger.findings[:3])
    assert ledger.figures.alike > ledger.figures.games


def test_every_pack_wording_theme_and_persona_is_read_in_a_run_and_probes_are_too() -> None:
    """By turns: what is read at one table and what at another follows from their names."""
    read: Counter[str] = Counter()
    for table in SETTINGS:
        read += play(Game(table, table.deals()[0], Manner())).prompts
    names = {name.removesuffix(", aside") for name in read}
    assert names == {name for name, _ in (*readers.ALWAYS, *readers.OTHERS)}
    kinds = {(pack, lang, variant) for lang in readers.LANGS for pack, variant in readers.wordings(lang)}
    assert {pack for pack, _, _ in kinds} >= {"official", "minimal", "weak", "tiny"}
    assert len(readers.OTHERS) == 2 * len(kinds), "each in both themes"
    assert sum(name.count(",") > 2 for name in names) > 10, "personas"
    assert len({name for name in read if name.endswith(", aside")}) > 20, "probes"


def test_the_same_game_is_the_same_bytes() -> None:
    """What is compared depends on nothing but the game: no clock, no memory of the games before."""
    table = setting("butterfly 13, default")
    game = Game(table, table.deals()[1], Manner())
    one, other = play(game), play(game)
    assert [track.moments for track in one.tracks] == [track.moments for track in other.tracks]
    assert one.views == other.views and one.shared == other.shared


def test_a_view_holds_nothing_more_than_it_shows() -> None:
    """What a player in the same process could reach from its view, whether or not it is shown."""
    table = replace(setting("butterfly 7, default"), sample=6)
    ledger = compare((Game(table, roles, manner) for roles in table.deals() for manner in NIGHTS), Eyes(held=True))
    assert not ledger.findings, "\n".join(ledger.findings[:3])
