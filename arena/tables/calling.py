"""One move at a table from a terminal: looks at what the seat may see, answers what it is asked, and goes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from urllib.parse import urlsplit

import httpx2

from tianhei.arena.person import Person
from tianhei.arena.requests import Answer, Kind, Request
from tianhei.arena.tables.refused import Refused
from tianhei.prompts.vocabulary import Lang, texts_of

LATEST = 25
"""How many of the last things that happened are shown before the question."""
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Link:
    """A seat's link, taken apart: the server, the table, and the token after the ``#``."""

    server: str
    table: str
    token: str


def read_link(url: str) -> Link:
    """A link as it was given. Refused where it is none."""
    parts = urlsplit(url)
    table = parts.path.removeprefix("/t/").strip("/")
    if parts.scheme not in ("http", "https") or not parts.path.startswith("/t/") or not table or not parts.fragment:
        raise Refused(400, "no_link", f"{url!r} is no seat's link: it looks like http://SERVER/t/TABLE#TOKEN")
    return Link(f"{parts.scheme}://{parts.netloc}", table, parts.fragment)


async def move(link: Link, lang: Lang, person: Person, say: Say, *, wait: bool) -> bool:
    """Show the seat's view and answer one question; whether there was one. ``wait``: until there is."""
    api = f"{link.server}/api/tables/{link.table}"
    texts = texts_of(lang, "person")
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {link.token}"}, timeout=30) as http:
        async with http.stream("GET", f"{api}/stream", timeout=None if wait else 30) as response:
            if response.status_code != 200:
                raise _refusal(response.status_code, await response.aread())
            ask = await _question(_messages(response.aiter_lines()), lang, say, texts, wait=wait)
        if ask is None:
            say(str(texts["nothing"]))
            return False
        say(str(texts["until"]).format(time=f"{datetime.fromtimestamp(ask['ends_at'] / 1000):%Y-%m-%d %H:%M:%S}"))
        answer = person.ask(request_of(ask), "", question=ask["question"][lang])
        sent = await http.post(f"{api}/answer", json={"request": ask["request"], **fields_of(answer, ask["kind"])})
        if sent.status_code != 200:
            raise _refusal(sent.status_code, sent.content)
        say(str(texts["done"]))
        return True


def request_of(ask: Mapping[str, Any]) -> Request:
    """The question as a request, so that it is checked here as it is there."""
    kind: Kind = "vote" if ask["cover"] else ask["kind"]
    seat = int(ask["request"].rsplit(".", 1)[1])
    return Request(ask["request"], seat, kind, tuple(ask["options"]), ask["may_pass"], ask["text_limit"] or 0)


def fields_of(answer: Answer, kind: str) -> dict[str, Any]:
    """An answer as it is sent."""
    return answer.to_json("vote" if kind == "cover" else cast(Kind, kind))


async def _messages(lines: AsyncIterator[str]) -> AsyncIterator[dict[str, Any]]:
    async for line in lines:
        if line.startswith("data: "):
            message: dict[str, Any] = json.loads(line[6:])
            yield message


async def _question(
    messages: AsyncIterator[dict[str, Any]], lang: Lang, say: Say, texts: Mapping[str, Any], *, wait: bool
) -> dict[str, Any] | None:
    """The first open question, after what happened is shown; None where there is none, or the game is over."""
    async for message in messages:
        match message["type"]:
            case "hello":
                _show((message["document"] or {"frames": []})["frames"][-LATEST:], lang, say)
                for ask in message["asks"]:
                    return dict(ask)
                if not wait:
                    return None
                say(str(texts["waiting"]))
            case "frame":
                _show((message["frame"],), lang, say)
            case "ask":
                return dict(message["ask"])
            case "closed" | "end" | "survey" | "replaced":
                say(str(texts["over"]))
                return None
            case _:
                pass
    return None


def _show(frames: Iterable[Mapping[str, Any]], lang: Lang, say: Say) -> None:
    for frame in frames:
        if frame["kind"] in ("speech", "last_words"):
            say(f"{frame['by']}: {frame['text']}")
        elif text := frame["said"].get(lang):
            say(text)


def _refusal(status: int, body: bytes) -> Refused:
    try:
        told = json.loads(body)
        return Refused(status, told["error"], told["detail"])
    except (ValueError, KeyError, TypeError):
        return Refused(status, "no_answer", f"the server answered {status}; is this a table's link?")
