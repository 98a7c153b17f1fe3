"""Nights as rows: what was done and what came of it, and what the police learned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tianhei.arena.events import Acted, Agreed, Checked, Event, Foreign, Resolved, Stated
from tianhei.arena.roles import Role, Seat
from tianhei.transcripts.columns.story import Story

CAUSES = {"kill": "kill", "shoot": "shot"}


@dataclass(slots=True)
class Night:
    """One night: its actions by name, each with who acted and whom it named."""

    number: int
    place: int
    living: tuple[Seat, ...]
    barred: Seat | None
    acts: list[tuple[str, Seat | None, Seat | None]] = field(default_factory=list)
    rounds: dict[Seat, int] = field(default_factory=dict)
    answers: dict[Seat, str] = field(default_factory=dict)
    resolved: Resolved | None = None


def nights(story: Story) -> Iterator[tuple[Any, ...]]:
    """The rows of the table of nights."""
    for night in _nights(story):
        claimed = sum(place < night.place and seat in night.living for place, seat in story.officers)
        for action, actor, target in night.acts:
            rounds = max((count for seat, count in night.rounds.items() if _is_team(story, action, seat)), default=None)
            yield (
                story.game, night.number, action, actor, target, legal(story, night, action, actor),
                _effect(night, action, target), claimed, rounds if actor is None else None,
            )  # fmt: skip


def checks(story: Story) -> Iterator[tuple[Any, ...]]:
    """The rows of the table of checks."""
    for _, _, (day, _, audience, body) in story.told:
        if isinstance(body, Checked):
            team = list(audience) if isinstance(audience, tuple) else None
            yield story.game, day, team, body.target, body.answer, story.sides[body.target - 1]


def legal(story: Story, night: Night, action: str, actor: Seat | None) -> list[Seat] | None:
    """Whom a night's action could name, where the rules are ours."""
    if not story.is_ours:
        return None
    match action:
        case "kill" if story.rules.kill_teammate == "forbidden":
            return [seat for seat in night.living if story.roles[seat - 1] != Role.KILLER]
        case "carry":
            return [seat for seat in night.living if seat not in (actor, night.barred)]
        case _:
            return list(night.living)


def _is_team(story: Story, action: str, seat: Seat) -> bool:
    """Whether a seat's statement belongs to the council of an action."""
    is_killer = story.is_killer(seat) if not story.is_ours else story.roles[seat - 1] == Role.KILLER
    return is_killer == (action == "kill")


def _nights(story: Story) -> list[Night]:
    """All nights, in order, the last as far as it went."""
    found: list[Night] = []
    living, gone = tuple(story.seats), story.gone
    barring = getattr(story.rules, "repeat_target", "") == "forbidden_for_carry"
    for place, _, event in story.told:
        if event.phase in ("night", "dawn") and (not found or found[-1].number != event.day):
            carried = (
                next((target for action, _, target in found[-1].acts if action == "carry"), None) if found else None
            )
            found.append(Night(event.day, place, living, carried if barring else None))
        if found and found[-1].number == event.day:
            _add(found[-1], event)
        if place in gone:
            living = tuple([seat for seat in living if seat not in gone[place]])
    return found


def _add(night: Night, event: Event) -> None:
    match event.body:
        case Agreed(action=action, target=target):
            night.acts.append((action, None, target))
        case Acted(action=action, target=target) if isinstance(event.audience, tuple):
            night.acts.append((action, event.audience[0], target))
        case Foreign(name=name, data={"by": int(actor), "target": target}) if event.phase == "night":
            night.acts.append((name, actor, target))
        case Stated(by=by, round=number):
            night.rounds[by] = number
        case Checked(target=target, answer=answer):
            night.answers[target] = answer
        case Resolved() as resolved:
            night.resolved = resolved
        case _:
            pass


def _effect(night: Night, action: str, target: Seat | None) -> str | None:
    """What came of an action, where that is known."""
    if target is None:
        return None
    voids = night.resolved.voids if night.resolved else ()
    if action == "check" and action not in voids and target in night.answers:
        return night.answers[target]
    if (resolved := night.resolved) is None:
        return None
    if action in voids:
        return "void"
    if resolved.actions.get(action, target) != target:
        return "changed"
    causes = resolved.deaths.get(target, ())
    match action:
        case "kill" | "shoot":
            died = CAUSES[action] in causes
            return "died" if died else "saved" if target in resolved.saved else "none"
        case "needle":
            if target in resolved.saved:
                return "saved"
            died = "needles" in causes
            return "died" if died else "empty" if target in resolved.empty_needles else "none"
        case "silence":
            return "silenced" if target in resolved.silenced else "none"
        case "carry":
            return "carried"
        case _:
            return None
