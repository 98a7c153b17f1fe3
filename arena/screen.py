"""A game in the terminal: the table as somebody who looks on sees it, live or from a transcript.

By default that is what the table itself hears: a night says only that it is night, since what it waits for would name
the roles. ``all`` shows the whole truth, a seat number what that seat may know.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.status import Status
from rich.table import Table as Grid
from rich.text import Text

from tianhei.arena.calls import Try
from tianhei.arena.costs import Costs, costs_of, total
from tianhei.arena.events import (
    JUDGE,
    PUBLIC,
    Ballots,
    Called,
    Dawn,
    Event,
    Hand,
    LastWords,
    Note,
    Over,
    Revealed,
    Speech,
    VotedOut,
)
from tianhei.arena.referee import Wave
from tianhei.arena.requests import Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.speaking import is_forward
from tianhei.arena.view import Record, Views, Vote
from tianhei.prompts.vocabulary import Lang
from tianhei.prompts.words import Words
from tianhei.transcripts.game import Recording
from tianhei.transcripts.header import Header

Sight: TypeAlias = Literal["public", "all"] | Seat
"""Whose eyes: the table's, the judge's, or one seat's."""

_SEAT_STYLES = ("bright_blue", "bright_green", "bright_magenta", "bright_yellow", "bright_cyan", "bright_red")
_ROLE_STYLES: Mapping[Role, str] = {Role.KILLER: "bold red", Role.POLICE: "bold blue", Role.CIVILIAN: "default"}
PLAIN_WIDTH = 100
"""Columns where the output is no terminal."""


@cache
def screen_texts(lang: Lang) -> Mapping[str, str]:
    """The terminal's own words in one language."""
    import tomllib

    return tomllib.loads(files("tianhei.prompts").joinpath(lang, "screen.toml").read_text("utf-8"))


def sees(sight: Sight, event: Event) -> bool:
    """Whether these eyes may see an event. A player's own notes are nobody else's."""
    if event.audience == PUBLIC:
        return True
    if sight == "public" or (isinstance(event.body, Note) and sight == "all"):
        return False
    return sight == "all" or event.visible_to(sight)


_UNSEEN = {
    code: "\ufffd"
    for code in (
        *(code for code in range(0x20) if code not in (0x09, 0x0A)), *range(0x7F, 0xA0), 0x061C, *range(0x200E, 0x2010),
        *range(0x2028, 0x202F), *range(0x2066, 0x206A),
    )
}  # fmt: skip
"""Letters that steer a terminal or turn the direction of what follows: none of them reaches one."""


def harmless(text: str) -> str:
    """A text as a terminal may print it."""
    return text.translate(_UNSEEN)


