"""A person at the keyboard: asked in the terminal, shown what the own seat may know and nothing else.

What only the seat knows is shown on the terminal's other screen, which leaves nothing behind to scroll back to.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from tianhei.arena.events import (
    Acted,
    Agreed,
    Ballots,
    Called,
    Dawn,
    Event,
    LastWords,
    Note,
    Over,
    Speech,
    Tied,
    VotedOut,
)
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import TARGETED, WORDED, Answer, Illegal, Request, check
from tianhei.arena.roles import Seat
from tianhei.arena.screen import Screen, console_for, harmless
from tianhei.arena.view import View, Views
from tianhei.prompts.vocabulary import Lang, texts_of
from tianhei.prompts.words import Words

NIGHTLY = frozenset(("kill", "check", "carry", "shoot", "needle", "silence"))
LETTERS_A_SECOND = 25.0
"""How quickly speeches are read."""
LONGEST_READ = 6.0
RESULT_LETTERS = 60
"""What came of a vote or a night is shown for as long as a speech of so many letters."""
Read = Callable[[str], str]


class Person:
    """Whoever sits at the keyboard, in one seat or in several."""

    name = "human"

    def __init__(self, lang: Lang, console: Console | None = None, read: Read | None = None) -> None:
        """``read`` asks for a line; by default it is typed."""
        self._console = console or console_for()
        self._read = read or self._typed
        self._texts = texts_of(lang, "person")
        self._questions = texts_of(lang, "tables")
        self._words = Words(lang)
        self._turn = asyncio.Lock()
        self._known: dict[Seat, int] = {}
        self._last: Seat | None = None
        self._night: tuple[Seat, int] | None = None
        self._aside = False
        self.screen: Screen | None = None
        """What the game is shown on; its waiting line is taken away while a question is asked."""

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """Answer one request, in the own time."""
        async with self._turn:
            if self.screen is not None:
                self.screen.close()
            try:
                return Reply(await _in_thread(lambda: self._answer(view, request)))
            finally:  # also where the game is stopped while the question stands
                self._come_back()

    def _answer(self, view: View, request: Request) -> Answer:
        if self._last not in (None, request.seat):
            self._read(self._say("next", seat=self._words.seat(request.seat)))
        self._last = request.seat
        told = [event for _, event in view.private if not isinstance(event.body, Note | Acted | Agreed)]
        is_news = len(told) > self._known.get(request.seat, 0)
        self._known[request.seat] = len(told)
        if request.kind in NIGHTLY and self._console.is_terminal:
            day = view.record.day
            if self._night != (request.seat, day):  # what came of the day stays until it is read
                self._read(self._say("turn", day=day))
            self._night = (request.seat, day)
            with self._screen_aside():
                self._console.print(Rule(self._say("night", day=day), style="blue"))
                self._show_card(view)
                return self.ask(request, view.record.stage)
        if is_news:
            self._card(view)
        return self.ask(request, view.record.stage, lambda: self._card(view))

    def _card(self, view: View) -> None:
        """Show what the seat knows, on a screen of its own where there is one, until it is read."""
        if not self._console.is_terminal:
            self._show_card(view)
            return
        with self._screen_aside():
            self._show_card(view)
            self._read(self._say("read"))

    @contextmanager
    def _screen_aside(self) -> Generator[None, None, None]:
        """The terminal's other screen, empty, which is left again in any case."""
        self._aside = self._console.set_alt_screen(True)
        try:
            yield
        finally:
            self._come_back()

    def _come_back(self) -> None:
        if self._aside:
            self._console.set_alt_screen(False)
            self._aside = False

    def _show_card(self, view: View) -> None:
        self._print(self._say("seat", seat=self._words.seat(view.seat), players=view.players), "bold")
        for _, event in view.private:
            if not isinstance(event.body, Note):
                self._print(self._words.event(event, view.record))
        self._print("")
        self._print(self._say("hidden"), "dim")

    def ask(self, request: Request, stage: str, card: Callable[[], None] | None = None, question: str = "") -> Answer:
        """Ask until there is an answer that the request offers; a question mark shows the card.

        ``question`` is what is asked, where that is not the request's usual one.
        """
        while True:
            try:
                answer = self._asked(request, question or self._question(request, stage), card)
                check(request, answer)
            except Illegal as error:
                self._print(str(error), "yellow")
            else:
                return answer

    def _asked(self, request: Request, question: str, card: Callable[[], None] | None) -> Answer:
        options = " ".join(map(str, request.options))
        target: Seat | None = None
        text = ""
        if request.kind == "speech_and_vote":
            text = self._line(self._say("words", question=question, limit=request.text), card)
            question = self._questions["ask.vote"]
        if request.kind in TARGETED:
            hint = self._say("pass_hint") if request.may_pass else ""
            target = _seat(
                self._line(self._say("choose", question=question, options=options, pass_hint=hint), card),
                self._say("no_such", options=options),
            )
        if request.kind in WORDED and request.text and request.kind != "speech_and_vote":
            key = "council" if request.kind in TARGETED else "words"
            text = self._line(self._say(key, question=question, limit=request.text), card)
        if request.kind == "hand":
            typed = self._line(self._say("hand", question=question), card)
            return Answer(raised=typed.casefold() in self._say("yes").split())
        if request.kind == "demand":
            typed = self._line(self._say("demand", question=question, options=options), card)
            wrong = self._say("no_such", options=options)
            named = [_seat(part, wrong) for part in typed.split() if part not in ("-", "－")]
            return Answer(targets=tuple(seat for seat in named if seat is not None))
        return Answer(target=target, text=text)

    def _question(self, request: Request, stage: str) -> str:
        name: str = request.kind
        if name == "speech" and stage in ("pk", "revote"):
            name = "speech_pk"
        seat = self._words.seat(request.options[0]) if name == "hand" else ""
        return str(self._questions[f"ask.{name}"]).format(seat=seat)

    def _line(self, prompt: str, card: Callable[[], None] | None) -> str:
        while True:
            typed = self._read(prompt).strip()
            if typed not in ("?", "？"):
                return typed
            if card is not None:
                card()

    def _say(self, key: str, **slots: Any) -> str:
        return str(self._texts[key]).format(**slots)

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(Text(harmless(text), style))

    def _typed(self, prompt: str) -> str:
        typed = self._console.input(Text(harmless(prompt), "bold"))
        if self._console.is_terminal:  # what was said or chosen is told by the table
            rows = -(-cell_len(harmless(prompt) + typed) // max(1, self._console.width)) or 1
            self._console.file.write(f"\x1b[{rows}F\x1b[J")
            self._console.file.flush()
        return typed


def _seat(typed: str, wrong: str) -> Seat | None:
    """The seat that was typed; None for nobody. Illegal where it is neither, an empty line too."""
    if typed in ("-", "－"):
        return None
    digits = typed.removesuffix("号")
    if not digits.isdecimal():
        raise Illegal(wrong)
    return int(digits)


async def _in_thread(ask: Callable[[], Answer]) -> Answer:
    """Ask without keeping the others waiting, in a thread that never keeps the program from ending."""
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[Answer] = loop.create_future()

    def settle(answer: Answer | None, error: BaseException | None) -> None:
        if answered.done():
            return
        if answer is not None:
            answered.set_result(answer)
        elif isinstance(error, Exception) and not isinstance(error, EOFError):
            answered.set_exception(error)
        else:  # the keyboard is gone: as if the game was stopped by hand
            import _thread

            _thread.interrupt_main()

    def run() -> None:
        try:
            found, error = ask(), None
        except BaseException as raised:
            found, error = None, raised
        loop.call_soon_threadsafe(settle, found, error)

    threading.Thread(target=run, daemon=True).start()
    return await answered


def _nightfall(event: Event) -> bool:
    return isinstance(event.body, Called) and event.body.stage == "night"


class Reading:
    """Shows a game to a person who plays in it: speeches and results for as long as they take to read."""

    def __init__(self, screen: Screen, sleep: Callable[[float], object] = time.sleep) -> None:
        self._screen = screen
        self._sleep = sleep

    def asked(self, requests: tuple[Request, ...], views: Views) -> None:
        """As the screen says it."""
        self._screen.asked(requests, views)

    def told(self, wave: Any, views: Views) -> None:
        """Event by event."""
        self.show(wave.events)

    def show(self, events: Iterable[Event]) -> None:
        """Show these, and wait after each speech and each result."""
        for event in events:
            self._screen.show((event,))
            body = event.body
            if isinstance(body, Speech | LastWords):
                letters = sum(1 if letter.isascii() else 3 for letter in body.text)
                self._sleep(min(letters / LETTERS_A_SECOND, LONGEST_READ))
            elif isinstance(body, Ballots | Tied | VotedOut | Dawn | Over) or _nightfall(event):
                self._sleep(RESULT_LETTERS / LETTERS_A_SECOND)

    def failed(self, seat: Seat, tried: Any) -> None:
        """As the screen says it."""
        self._screen.failed(seat, tried)
