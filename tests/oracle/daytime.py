"""A day of a whole game: last words, speeches, votes and what follows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import orders, votes
from .nightfall import shown
from .options import game_of
from .story import (
    Request,
    Story,
    absent,
    dead_of,
    dealt,
    gone,
    living,
    seats_of,
    silenced_on,
    target_of,
)
from .votes import Next

PK_AT_MOST = 7


def mute(story: Story) -> bool:
    return bool(story.options["channel"] == "mute")


def last_words(story: Story, day: int, dying: Sequence[int], phase: str) -> None:
    """`dying` in their order; they are dead already, so they are the last of all counted."""
    before = len(gone(story)) - len(dying)
    killers = dealt(story)["killer"]
    heard = orders.with_last_words(story.options, dying, before, killers, silenced_on(story, day))
    for seat in heard:
        if phase == "vote" and not orders.executed_speaks(story.options, story.roles[seat]):
            continue
        speak(story, day, seat, "last_words", phase, None)


def speak(story: Story, day: int, seat: int, kind: str, phase: str, stage: str | None) -> None:
    """One speech, one wave; none at all where the channel is mute."""
    if mute(story):
        return
    answer = story.ask([Request(seat, kind)])[seat]
    if not absent(answer):
        placed: dict[str, Any] = {"stage": stage} if stage else {}
        story.tell(kind, day, phase, by=seat, text=answer.get("text") or "", **placed)


def day_order(story: Story, day: int) -> list[int]:
    """The order of this day's speeches, worked out from all earlier dawns."""
    options, dead = story.options, dead_of(story, day)
    alive = living(story)
    anchors = [orders.anchor(options, story.players, d, dead_of(story, d)) for d in range(1, day)]
    earlier = [a for a in anchors if a is not None]
    lot = None
    if not dead and options["no_death_start"] == "random":
        lot = story.draw("first_speaker", day, "day", alive)
    return orders.speech_order(options, story.players, day, alive, dead, earlier[-1] if earlier else None, lot)


def discuss(story: Story, day: int) -> Next:
    """The day up to and with its vote, and the whole of what follows a tie."""
    order = day_order(story, day)
    if game_of(story.options) == "butterfly":
        ballots = defence(story, day, order)
        then = votes.following(story.options, "vote", order, ballots)
        return settle(story, day, order, then, 2, False)
    for seat in order:
        speak(story, day, seat, "speech", "day", "round")
    if demand := first_demand(story, day, order):
        return settle(story, day, order, Next("pk", demand), 1, True)
    then = hold_vote(story, day, order, "vote", tuple(order), 1, False)
    return settle(story, day, order, then, 2, False)


def defence(story: Story, day: int, order: Sequence[int]) -> dict[int, int | None]:
    """Each speaks and votes at once; the silenced, and all where mute, only vote."""
    silenced = silenced_on(story, day)
    living_seats = living(story)
    voters = votes.electors(story.options, "vote", order, (), silenced)
    ballots: dict[int, int | None] = {}
    may_pass = not votes.compulsory(story.options, "vote")
    for seat in voters:
        quiet = seat in silenced or mute(story)
        offered = tuple(votes.choices(story.options, seat, living_seats))
        kind = "vote" if quiet else "speech_and_vote"
        answer = story.ask([Request(seat, kind, offered, may_pass, 1)])[seat]
        if not absent(answer):
            ballots[seat] = target_of(answer)
            if not quiet:
                story.tell("speech", day, "day", by=seat, text=answer.get("text") or "", stage="round")
        if story.options["vote_form"] == "after_speech":
            show(story, day, "vote", [seat], ballots)
    if story.options["vote_form"] == "after_speech_secret":
        show(story, day, "vote", voters, ballots)
    return ballots


def show(story: Story, day: int, stage: str, voters: Sequence[int], ballots: Mapping[int, int | None]) -> None:
    """Ballots as all may see them: a void one is shown as void, a secret vote as totals."""
    if story.options["vote_form"] in ("secret", "after_speech_secret"):
        story.tell("ballots", day, "vote", totals=votes.tally(ballots), stage=stage)
        return
    open_hands = {s: ballots.get(s) if s in ballots else "void" for s in voters}
    story.tell("ballots", day, "vote", ballots=open_hands, stage=stage)