def console_for(stream: Any = None) -> Console:
    """A console that wraps at the terminal's width, and at a fixed one where there is no terminal."""
    console = Console(file=stream, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PLAIN_WIDTH
    return console


class Screen:
    """Shows one game's events as they come."""

    def __init__(self, header: Header, console: Console, *, sight: Sight = "public", lang: Lang | None = None) -> None:
        self.lang: Lang = lang or ("zh" if header.lang == "zh" else "en")
        self._header = header
        self._console = console
        self._sight: Sight = sight
        self._words = Words(self.lang)
        self._texts = screen_texts(self.lang)
        players = len(header.seats)
        self._record = Record(header.rules, players, header.counts, tuple(range(1, players + 1)))
        self._hidden: list[Vote] = []
        """Votes that the table did not see, and these eyes do."""
        self._place = 0
        self._day = 0
        self._status: Status | None = None

    def say(self, key: str, **slots: object) -> str:
        """One of the terminal's own phrases."""
        return self._texts[key].format(**slots)

    def open(self) -> None:
        """Introduce the table."""
        header = self._header
        roles = "、" if self.lang == "zh" else ", "
        counts = roles.join(
            self.say("role_count", count=count, role=self._words.role(role)) for role, count in header.counts.items()
        )
        lines = [self.say("table", players=len(header.seats), roles=counts)]
        if header.source:
            lines.append(self.say("imported", source=header.source, game=header.source.game))
        elif self._sight == "all":  # who knows the seed knows the deal
            lines.append(self.say("seed", seed=header.seed))
        kinds = Counter(spec.player for spec in header.seats)
        seats = roles.join(f"{kind} × {count}" for kind, count in kinds.items())
        if header.source:
            names = (" ".join(filter(None, (spec.name, spec.player))) for spec in header.seats)
            seats = roles.join(f"{seat} {name}" for seat, name in enumerate(names, start=1))
        lines.append(self.say("seats", seats=seats))
        no_police = header.rules.game == "classic" and not header.counts.get(Role.POLICE)
        title = self.say("game_no_police" if no_police else f"game_{header.rules.game}")
        self._console.print(Panel("\n".join(map(escape, lines)), title=f"[bold]{title}[/]", expand=False))

    def asked(self, requests: tuple[Request, ...], views: Views) -> None:
        """Say whom the table waits for, on a live terminal; at night only that it is night."""
        if not self._console.is_terminal:
            return
        text = self._waiting(requests, views.record)
        if self._status is None:
            self._status = self._console.status(text, spinner="dots")
            self._status.start()
        else:
            self._status.update(text)

    def close(self) -> None:
        """Take the waiting line off the screen."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _waiting(self, requests: tuple[Request, ...], record: Record) -> str:
        if record.phase == "night" or record.stage == "night":
            return self.say("nighttime")
        first = requests[0]
        if first.kind in ("speech", "speech_and_vote") and first.seat in record.speakers:
            speakers = [seat for seat in record.speakers if seat not in record.silenced or first.seat == seat]
            place = speakers.index(first.seat)
            seat = self._words.seat(first.seat)
            if place + 1 == len(speakers):
                return self.say("speaking_last", seat=seat, count=len(speakers))
            upcoming = self._words.seat(speakers[place + 1])
            return self.say("speaking", seat=seat, place=place + 1, count=len(speakers), next=upcoming)
        if first.kind == "last_words":
            return self.say("leaving", seat=self._words.seat(first.seat))
        if first.kind in ("vote", "hand"):
            return self.say("voting", count=len(requests))
        return self.say("waiting")

    def told(self, wave: Wave, views: Views) -> None:
        """Show the events of a wave."""
        self.show(wave.events)

    def show(self, events: Iterable[Event]) -> None:
        """Show these events, as far as the eyes that look may see them."""
        for event in events:
            if event.audience == PUBLIC:
                self._place += 1
                self._record.add(self._place, event)
                self._public(event)
            elif sees(self._sight, event):
                self._private(event)

    def failed(self, seat: Seat, tried: Try) -> None:
        """Say, on a live terminal, that a model is waited for; at night not whose."""
        if self._status is None or tried.wait is None:
            return
        who = self.say("nighttime") if self._record.stage == "night" else self._words.seat(seat)
        cause = self.say(f"trouble_{tried.cause}")
        self._status.update(self.say("again", who=who, cause=cause, wait=f"{tried.wait:.0f}"))

    def closing(self, recorded: Recording) -> None:
        """Say where the game is kept, what its models used, and how to go on with one that is not over."""
        path = recorded.path
        if recorded.void:
            self._print(Text(self.say("stopped", what=recorded.void["what"]), "yellow"))
        if self._record.outcome is None:
            key = "unfinished_imported" if recorded.header.source else "unfinished"
            self._print(Text(self.say(key, path=path), "yellow"))
        if costs := costs_of(recorded):
            self._print(Text(self._used(total(costs.values())), "dim"))
        self._print(Text(self.say("saved", path=path), "dim"))

    def _used(self, used: Costs) -> str:
        if used.untold and not used.calls:
            return self.say("calls_untold")
        counts = ((kind, used.tokens(kind)) for kind in ("prompt", "cached", "completion"))
        tokens = {kind: self.say("not_available") if count is None else f"{count:,}" for kind, count in counts}
        said = [self.say("calls", calls=used.calls, **tokens)]
        if used.tokens("prompt") is None and used.tokens("completion") is None:
            said = [self.say("calls_only", calls=used.calls)]
        if used.money:
            said.append(self.say("money", usd=f"{used.money:.4f}"))
        if used.unpriced:
            said.append(self.say("unpriced", count=used.unpriced))
        if used.failed:
            said.append(self.say("failed", count=used.failed.total()))
        if used.fallbacks:
            causes = ", ".join(f"{cause} {count}" for cause, count in used.fallbacks.items())
            said.append(self.say("fallbacks", count=used.fallbacks.total(), causes=causes))
        return " · ".join(said)

    def _print(self, item: RenderableType) -> None:
        self._console.print(item)

    def _public(self, event: Event) -> None:
        match event.body:
            case Called(role=role) if role is not None:
                return
            case Called(stage="night"):
                self._print(Rule(f"[bold blue]{self.say('night', day=event.day)}[/]", style="blue"))
            case Called(stage="speeches" | "defence"):
                self._open_day(event)
            case Called(stage="hands") | Hand():
                return
            case Speech() | LastWords() as said:
                self._speech(event, said)
            case Ballots() as ballots:
                self._ballots(event, ballots)
            case Dawn():
                self._day_rule(event.day)
                self._judge(event, "bold")
            case VotedOut():
                self._judge(event, "bold")
            case Over() as over:
                self._verdict(event, over)
            case Revealed(roles=roles):
                self._cards(roles)
            case _:
                self._judge(event)

    def _told(self, event: Event) -> str:
        return harmless(self._words.event(event, self._record))

    def _judge(self, event: Event, style: str = "") -> None:
        text = self._told(event)
        if text:
            self._print(self._row(Text(self.say("judge"), "dim"), Text(text, f"cyan {style}".strip())))

    def _private(self, event: Event) -> None:
        if isinstance(event.body, Ballots) and event.body.ballots is not None:
            self._hidden.append(Vote(event.day, event.body.stage, event.body.ballots))
        text = self._told(event)
        if not text:
            return
        if event.audience == JUDGE:
            text = self.say("to_judge", text=text)
        elif self._sight == "all" and isinstance(event.audience, tuple):
            text = self.say("to", text=text, seats=self._words.seats(event.audience))
        self._print(self._row(Text("·", "dim"), Text(text, "dim italic")))

    def _row(self, label: Text, body: RenderableType) -> Grid:
        grid = Grid.grid(padding=(0, 1))
        grid.add_column(width=10, justify="right", no_wrap=True)
        grid.add_column(ratio=1, overflow="fold")
        grid.add_row(label, body)
        return grid

    def _speech(self, event: Event, said: Speech | LastWords) -> None:
        self._print(self._speech_row(said, self._told(event)))

    def _speech_row(self, said: Speech | LastWords, body: str) -> Grid:
        label = self._words.seat(said.by)
        while body.startswith(label):  # some speakers begin with their own name
            body = body.removeprefix(label).lstrip("：: ")
        style = _SEAT_STYLES[(said.by - 1) % len(_SEAT_STYLES)]
        return self._row(Text(label, f"bold {style}"), Text(body))

    def _day_rule(self, day: int) -> None:
        """Draw the line under which a day stands, once."""
        if self._day < day:
            self._day = day
            self._print(Rule(f"[bold yellow]{self.say('day', day=day)}[/]", style="yellow"))

    def _open_day(self, event: Event) -> None:
        record = self._record
        self._day_rule(event.day)
        alive = " ".join(map(str, record.living))
        parts = [self.say("standing", alive=len(record.living), players=record.players, list=alive)]
        if record.dead:
            gone = "  ".join(self.say(f"gone_{how}", seat=seat, day=day) for seat, (day, how) in record.dead.items())
            parts.append(self.say("gone", list=gone))
        if record.quota > 0:
            parts.append(self.say("words_quota", used=record.words_left, quota=record.quota))
        elif record.quota < 0:
            parts.append(self.say("words_all", used=record.words_left))
        forward = is_forward(record.rules, event.day)
        parts.append(self.say("arrow_forward" if forward else "arrow_reverse"))
        self._print(Padding(Text(" · ".join(parts), "dim"), (0, 0, 0, 2)))
        self._judge(event)

    def _ballots(self, event: Event, ballots: Ballots) -> None:
        if self._record.stage == "defence" and ballots.totals is None:
            self._judge(event)
        else:
            self._print(self._ballots_row(ballots))

    def _ballots_row(self, ballots: Ballots) -> Grid:
        for_whom: dict[Seat, list[Seat]] = {}
        for voter, target in (ballots.ballots or {}).items():
            if target is not None:
                for_whom.setdefault(target, []).append(voter)
        counts = ballots.totals if ballots.totals is not None else {seat: len(who) for seat, who in for_whom.items()}
        grid = Grid(box=None, padding=(0, 1), show_header=False)
        for seat, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            who = self._words.seats(sorted(for_whom[seat])) if seat in for_whom else ""
            grid.add_row(self._words.seat(seat), Text("█" * count, "yellow"), str(count), Text(who, "dim"))
        abstained = [voter for voter, target in (ballots.ballots or {}).items() if target is None]
        if abstained:
            grid.add_row(self.say("abstained"), "", str(len(abstained)), Text(self._words.seats(abstained), "dim"))
        elif ballots.abstained:
            grid.add_row(self.say("abstained"), "", str(ballots.abstained), "")
        if ballots.void:
            grid.add_row(self.say("void"), "", str(len(ballots.void)), Text(self._words.seats(ballots.void), "dim"))
        body: RenderableType = grid if grid.row_count else Text(self.say("no_votes"), "dim")
        return self._row(Text(self.say("judge"), "dim"), body)

    def _verdict(self, event: Event, over: Over) -> None:
        text = self._told(event)
        colour = {"good": "green", "killers": "red", "draw": "yellow"}[over.winner]
        ended = [] if self._header.source else [Text(self.say("ended", reason=over.reason, day=event.day), "dim")]
        body = Group(Text(text), *ended)
        title = f"[bold {colour}]{self.say(f'winner_{over.winner}')}[/]"
        self._print(Panel(body, title=title, border_style=colour, expand=False))

    def _cards(self, roles: tuple[Role, ...]) -> None:
        votes = self._record.votes or self._hidden
        title = self.say("matrix") if votes else None
        grid = Grid(title=title, title_justify="left", box=None, padding=(0, 1))
        grid.add_column(self.say("voter") if votes else "", no_wrap=True)
        grid.add_column(self.say("cards"), no_wrap=True)
        for vote in votes:
            grid.add_column(self.say(f"vote_{vote.stage}", day=vote.day), justify="right", no_wrap=True)
        for seat, role in enumerate(roles, start=1):
            cells = [self._cell(vote, seat) for vote in votes]
            card = Text(self._words.role(role), _ROLE_STYLES.get(role, "bold magenta"))
            grid.add_row(self._words.seat(seat), card, *cells)
        self._print(grid)

    def _cell(self, vote: Vote, seat: Seat) -> str:
        if seat not in vote.ballots:
            return ""
        target = vote.ballots[seat]
        return "–" if target is None else str(target)
