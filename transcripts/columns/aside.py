"""What seats were asked aside, as rows; beside each belief the exact chance, from what the seat knew for certain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tianhei.arena.deduce import Contradiction, TooMany, posterior
from tianhei.arena.facts import facts_of
from tianhei.arena.probing import Told, probe_from_json
from tianhei.arena.roles import Seat
from tianhei.arena.view import View, Views
from tianhei.transcripts.columns.story import Story


def probes(story: Story) -> Iterator[tuple[Any, ...]]:
    """The rows of the table of probes."""
    for line in story.recording.probes:
        told = probe_from_json(line)
        probe = told.probe
        about = None if told.beliefs is None else tuple(told.beliefs.killer)
        yield (
            story.game, probe.seat, probe.point, probe.day, probe.wave, line.get("source"), told.cause or None,
            None if about is None else len(about), None if about is None else story.killers_among(about), _sum(told),
        )  # fmt: skip


def beliefs(story: Story) -> Iterator[tuple[Any, ...]]:
    """The rows of the table of beliefs."""
    for told, view in _views(story):
        probe = told.probe
        if told.beliefs is None:
            continue
        exact = _posterior(view) if view else {}
        of_me = told.beliefs.of_me or {}
        for about, chance in told.beliefs.killer.items():
            yield (
                story.game, probe.seat, probe.point, probe.day, probe.wave, about, chance, _sum(told),
                of_me.get(about), exact.get(about),
            )  # fmt: skip


def _sum(told: Told) -> float | None:
    return None if told.beliefs is None else sum(told.beliefs.killer.values())


def _views(story: Story) -> Iterator[tuple[Told, View | None]]:
    """Each probe with its seat's view as it stood then; without one where the rules are not ours."""
    found = sorted(map(probe_from_json, story.recording.probes), key=lambda told: told.probe.wave)
    header = story.recording.header
    views = Views(header.rules, header.counts, header.seed) if story.is_ours and found else None
    events = iter(story.told)
    seen = next(events, None)
    for told in found:
        while views and seen and seen.wave < told.probe.wave:
            views.add((seen.event,))
            seen = next(events, None)
        yield told, views.of(told.probe.seat) if views else None


def _posterior(view: View) -> Mapping[Seat, float]:
    """The exact chances from certain knowledge alone: what others say is left to be believed or not."""
    try:
        return posterior(replace(facts_of(view), statements=())).killer
    except (Contradiction, TooMany):
        return {}
