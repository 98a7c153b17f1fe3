"""The two complete games of the rules page, played through the referee one request at a time."""

from __future__ import annotations

from dataclasses import dataclass, field

from tianhei.arena.chance import Deal, Given
from tianhei.arena.events import Ballots, Called, Checked, Dawn, Event, LastWords, Resolved, Silenced, Tied, VotedOut
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Seat
from tianhei.arena.rules.options import make

from .table import Cast, Seats, actions_of, ballots, roles


@dataclass
class Round:
    """What is done in one day and night: acts by name, and the ballots of each vote held."""

    acts: str
    votes: list[str]
    stated: dict[Seat, Seat | None] = field(default_factory=dict)


@dataclass
class Game:
    """A referee who is answered from the rounds; ``events`` of one day at a time."""

    referee: Referee
    seats: Seats
    rounds: list[Round]
    asked: list[Request] = field(default_factory=list)

    def play(self) -> None:
        while self.referee.pending:
            request = self.referee.pending[0]
            self.asked.append(request)
            self.referee.answer(request.id, self.answer(request))

    def answer(self, request: Request) -> Answer:
        day = int(request.id[1 : request.id.index(".")])
        round = self.rounds[day - 1]
        if request.kind in ("speech", "last_words"):
            return Answer(text=f"{request.seat} speaks on day {day}")
        if request.id[0] == "n":
            if request.kind == "kill" and round.stated:
                return Answer(target=round.stated.get(request.seat))
            return Answer(target=actions_of(self.seats, round.acts).get(request.kind))
        vote: Cast = ballots(round.votes[request.round - 1])
        if request.kind == "hand":
            return Answer(raised=vote[request.seat] == request.options[0])
        return Answer(target=vote[request.seat])

    def of(self, day: int) -> list[Event]:
        return [event for wave in self.referee.waves for event in wave.events if event.day == day]

    def called(self, day: int, phase: str) -> tuple[Seat, ...]:
        found = [e.body.seats for e in self.of(day) if isinstance(e.body, Called) and e.body.stage == phase]
        return found[0] if found else ()

    def dead(self, day: int) -> tuple[Seat, ...]:
        return next(event.body.dead for event in self.of(day) if isinstance(event.body, Dawn))

    def words(self, day: int) -> list[Seat]:
        return [event.body.by for event in self.of(day) if isinstance(event.body, LastWords)]

    def out(self, day: int) -> list[tuple[Seat, str | None]]:
        return [(e.body.seat, e.body.revealed) for e in self.of(day) if isinstance(e.body, VotedOut)]

    def signs(self, day: int) -> list[str]:
        return [event.body.answer for event in self.of(day) if isinstance(event.body, Checked)]

    def tallies(self, day: int) -> list[dict[Seat, int]]:
        """The totals of each vote of the day, those with most votes first."""
        votes: dict[str, dict[Seat, int]] = {}
        for event in self.of(day):
            if isinstance(event.body, Ballots):
                tally = votes.setdefault(event.body.stage, {})
                for target in (event.body.ballots or {}).values():
                    if target is not None:
                        tally[target] = tally.get(target, 0) + 1
        return list(votes.values())

    def resolved(self, day: int) -> Resolved:
        return next(event.body for event in self.of(day) if isinstance(event.body, Resolved))


def by_seat(text: str) -> tuple[Seat, ...]:
    return tuple(map(int, text.split()))


CARDS_0 = "C1 K1 D C2 B K2 P C3 S K3 E C4 C5"


