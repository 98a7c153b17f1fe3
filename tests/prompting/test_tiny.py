"""What a model too small to write is given: facts that are true, and nothing that misleads its scores."""

from __future__ import annotations

import pytest

from prompting.test_tails import NIGHT, event, seven, speeches
from test_words import LANGS
from tianhei.arena.claims import Claim
from tianhei.arena.events import Checked, Speech
from tianhei.arena.view import View
from tianhei.prompts.pack import TINY, load, variants
from tianhei.prompts.tiny import cleared, facts, known
from tianhei.prompts.vocabulary import THEMES, Lang

ACCUSED = event(1, Speech(3, "4号", "round", (Claim("accuse", 4, "killer"),)))


def keys(view: View, about: int) -> list[str]:
    return [key for key, _ in facts(load(TINY, "en"), view, about)]


def test_of_a_seat_of_which_nothing_was_seen_it_is_told_whether_it_has_spoken_today() -> None:
    """Whatever others have said of it: that nobody had spoken of it could be false."""
    views = seven(speeches(1))
    assert keys(views.of(2), 4) == ["nothing"], "nobody has spoken"
    views.add([ACCUSED])
    assert keys(views.of(2), 4) == ["unheard"]
    assert keys(views.of(2), 3) == ["accused"]
    views.add([event(1, Speech(4, "well", "round", ()))])
    assert keys(views.of(2), 4) == ["nothing"]
    views.add([NIGHT, speeches(2)])
    assert keys(views.of(2), 4) == ["nothing"], "nobody has spoken today"
    views.add([event(2, Speech(3, "well", "round", ()))])
    assert keys(views.of(2), 4) == ["unheard"]


def test_a_seat_that_said_nothing_at_all_is_told_to_be_quiet() -> None:
    assert keys(seven(speeches(1), event(1, Speech(4, "", "round", ()))).of(2), 4) == ["quiet"]


@pytest.mark.parametrize("lang", LANGS)
def test_before_a_vote_one_is_reminded_of_the_vote_announced_today_alone(lang: Lang) -> None:
    views = seven(speeches(1), event(1, Speech(2, "5", "round", (Claim("vote", 6), Claim("vote", 5)))))
    for variant in variants(TINY, lang):
        for theme in THEMES:
            pack = load(TINY, lang, variant, theme)
            assert known(pack, views.of(2), "vote") == pack.say("score.announced", seat=pack.words.seat(5))
            assert known(pack, views.of(2), "suspect") == known(pack, views.of(3), "vote") == ""
    views.add([NIGHT, speeches(2)])
    assert known(load(TINY, lang), views.of(2), "vote") == ""


def test_who_was_cleared_is_named_nowhere_and_who_was_caught_is() -> None:
    checks = [event(2, Checked(seat, sign), (3,), "night") for seat, sign in ((5, "shake"), (6, "nod"))]
    view = seven(speeches(1), NIGHT, *checks, speeches(2)).of(3)
    assert list(cleared(view)) == [5]
    assert "Player 6" in known(load(TINY, "en"), view, "vote")
    assert "Player 5" not in known(load(TINY, "en"), view, "vote")
