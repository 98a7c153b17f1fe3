"""A review in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from tianhei.arena.claims import WHATS
from tianhei.arena.roles import Seat
from tianhei.arena.screen import console_for, harmless
from tianhei.arena.whatif.poll import VOTES
from tianhei.arena.whatif.review import NIGHTS, Choice, Moment, Review
from tianhei.arena.whatif.rollouts import Rollouts
from tianhei.arena.whatif.showing import Sayings
from tianhei.arena.whatif.turns import Difference, Turn
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.claims.ledger import plain
from tianhei.transcripts.fork import Parent
from tianhei.transcripts.header import Header

MOST = 5
LIKELIEST = 3
"""How many choices, and how many likely killers, are shown."""
_ENDS = ("end",)


class Turns:
    """Prints what was thought, said and done, where these differ."""

    def __init__(self, header: Header, lang: Lang) -> None:
        self._cards = header.dealt().roles
        self._words = Sayings(lang)
        self._console: Console = console_for()

    def foreign(self, told: Sequence[Turn]) -> None:
        """Print them of a game that was played elsewhere, and why there is nothing else."""
        self._say("review.foreign", "dim")
        self._turns(told)

    def _say(self, key: str, style: str = "", **slots: object) -> None:
        self._console.print(Text(harmless(self._words.say(key, **slots)), style))

    def _seat(self, seat: Seat | None) -> str:
        return self._words.say("review.nobody") if seat is None else self._words.seat(seat)

    def _turns(self, told: Sequence[Turn]) -> None:
        differing = [turn for turn in told if turn.differences]
        self._console.print()
        self._say("turns.heading", "bold", different=len(differing), turns=len(told))
        if told:
            self._say("turns.note", "dim")
        for turn in differing:
            self._turn(turn)

    def _turn(self, turn: Turn) -> None:
        words = self._words
        card = words.role(self._cards[turn.seat - 1])
        self._say("turns.turn", "bold cyan", day=turn.day, seat=words.seat(turn.seat), role=card)
        for text in filter(None, (turn.thought, turn.vote_thought)):
            self._say("turns.thought", "dim", text=text)
        self._say("turns.said", text=turn.text or words.say("turns.passed"))
        if turn.claims:
            listed = words.say("write.semicolon").join(
                words.claim(plain(claim, turn.seat), turn.seat) for claim in turn.claims
            )
            self._say("turns.claimed", list=listed)
        if turn.voted:
            self._say("turns.voted", seat=self._seat(turn.vote))
        for difference in turn.differences:
            self._difference(difference)

    def _difference(self, difference: Difference) -> None:
        words = self._words
        slots: dict[str, str] = {}
        for name, value in (("said", difference.said), ("did", difference.did)):
            if isinstance(value, int):
                slots[name] = words.seat(value)
            elif difference.kind == "other_card" and value:
                slots[name] = words.say(f"claimed.{value}") if value in WHATS else words.role(value)
        self._say(f"turns.{difference.kind}", "yellow", **slots)


class Board(Turns):
    """Prints a review."""

    def __init__(self, parent: Parent, rollouts: Rollouts, lang: Lang) -> None:
        super().__init__(parent.recorded.header, lang)
        self._parent = parent
        self._rollouts = rollouts

    def show(self, found: Review, told: Sequence[Turn]) -> None:
        """Print all of it."""
        self._chances(found)
        for name, kinds in (("votes", VOTES), ("nights", NIGHTS)):
            self._choices(name, found.worst(kinds, MOST))
        self._turns(told)

    def _chances(self, found: Review) -> None:
        words = self._words
        self._say("review.chances", "bold")
        methods = dict.fromkeys(moment.public.method for moment in found.moments)
        method = words.listed(words.say(f"review.{name}") for name in methods)
        players = words.say(f"review.by_{self._rollouts.kind}")
        self._say("review.chances_note", "dim", games=self._rollouts.games, players=players, method=method)
        grid = Grid(box=None, padding=(0, 1), header_style="bold")
        grid.add_column(words.say("review.moment"), no_wrap=True)
        grid.add_column(words.say("review.share"), justify="right")
        grid.add_column("")
        grid.add_column(words.say("review.likeliest"), overflow="fold")
        for moment in found.moments:
            value = moment.value
            error = f" ± {value.error:.2f}" if moment.name not in _ENDS else ""
            bar = "█" * round(value.share * 20)
            grid.add_row(self._name(moment.name), f"{value.share:.2f}{error}", bar, self._likeliest(moment))
        self._console.print(grid)
        if found.turning:
            after = found.moments[found.moments.index(found.turning) + 1].value
            shares = {"before": f"{found.turning.value.share:.2f}", "after": f"{after.share:.2f}"}
            self._say("review.turning", "bold", moment=self._name(found.turning.name), **shares)

    def _name(self, moment: str) -> str:
        return self._words.say("review.end") if moment in _ENDS else moment

    def _likeliest(self, moment: Moment) -> str:
        chances = sorted(moment.public.killer.items(), key=lambda item: (-item[1], item[0]))[:LIKELIEST]
        words = self._words
        return words.listed(
            words.say("review.likely", seat=words.seat(seat), chance=f"{chance:.0%}") for seat, chance in chances
        )

    def _choices(self, name: str, worst: Sequence[Choice]) -> None:
        words = self._words
        self._console.print()
        self._say(f"review.{name}", "bold")
        if not worst:
            self._say("review.none")
            return
        self._say("review.choices_note", "dim")
        grid = Grid(box=None, padding=(0, 1), header_style="bold")
        grid.add_column(words.say("review.who"), no_wrap=True)
        for column in ("what", "gain", "lost", "best", "before", "after"):
            grid.add_column(words.say(f"review.{column}"), justify="right")
        for choice in worst:
            who = words.say("review.chose", request=choice.request.rpartition(".")[0], seat=words.seat(choice.seat))
            grid.add_row(
                who, self._seat(choice.chose), f"{choice.gain:+.2f}", f"{-choice.lost:+.2f}", self._seat(choice.best),
                f"{choice.before:.2f}", f"{choice.after:.2f}",
            )  # fmt: skip
        self._console.print(grid)
