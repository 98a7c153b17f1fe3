"""The deal and a night of a whole game: one set of lockstep councils, reckoned at dawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import council
from .night import ACTORS, Dawn, Night, dawn, legal_targets
from .options import Options, game_of
from .story import Answer, Request, Story, carried_in, living, needles_so_far, target_of, team

COUNCILS = ("kill", "check")
TEAMS = ("killer", "police")
Rounds = dict[str, list[dict[int, int | None]]]


def side(options: Options, role: str) -> str:
    """The side somebody plays for; R-ELDER moves the elder."""
    turned = role == "elder" and options.get("elder_side") == "killers"
    return "killers" if role == "killer" or turned else "good"


def shown(options: Options, how: str, role: str) -> str:
    """What a reveal says: the role, or the side, where the elder is never a killer (R-ELDER)."""
    return role if how == "role" else ("killers" if role == "killer" else "good")


def deal(story: Story) -> None:
    """R-KNOW: each his role and side; the killers and the police their mates."""
    for seat, role in story.roles.items():
        story.tell("role", 0, "deal", (seat,), role=role, side=side(story.options, role))
    for role in TEAMS:
        if members := team(story, role):
            story.tell("mates", 0, "deal", tuple(members), seats=members)


def awake(story: Story, action: str) -> list[int]:
    """The living holders of the power; the classic game has only kill and check."""
    if game_of(story.options) == "classic" and action not in COUNCILS:
        return []
    return team(story, ACTORS[action])


def requests_for(story: Story, day: int, action: str, number: int | None) -> list[Request]:
    alive = frozenset(living(story))
    allowed = legal_targets(story.options, story.roles, alive, action, carried_in(story, day - 1))
    may_pass = story.options["night_pass"] == "allowed"
    return [Request(seat, action, tuple(sorted(allowed)), may_pass, number) for seat in awake(story, action)]


def statements(
    story: Story, day: int, number: int, action: str, answers: Mapping[int, Answer]
) -> dict[int, int | None]:
    """One round of a council, told to its team when the round is complete."""
    members = awake(story, action)
    stated = {seat: target_of(answers[seat]) for seat in members}
    for seat, target in stated.items():
        story.tell(
            "stated",
            day,
            "night",
            tuple(members),
            by=seat,
            target=target,
            text=answers[seat].get("text") or "",
            round=number,
        )
    return stated


def conclude(story: Story, day: int, action: str, last: Mapping[int, int | None], carried: int | None) -> int | None:
    """The council's result, with a lot where it takes one, told to its team at once."""
    options = story.options
    heard = council.heard(options, action, last, [] if carried is None else [carried])
    tied = council.needs_lot(options, heard)
    lot = story.draw(f"{action}_tie", day, "night", tied) if tied else None
    target = council.decision(options, heard, lot)
    story.tell("agreed", day, "night", tuple(awake(story, action)), action=action, target=target)
    return target


def act_together(story: Story, day: int) -> dict[str, int | None]:
    """All awake are asked in the first wave; further waves hold only further council rounds."""
    single = [a for a in ACTORS if a not in COUNCILS and awake(story, a)]
    sitting = [a for a in COUNCILS if awake(story, a)]
    chosen: dict[str, int | None] = {}
    rounds: Rounds = {action: [] for action in sitting}
    number = 1
    while sitting:
        asked = [r for a in sitting for r in requests_for(story, day, a, number)]
        if number == 1:
            asked += [r for a in single for r in requests_for(story, day, a, None)]
        answers = story.ask(asked)
        for action in single if number == 1 else ():
            seat = awake(story, action)[0]
            chosen[action] = target_of(answers[seat])
            story.tell("acted", day, "night", (seat,), action=action, target=chosen[action])
        for action in list(sitting):
            rounds[action].append(statements(story, day, number, action, answers))
            if council.is_over(story.options, rounds[action]):
                last = rounds[action][-1]
                chosen[action] = conclude(story, day, action, last, chosen.get("carry"))
                sitting.remove(action)
        number += 1
    return chosen


def reckon(story: Story, day: int, chosen: Mapping[str, int | None]) -> Dawn:
    alive = frozenset(living(story))
    night = Night(story.options, story.roles, alive, chosen, needles_so_far(story), carried_in(story, day - 1))
    result = dawn(night)
    police = tuple(awake(story, "check"))
    if police and result.police != "no_check":
        story.tell("checked", day, "night", police, target=chosen["check"], answer=result.police)
    story.tell(
        "resolved",
        day,
        "night",
        "judge",
        deaths={s: list(c) for s, c in result.deaths.items()},
        saved=sorted(result.saved),
        empty_needles=sorted(result.empty),
        needles=result.totals,
        silenced=sorted(result.silenced),
        police=result.police,
    )
    return result


def night_and_dawn(story: Story, day: int) -> Sequence[int]:
    """A whole night up to its announcement; returns the dead in seat order."""
    options = story.options
    result = reckon(story, day, act_together(story, day))
    for seat in sorted(result.empty) if options.get("announce_needles") else ():
        story.tell("needled", day, "dawn", (seat,))
    told: dict[str, Any] = {"dead": list(result.deaths)}
    if options.get("announce_causes"):
        told["causes"] = {s: list(c) for s, c in result.deaths.items()}
    if options["reveal_at_dawn"] != "none":
        told["revealed"] = {s: shown(options, options["reveal_at_dawn"], story.roles[s]) for s in result.deaths}
    story.tell("dawn", day, "dawn", **told)
    if result.silenced:
        story.tell("silenced", day, "dawn", seats=sorted(result.silenced))
    return list(result.deaths)
