"""Decisions as rows: what was asked of whom, what it chose, who answered, and what the answer cost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tianhei.agents.roster import LOCAL
from tianhei.arena.endpoint.prices import price
from tianhei.arena.events import Called, Demanded, Tied
from tianhei.arena.requests import TARGETED
from tianhei.arena.roles import Role, Seat
from tianhei.prompts.pack import TINY
from tianhei.transcripts.calls import usage_from_json
from tianhei.transcripts.columns.story import FALLBACK, Asked, Story, who
from tianhei.transcripts.header import SeatSpec

NOT_ITS_OWN = ("timeout", "transport", "error")
"""Causes of a fallback that no reply of the model's is behind."""


def requests(story: Story) -> Iterator[tuple[Any, ...]]:
    """The rows of the table of requests."""
    recording = story.recording
    calls = _calls(story)
    noted = Counter(note.get("request") for note in recording.notes if note["note"] == "fault")
    scenes = _scenes(story)
    accounted = recording.accounted
    for wave, asked, reply in story.replies:
        answer, source = reply.answer, reply.source
        cause = source.removeprefix(FALLBACK) if source.startswith(FALLBACK) else None
        spec = recording.header.seats[asked.seat - 1]
        scene = scenes[min(wave, len(scenes) - 1)]
        made = calls.get(reply.request, [])
        faults = None
        if accounted is None or asked.kind in accounted:
            faults = max(noted[reply.request], _faults(spec, made, source, cause))
        chosen = (asked.candidate if answer.raised else None) if asked.kind == "hand" else answer.target
        stage = scene.stage if asked.kind in ("vote", "hand") and not asked.night else asked.stage
        yield (
            story.game, asked.seat, reply.request, asked.kind, asked.day, "night" if asked.night else "day", stage,
            wave, scene.options(asked), chosen, reply.position, who(source), cause,
            faults,
            len(answer.text), reply.cut, reply.thought or None, *_used(spec, made),
        )  # fmt: skip


def _calls(story: Story) -> Mapping[str, list[Mapping[str, Any]]]:
    """The calls that came back, and the requests that came to nothing, by the decision that they were for."""
    found: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for call in (*story.recording.tries, *story.recording.done.values()):
        found[call["call"].partition("#")[0]].append(call)
    return found


def _faults(spec: SeatSpec, calls: list[Mapping[str, Any]], source: str, cause: str | None) -> int:
    """Replies of a model that could not be used: all that came back but the one that was taken.

    A model that is asked by scores is asked several times for one decision, and none of its replies is unusable.
    """
    if spec.pack == TINY or not (calls or cause):
        return 0
    came = sum("done" in call for call in calls)
    if cause is None:
        return came - (source == "model")
    return came if cause in NOT_ITS_OWN else max(came, 1)


def _used(spec: SeatSpec, calls: list[Mapping[str, Any]]) -> tuple[Any, ...]:
    """Seconds, tokens, calls and money of a decision; absent where there were no calls, or nobody counted."""
    if not calls:
        return (None,) * 7
    usages = [usage_from_json(call) for call in calls]
    latency = _sum([call.get("seconds") for call in calls] + [call["wait"] for call in calls if call.get("wait")])
    tokens = [_sum([getattr(usage, name) for usage in usages])
              for name in ("prompt", "cached", "completion", "reasoning")]  # fmt: skip
    money = [_money(spec, call) for call in calls]
    cost = None if None in money else float(sum(each for each in money if each is not None))
    return latency, *tokens, sum("done" in call for call in calls), cost


def _sum(values: list[Any]) -> Any:
    """The sum of what is known; absent where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _money(spec: SeatSpec, call: Mapping[str, Any]) -> Decimal | None:
    """US dollars of one call: as its source says, or by the table of prices; a model in the process costs none."""
    if "cost" in call:
        return Decimal(str(call["cost"]))
    if spec.endpoint == LOCAL or ("try" in call and not call.get("usage")):
        return Decimal(0)
    return price(spec.model, spec.endpoint, usage_from_json(call)) if spec.endpoint and call.get("usage") else None


@dataclass(frozen=True, slots=True)
class Scene:
    """How the game stood when a wave's requests were open, as far as it decides what could be chosen."""

    story: Story
    living: tuple[Seat, ...]
    candidates: tuple[Seat, ...]
    barred: Seat | None
    stage: str

    def options(self, asked: Asked) -> int | None:
        """How many seats a request could name; absent where it could name none, or the rules are not ours."""
        rules = self.story.rules
        if not self.story.is_ours or asked.kind not in TARGETED | {"hand", "demand"}:
            return None
        match asked.kind:
            case "hand":
                return 1
            case "demand":
                return len(self.living) - 1
            case "vote" | "speech_and_vote":
                own = rules.self_vote != "allowed" and asked.seat in self.candidates
                return len(self.candidates) - own
            case "carry":
                return len(set(self.living) - {asked.seat, self.barred})
            case "kill" if rules.kill_teammate == "forbidden":
                return sum([self.story.roles[seat - 1] != Role.KILLER for seat in self.living])
            case _:
                return len(self.living)


def _scenes(story: Story) -> list[Scene]:
    """By wave: how the game stood when its requests were made, which is after the waves before it."""
    living, stage = tuple(story.seats), "round"
    candidates: tuple[Seat, ...] = ()
    barred: Seat | None = None
    barring = getattr(story.rules, "repeat_target", "") == "forbidden_for_carry"
    found: list[Scene] = []
    carried: dict[int, Seat | None] = {}
    for _, asked, reply in story.replies:
        if asked.kind == "carry":
            carried[asked.day] = reply.answer.target
    gone = story.gone
    for place, wave, event in story.told:
        while len(found) <= wave:
            found.append(Scene(story, living, candidates, barred, stage))
        match event.body:
            case Called(stage="speeches" | "defence", seats=seats):
                candidates, stage = seats, "round"
            case Called(stage="night"):
                barred = carried.get(event.day - 1) if barring else None
            case Tied(seats=seats, next=then):
                candidates, stage = seats, then
            case Demanded(seats=seats, honoured=True):
                candidates, stage = seats, "pk"
            case _:
                pass
        if place in gone:
            living = tuple([seat for seat in living if seat not in gone[place]])
    found.append(Scene(story, living, candidates, barred, stage))
    return found