def first_demand(story: Story, day: int, order: Sequence[int]) -> tuple[int, ...]:
    """R-ROUNDPK: the set of the first demand in the day's order, in that order."""
    alive = living(story)
    if story.options.get("round_pk") != "on" or len(alive) > PK_AT_MOST:
        return ()
    answers = story.ask(Request(s, "demand", tuple(o for o in alive if o != s)) for s in alive)
    wanted = [(s, seats_of(answers[s])) for s in order if seats_of(answers[s])]
    for place, (seat, seats) in enumerate(wanted):
        story.tell("demanded", day, "vote", by=seat, seats=list(seats), honoured=place == 0)
    return tuple(s for s in order if s in wanted[0][1]) if wanted else ()


def hold_vote(
    story: Story, day: int, order: Sequence[int], stage: str, candidates: tuple[int, ...], number: int, demanded: bool
) -> Next:
    """The speeches that go before this vote, the vote, and the step that follows it."""
    silenced = silenced_on(story, day)
    for seat in votes.speakers(stage, order, candidates):
        if seat not in silenced:
            speak(story, day, seat, "speech", "vote", stage)
    voters = votes.electors(story.options, stage, order, candidates, silenced)
    called = story.options["vote_form"] == "called"
    collect = call_hands if called else collect_at_once
    ballots = collect(story, day, stage, candidates, voters, number)
    show(story, day, stage, sorted(voters), ballots)
    return votes.following(story.options, stage, candidates, ballots, demanded)


def collect_at_once(
    story: Story, day: int, stage: str, candidates: tuple[int, ...], voters: Sequence[int], number: int
) -> dict[int, int | None]:
    may_pass = not votes.compulsory(story.options, stage)
    answers = story.ask(
        Request(s, "vote", tuple(sorted(votes.choices(story.options, s, candidates))), may_pass, number) for s in voters
    )
    return {s: target_of(a) for s, a in sorted(answers.items()) if not absent(a)}


def call_hands(
    story: Story, day: int, stage: str, candidates: tuple[int, ...], voters: Sequence[int], number: int
) -> dict[int, int | None]:
    """S1-61: each candidate is called; who has not raised yet may raise, once. Never raised is
    an abstention, or no ballot at all where voting was compulsory or no call was answered."""
    must = votes.compulsory(story.options, stage)
    raised: dict[int, int] = {}
    present: set[int] = set()
    for candidate in candidates:
        asked = [s for s in voters if s not in raised and candidate in votes.choices(story.options, s, candidates)]
        answers = story.ask(
            Request(
                s,
                "hand",
                (candidate,),
                not (must and votes.last_chance(story.options, s, candidates, candidate)),
                number,
            )
            for s in asked
        )
        for seat, answer in sorted(answers.items()):
            if absent(answer):
                continue
            present.add(seat)
            if answer.get("raise"):
                raised[seat] = candidate
                story.tell("hand", day, "vote", by=seat, candidate=candidate)
    idle = {s for s in voters if s in present and s not in raised and not must}
    return {s: raised.get(s) for s in sorted(raised.keys() | idle)}


def settle(story: Story, day: int, order: Sequence[int], then: Next, number: int, demanded: bool) -> Next:
    """Follow the steps until somebody is out, nobody is, or the game is drawn."""
    if then.step == "out":
        return then
    if then.seats and not (demanded and number == 1):
        story.tell("tied", day, "vote", seats=list(then.seats), next=then.step)
    if then.step == "lot":
        drawn = story.draw("vote_tie", day, "vote", [s for s in order if s in then.seats])
        return Next("out", (drawn,))
    if then.step in ("pk", "off_field", "revote"):
        after = hold_vote(story, day, order, then.step, then.seats, number, demanded)
        return settle(story, day, order, after, number + 1, demanded)
    return then


def execute(story: Story, day: int, seats: Sequence[int]) -> None:
    """The death of whoever is voted out, with what is told of him (A0-55, A1-35)."""
    how = story.options["reveal_on_vote"]
    for seat in seats:
        reveal = {} if how == "none" else {"reveal": shown(story.options, how, story.roles[seat])}
        story.tell("voted_out", day, "vote", seat=seat, **reveal)
