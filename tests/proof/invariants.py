"""What must hold in every game, whatever the options: checked over the waves of a finished game.

The checks keep their own books (who lives, who has voted, who may speak) from events and requests alone, and take
nothing from the engine's table. Victory is looked up in the oracle. Each check is named, and the named ones are what
`docs/proof.md` lists; those that answer a public report of a fault elsewhere are in `public_reports.json`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from oracle import victory
from oracle.night import ACTORS
from proof.causes import fits, plainly_saved
from tianhei.arena.events import (
    PUBLIC,
    Agreed,
    Ballots,
    Called,
    Checked,
    Dawn,
    Drawn,
    Event,
    Hand,
    LastWords,
    Over,
    Resolved,
    Revealed,
    Silenced,
    Speech,
    Stated,
    Tied,
    VotedOut,
)  # fmt: skip
from tianhei.arena.referee import Referee, Wave
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.view import Record

VOTES = frozenset(("vote", "speech_and_vote", "hand"))
AFTER = {"nobody": "nobody", "revote": "revote", "lot": "lot", "all": "all", "chain": "pk"}
"""What a tie in the ordinary vote leads to, by the option `tie`."""
MOST_DEAD = 4


class Broken(AssertionError):
    """An invariant that does not hold; the message names it."""


def need(holds: bool, name: str) -> None:
    if not holds:
        raise Broken(name)


class Books:
    """The books of one game, kept wave by wave."""

    def __init__(self, options: Mapping[str, Any], roles: Sequence[str]) -> None:
        self.options = options
        self.classic = options["game"] == "classic"
        self.roles = tuple(roles)
        self.dealt = Counter(roles)
        self.living = set(range(1, len(roles) + 1))
        self.day = 0
        self.asked: set[str] = set()
        self.batch: list[Seat] = []
        self.deaths = self.words = 0
        self.silenced: set[Seat] = set()
        self.spoke: set[Seat] = set()
        self.night: Resolved | None = None
        self.stated: dict[str, dict[Seat, Seat | None]] = {}
        self.votes: dict[int, dict[Seat, Seat | None]] = defaultdict(dict)
        self.voters: dict[int, set[Seat]] = defaultdict(set)
        self.offered: dict[int, set[Seat]] = defaultdict(set)
        self.vote = 0
        self.shown: set[Seat] = set()
        self.tied: Tied | None = None
        self.stage = "round"
        self.lot: Seat | None = None
        self.executed = 0
        self.verdict: tuple[str, str] | None = None
        self.over: Over | None = None
        self.causes: Counter[str] = Counter()

    # requests and answers

    def ask(self, requests: Sequence[Request]) -> None:
        """Everything that is asked may be asked."""
        need(self.over is None, "nothing is asked after the end")
        kinds = {request.kind for request in requests}
        need(self.verdict is None or kinds == {"last_words"}, "a decided game asks for last words at most")
        for request in requests:
            need(request.id not in self.asked, "no question is asked twice: every phase moves on")
            self.asked.add(request.id)
            need(self.living.issuperset(request.options), "the dead are in no list of choices")
            if request.kind == "last_words":
                need(request.seat in self.batch, "only who has just died leaves last words")
            else:
                need(request.seat in self.living, "the dead are asked nothing")
        if kinds & ACTORS.keys() and requests[0].round == 1:
            self._night_roles(requests)

    def _night_roles(self, requests: Sequence[Request]) -> None:
        """Exactly the living holders of night roles are asked, once; one who has nobody to name is not."""
        here = {(request.kind, request.seat) for request in requests}
        alone = len(self.living) == 1 or self.options.get("repeat_target") == "forbidden_for_carry"
        acting = {role: action for action, role in ACTORS.items() if not self.classic or action in ("kill", "check")}
        due = {(acting[self.roles[s - 1]], s) for s in self.living if self.roles[s - 1] in acting}
        missing = due - here
        need(here <= due and (not missing or (alone and {a for a, _ in missing} == {"carry"})),
             "exactly the living night roles are asked")  # fmt: skip

    def answered(self, requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        """Enter the ballots of a wave, one for each voter and vote."""
        for request, answer in zip(requests, answers, strict=True):
            if request.kind not in VOTES:
                continue
            if request.round != self.vote:
                self.vote, self.shown = request.round, set()
            voters, cast = self.voters[self.vote], self.votes[self.vote]
            need(request.kind == "hand" or request.seat not in voters, "each has one vote")
            need(cast.get(request.seat) is None, "a hand is raised once")
            voters.add(request.seat)
            self.offered[self.vote].update(request.options)
            if answer.absent or (request.kind == "hand" and not answer.raised and self._must(request)):
                continue
            target = (request.options[0] if answer.raised else None) if request.kind == "hand" else answer.target
            cast[request.seat] = target

    def _must(self, request: Request) -> bool:
        return self.options["abstain"] == "forbidden" or self.stage == "off_field"

    def leaders(self) -> set[Seat]:
        """Who has the most votes; all candidates where everybody abstained; nobody where no ballot was cast."""
        cast, offered = self.votes[self.vote], self.offered[self.vote]
        if not cast:
            return set(self.tied.seats) if self.stage == "off_field" and self.tied else set()
        counts = Counter(target for target in cast.values() if target is not None)
        most = max(counts.values(), default=0)
        return {seat for seat in offered | self._standing() if counts[seat] == most}

    def _standing(self) -> set[Seat]:
        """Candidates whom nobody may have been offered: a lone voter, where nobody may vote for himself."""
        if self.stage == "round":
            return self.living
        return set(self.tied.seats) if self.tied and self.tied.next == self.stage else set()

    # events

    def told(self, event: Event) -> None:
        """Enter one event, and check it against the books."""
        need(self.over is None or type(event.body) is Revealed, "after the end only the cards are shown")
        self.day = event.day
        if (enter := ENTRIES.get(type(event.body))) is not None:
            enter(self, event.body)

    def called(self, body: Called) -> None:
        if body.stage == "night":
            self.silenced, self.night, self.stated = set(), None, {}
            self._new_day()
        elif body.stage in ("speeches", "defence"):
            self._new_day()
            need(set(body.seats) == self.living, "the living speak, each once")
        elif body.stage in ("pk", "off_field", "revote"):
            self.stage = body.stage
            self.vote, self.shown = self.vote + 1, set()  # also one in which nobody may vote

    def _new_day(self) -> None:
        need(self.tied is None or self.tied.next != "draw", "a last tie that is a draw ends the game")
        self.spoke, self.votes, self.voters = set(), defaultdict(dict), defaultdict(set)
        self.offered, self.vote, self.tied, self.lot, self.executed = defaultdict(set), 0, None, None, 0
        self.stage = "round"

    def states(self, body: Stated) -> None:
        action = "kill" if self.roles[body.by - 1] == "killer" else "check"
        last = self.stated.setdefault(f"{action} {body.round}", {})
        need(body.by in self.living and body.by not in last, "each member states once in a round")
        last[body.by] = body.target
        self.stated[action] = last

    def _favourites(self, action: str) -> set[Seat]:
        counts = Counter(t for t in self.stated.get(action, {}).values() if t is not None)
        most = max(counts.values(), default=0)
        return {seat for seat, number in counts.items() if number == most}

    def agreed(self, body: Agreed) -> None:
        best = self._favourites(body.action)
        undecided = len(best) > 1 and self.options["killers_tie"] in ("no_kill", "ask_again")
        need(body.target in best if best and not undecided else body.target is None,
             "a council's target is one that most have named")  # fmt: skip

    def drawn(self, body: Drawn) -> None:
        need(body.purpose == "deal" or body.value in body.options, "a lot falls on one of its options")
        if body.purpose == "tie":
            need(self.tied is not None and set(self.tied.seats) == set(body.options), "a lot is drawn among the tied")
            self.lot = body.value if isinstance(body.value, int) else None
        elif body.purpose in ("kill", "check"):
            need(set(body.options) == self._favourites(body.purpose), "a council's lot is drawn among the tied")

    def checked(self, body: Checked) -> None:
        role = self.roles[body.target - 1]
        true = {"nod" if role == "killer" else "shake", "none"}
        need(body.answer in true | ({role} if self.options.get("check_answer") == "role" else set()),
             "the judge's sign is true")  # fmt: skip

    def resolved(self, body: Resolved) -> None:
        need(self.night is None, "a night is reckoned once")
        self.night = body
        alive, aim = {self.roles[seat - 1] for seat in self.living}, body.actions
        need(all(ACTORS[action] in alive for action in aim), "only the living act")
        need(self.living.issuperset([*body.deaths, *aim.values()]), "only the living are met")
        need(len(body.deaths) <= (1 if self.classic else MOST_DEAD), "one death a night in one game, four in the other")
        need(not set(body.deaths) & set(body.saved), "who is saved does not die of it")
        for seat, causes in body.deaths.items():
            self.causes.update(causes)
            for cause in causes:
                need(fits(cause, seat, body, self.roles), "every death has its cause")
        if not self.classic and plainly_saved(self.options, body, self.roles):
            need(aim["kill"] not in body.deaths or body.deaths[aim["kill"]] == ("needles",),
                 "who is killed and needled lives")  # fmt: skip

    def dawn(self, body: Dawn) -> None:
        need(self.night is not None and set(body.dead) == set(self.night.deaths), "dawn tells whom the night killed")
        self._die(body.dead)

    def voted_out(self, body: VotedOut) -> None:
        self.executed += 1
        every = self.tied is not None and self.tied.next == "all"
        need(self.executed == 1 or every, "at most one is voted out in a day, but where all tied go")
        if self.lot is not None:
            need(body.seat == self.lot, "a lot decides who is out")
        elif every:
            need(body.seat in self.leaders(), "all tied go, and nobody else")
        else:
            need({body.seat} == self.leaders(), "who is out has the most votes")
        self.causes["vote"] += 1
        self._die((body.seat,), more=every)

    def _die(self, seats: Sequence[Seat], *, more: bool = False) -> None:
        need(self.living.issuperset(seats) and len(set(seats)) == len(seats), "nobody dies twice")
        self.living.difference_update(seats)
        self.batch = [*self.batch, *seats] if more and self.executed > 1 else list(seats)
        if not more or self.executed == len(self.tied.seats if self.tied else ()):
            alive = Counter(self.roles[seat - 1] for seat in self.living)
            self.verdict = victory.decide(self.options, alive, self.dealt)

    def silences(self, body: Silenced) -> None:
        need(self.night is not None and body.seats == self.night.silenced, "the silenced are announced")
        self.silenced = set(body.seats)

    def speech(self, body: Speech) -> None:
        need(body.by in self.living and body.by not in self.silenced, "the silenced do not speak")
        if body.stage == "round":
            need(body.by not in self.spoke, "one speech a round")
            self.spoke.add(body.by)

    def last_words(self, body: LastWords) -> None:
        need(body.by in self.batch and body.number > self.words, "last words are counted, those of the absent too")
        self.words = body.number
        need(body.by not in self.silenced or bool(self.options.get("silenced_last_words")), "the silenced leave none")
        limit = {"none": 0, "quota": self.dealt["killer"]}.get(self.options["last_words"], len(self.roles))
        need(self.words <= limit, "no more last words than the quota")

    def hand(self, body: Hand) -> None:
        need(self.votes[self.vote].get(body.by) == body.candidate, "a hand shown is a hand raised")

    def ballots(self, body: Ballots) -> None:
        """What is shown is what was cast, by exactly those who may vote."""
        cast, voters = self.votes[self.vote], self.voters[self.vote]
        if body.ballots is None:
            counts = Counter(target for target in cast.values() if target is not None)
            same = body.totals == counts and body.abstained == sum(t is None for t in cast.values())
            need(same and set(body.void) == voters - set(cast), "totals are those of the ballots")
            return
        need(all(cast[seat] == target for seat, target in body.ballots.items()), "ballots shown are those cast")
        now = {*body.ballots, *body.void}
        need(not now & self.shown and now <= voters, "a ballot is shown once")
        self.shown |= now

    def ties(self, body: Tied) -> None:
        need(set(body.seats) == self.leaders(), "the tied are those with the most votes")
        need(len(body.seats) > 1 or self.stage == "off_field", "one with the most votes is no tie")
        need(body.next in self._ways(), "a tie is resolved by the table's own rule")
        self.tied = body

    def _ways(self) -> set[str]:
        options = self.options
        if self.stage == "off_field":
            return {options["final_tie"]}
        if self.stage == "revote":
            return {"nobody"}
        if self.stage == "pk":
            return {"pk", "off_field"}
        silent = options.get("all_abstain") == "no_elimination" and not any(self.votes[self.vote].values())
        return {"nobody"} if options["tie"] == "chain" and silent else {AFTER[options["tie"]]}

    def ends(self, body: Over) -> None:
        self.over = body
        said = (body.winner, body.reason)
        if self.verdict is not None:
            need(said == self.verdict, "the winner follows from the living")
        elif body.reason == "R-CAP":
            need(self.day == self.options["max_days"] and body.winner == "draw", "the cap falls on its day")
        else:
            drawn = self.tied is not None and self.tied.next == "draw"
            need(drawn and said == ("draw", "S1-79"), "a draw is a last tie")

    def close(self, referee: Referee) -> None:
        """The game as a whole."""
        outcome = referee.outcome
        need(self.over is not None and outcome is not None, "every game ends")
        if self.over and outcome:
            need((self.over.winner, self.over.reason) == (outcome.winner, outcome.reason), "one winner, told once")
        need(self.day <= self.options["max_days"], "no game outlasts its last day")
        need(type(referee.waves[-1].events[-1].body) is Revealed, "the cards come last")


ENTRIES: Mapping[type, Callable[[Books, Any], None]] = {
    Called: Books.called, Stated: Books.states, Agreed: Books.agreed, Drawn: Books.drawn, Checked: Books.checked,
    Resolved: Books.resolved, Dawn: Books.dawn, VotedOut: Books.voted_out, Silenced: Books.silences,
    Speech: Books.speech, LastWords: Books.last_words, Hand: Books.hand, Ballots: Books.ballots, Tied: Books.ties,
    Over: Books.ends,
}  # fmt: skip


def examine(options: Mapping[str, Any], referee: Referee, roles: Sequence[str]) -> Books:
    """Check one finished game; Broken if anything does not hold."""
    books = Books(options, roles)
    record = Record(referee.rules, len(roles), Counter(map(Role, roles)), tuple(sorted(books.living)))
    for wave in referee.waves:
        follow(books, record, wave)
    books.close(referee)
    return books


def follow(books: Books, record: Record, wave: Wave) -> None:
    """Enter one wave; afterwards the list of the living, which all views share, is the true one."""
    if wave.requests:
        books.ask(wave.requests)
        books.answered(wave.requests, wave.answers)
    for event in wave.events:
        books.told(event)
    for event in wave.events:
        if event.audience == PUBLIC:
            record.add(0, event)
    need(set(record.living) == books.living, "every view lists exactly the living")
