"""Recorded games to look at: the golden ones, and games whose players say what a page must withstand."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from players import header, play_game
from tianhei.agents.random_player import RandomPlayer
from tianhei.arena.host import Sitter
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import CLAIMING, Limits, Request
from tianhei.arena.view import View
from tianhei.transcripts.game import Recording, load

GOLDEN = sorted((Path(__file__).parents[2] / "transcripts" / "golden").glob("*.jsonl"))
HOSTILE = (
    "</script><script>window.broken=1</script>",
    "<img src=x onerror=window.broken=1>",
    "\u202e\u202d gnissim si sihT \u2066\u2067",
    "a\u200b\u200c\u200d\ufeffb" * 20,
    "{{constructor.constructor('window.broken=1')()}} ${window.broken=1} `",
    "]]> <!-- & &amp; &#60; \u2028\u2029 \ud83d",
    "Z\u0351\u036b\u0343\u036a\u0302a\u0321\u034al\u0489" * 200,
    "w" * 5000,
    "🎭👩‍👩‍👧‍👦" * (100_000 // len("🎭👩‍👩‍👧‍👦".encode())),
)
"""What a hostile player says; the last one is 100 kB of emoji."""


class Saying:
    """A random player who says, notes and thinks given texts instead of its own."""

    def __init__(self, texts: tuple[str, ...], secret: str = "") -> None:
        self._texts = texts
        self._secret = secret
        self._player = RandomPlayer("en")
        self._said = 0

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        reply = await self._player.act(view, request, ask)
        answer = reply.answer
        if request.text:
            text = self._texts[self._said % len(self._texts)]
            self._said += 1
            answer = answer._replace(text=text if request.kind in CLAIMING else f"{text[:80]} {self._secret}")
        note = f"note of {request.seat} {self._secret}" if self._secret else answer.note
        return Reply(answer._replace(note=note), thought=f"thought of {request.seat} {self._secret}")


def game(path: Path, texts: tuple[str, ...], *, secret: str = "", counts: Mapping[str, int], **more: Any) -> Recording:
    """A game in which everybody says these texts in turn; what is private holds the secret and the seat's number."""
    limits = Limits(200_000, 200_000, 200_000, 2000)
    head = header(counts, limits=limits, player="Model<b>Nine</b>", **more)
    seats = range(1, sum(counts.values()) + 1)
    turned = {seat: texts[seat % len(texts) :] + texts[: seat % len(texts)] for seat in seats}
    sitters = {seat: Sitter(Saying(turned[seat], secret and f"{secret}-{seat}-")) for seat in seats}
    with ThreadPoolExecutor(1) as apart:  # a browser's driver keeps a loop running in the test's own thread
        apart.submit(play_game, path, head, sitters).result()
    return load(path)