def test_a_complete_butterfly_game() -> None:
    """13 seats, three rounds: forward, reverse, forward."""
    rounds = [
        Round(
            "carry C1, shoot C4, kill C2, needle C3, check K3, silence K1",
            ["13>10 1>10 2>7 3>10 5>10 6>7 7>10 8>7 9>10 10>7 11>10"],
        ),
        Round(
            "carry C5, shoot C3, kill B, needle B, check K1, silence P",
            ["7>2 6>9 5>2 3>2 2>9 1>9 13>6 11>9 9>2"],
        ),
        Round(
            "carry K1, shoot K2, kill P, needle C5, check K2, silence C5",
            ["1>2 2>1 3>2 5>2 7>2 9>2 11>2"],
        ),
    ]
    game = Game(Referee(make("butterfly"), Deal(roles(CARDS_0)), Given(())), Seats(CARDS_0), rounds)
    game.play()

    assert game.dead(1) == (4, 12) and game.words(1) == [4, 12]
    assert game.resolved(1).empty_needles == (8,) and game.signs(1) == ["nod"]
    assert silenced(game, 1) == (2,)
    assert game.called(1, "defence") == by_seat("13 1 2 3 5 6 7 8 9 10 11")
    assert game.tallies(1) == [{10: 7, 7: 4}]
    assert game.out(1) == [(10, "killer")]

    assert game.dead(2) == (8,) and game.words(2) == [8]
    night = game.resolved(2)
    assert night.saved == (5,) and night.empty_needles == (13,) and night.needles == {8: 1, 13: 1}
    assert silenced(game, 2) == (7,) and game.signs(2) == ["nod"]
    assert game.called(2, "defence") == by_seat("7 6 5 3 2 1 13 11 9")
    assert game.tallies(2) == [{2: 4, 9: 4, 6: 1}]
    assert [event.body for event in game.of(2) if isinstance(event.body, Tied)] == [Tied((2, 9), "nobody")]
    assert game.out(2) == []

    assert game.dead(3) == (6, 13) and game.words(3) == [6], "13 is silenced and passed over"
    night = game.resolved(3)
    assert night.deaths == {6: ("shot",), 13: ("needles",)} and night.voids == ("kill",)
    assert game.called(3, "defence") == by_seat("1 2 3 5 7 9 11")
    assert game.tallies(3) == [{2: 6, 1: 1}]
    assert game.out(3) == [(2, "killer")]
    assert game.referee.outcome is not None
    assert (game.referee.outcome.winner, game.referee.outcome.reason) == ("good", "S0-69")

    votes = [(request.id[:2], request.seat) for request in game.asked if request.kind == "vote"]
    assert votes == [("d1", 2), ("d2", 7)], "the silenced vote in their turn, without speaking"


def silenced(game: Game, day: int) -> tuple[Seat, ...]:
    return next(event.body.seats for event in game.of(day) if isinstance(event.body, Silenced))


CARDS_1 = "C1 K1 C2 P1 C3 K2 C4 P2 C5 C6 K3 P3"
AGAIN = "9>11 10>11 11>9 12>11 1>9 2>9 3>9 4>11 7>-"

CLASSIC_ROUNDS = [
    Round("check K2", ["6>4 7>6 8>6 9>6 10>6 11>4 12>6 1>- 2>4 3>6 4>6"], {2: 5, 6: 5}),
    Round("check K3", [AGAIN, AGAIN, AGAIN.replace("7>-", "7>9")], {2: 8, 11: 8}),
    Round("check C2", ["1>11 2>1 3>11 4>11 7>11 10>11 11>1"], {2: 12}),
    Round("check C4", ["2>10 3>2 4>2 7>2 10>2"], {2: 1}),
]


def test_a_complete_classic_game() -> None:
    """12 seats, four rounds, the letter of the document: hands raised as candidates are called."""
    game = Game(Referee(make("classic"), Deal(roles(CARDS_1)), Given(())), Seats(CARDS_1), CLASSIC_ROUNDS)
    game.play()

    assert game.dead(1) == (5,) and game.words(1) == [5, 6] and set(game.signs(1)) == {"nod"}
    assert game.called(1, "speeches") == game.called(1, "vote") == by_seat("6 7 8 9 10 11 12 1 2 3 4")
    assert game.tallies(1) == [{4: 3, 6: 7}] and game.out(1) == [(6, None)]

    assert game.dead(2) == (8,) and game.words(2) == [8], "the third last words of the game, and the last"
    assert game.called(2, "speeches") == by_seat("9 10 11 12 1 2 3 4 7")
    assert game.called(2, "pk") == (9, 11)
    assert game.called(2, "off_field") == by_seat("10 12 1 2 3 4 7")
    assert game.tallies(2) == [{9: 4, 11: 4}, {9: 4, 11: 4}, {9: 5, 11: 4}]
    assert game.out(2) == [(9, None)]

    assert game.dead(3) == (12,) and game.words(3) == [] and set(game.signs(3)) == {"shake"}
    assert game.called(3, "speeches") == by_seat("1 2 3 4 7 10 11")
    assert game.tallies(3) == [{1: 2, 11: 5}] and game.out(3) == [(11, None)]

    assert game.dead(4) == (1,) and set(game.signs(4)) == {"shake"}
    assert game.called(4, "speeches") == by_seat("2 3 4 7 10")
    assert game.tallies(4) == [{2: 4, 10: 1}] and game.out(4) == [(2, None)]
    assert game.referee.outcome is not None
    assert (game.referee.outcome.winner, game.referee.outcome.reason) == ("good", "S1-75")


def test_the_classic_game_comes_to_the_same_in_every_form_of_voting() -> None:
    """R-VOTE: the forms differ in what is asked and shown, not in what a vote comes to."""
    for form in ("called", "simultaneous", "secret"):
        referee = Referee(make("classic", {"vote_form": form}), Deal(roles(CARDS_1)), Given(()))
        game = Game(referee, Seats(CARDS_1), CLASSIC_ROUNDS)
        game.play()
        assert [game.out(day) for day in (1, 2, 3, 4)] == [[(6, None)], [(9, None)], [(11, None)], [(2, None)]]
