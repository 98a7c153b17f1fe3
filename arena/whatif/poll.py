"""One vote over the waves that it took, and the same vote with one ballot changed and all others as they were."""

from __future__ import annotations

from collections.abc import Sequence

from tianhei.arena.referee import Referee, Wave
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Seat
from tianhei.arena.whatif.rollouts import Then

VOTES = frozenset(("vote", "hand", "speech_and_vote"))


def vote_of(request: Request) -> tuple[str, str, int] | None:
    """Which vote a request belongs to: its kind, its day and its number; None where it is no ballot."""
    return (request.kind, request.id.partition(".")[0], request.round) if request.kind in VOTES else None


def length(waves: Sequence[Wave]) -> int:
    """How many waves the vote takes that begins with the first of these; 0 if none begins there."""
    votes = [vote_of(wave.requests[0]) if wave.requests else None for wave in waves]
    if not votes or votes[0] is None:
        return 0
    return next((place for place, vote in enumerate(votes) if vote != votes[0]), len(votes))


class Poll:
    """A vote that was held."""

    def __init__(self, waves: Sequence[Wave]) -> None:
        self._vote = vote_of(waves[0].requests[0])
        self._answers = {request.id: answer for wave in waves for request, answer in _answered(wave)}
        self._asked: dict[Seat, list[Request]] = {}
        for request in (request for wave in waves for request in wave.requests):
            self._asked.setdefault(request.seat, []).append(request)

    @property
    def voters(self) -> list[Seat]:
        """Who voted or abstained; whoever could not be had chose nothing."""
        return [seat for seat, asked in self._asked.items() if not any(self._answers[each.id].absent for each in asked)]

    def first(self, seat: Seat) -> Request:
        """The first thing that a voter was asked."""
        return self._asked[seat][0]

    def cast(self, seat: Seat) -> Seat | None:
        """Whom a voter chose."""
        for request in self._asked[seat]:
            answer = self._answers[request.id]
            if request.kind != "hand" and answer.target is not None:
                return answer.target
            if request.kind == "hand" and answer.raised:
                return request.options[0]
        return None

    def offered(self, seat: Seat) -> list[Seat | None]:
        """What a voter could have chosen: whom it was asked about, and nobody where that was open to it."""
        seats = dict.fromkeys(option for request in self._asked[seat] for option in request.options)
        may_abstain = all(request.may_pass for request in self._asked[seat]) or self.cast(seat) is None
        return [*seats, None] if may_abstain else [*seats]

    def with_ballot(self, seat: Seat, chosen: Seat | None) -> Then:
        """Holds the vote with this voter choosing otherwise."""

        def hold(referee: Referee) -> None:
            while referee.open and vote_of(next(iter(referee.open.values()))) == self._vote:
                for request in list(referee.open.values()):
                    referee.answer(request.id, self._answer(request, seat, chosen))

        return hold

    def _answer(self, request: Request, seat: Seat, chosen: Seat | None) -> Answer:
        was = self._answers.get(request.id, Answer(raised=not request.may_pass))
        if request.seat != seat:
            return was
        if request.kind == "hand":
            return Answer(raised=request.options[0] == chosen or not request.may_pass)
        return was._replace(target=chosen)


def _answered(wave: Wave) -> Sequence[tuple[Request, Answer]]:
    return list(zip(wave.requests, wave.answers, strict=True))
