"""Games of the AIWolf contest's server, from any of its three logs: game log, JSON log, realtime log.

The server plays day 0 first and each night after its day; the night after day N leads to our day N + 1 and is its
night here. Skip, Over and ForceSkip are what an agent answers to say nothing: such a speech is a pass.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from tianhei.arena.roles import Seat
from tianhei.transcripts.file import from_bytes
from tianhei.transcripts.importers.aiwolf_story import Record, Story, Writer
from tianhei.transcripts.importers.common import (
    Book,
    File,
    Imported,
    NotRead,
    Player,
    header_of,
    lang_of,
    need,
    rest,
    side_of,
)

KIND: str = "aiwolf"
_TIME = re.compile(r",(\d{10}|\d{13})$")
_EVENTS = {
    "開始": "start", "トーク": "talk", "囁き": "whisper", "投票": "vote", "襲撃投票": "attackVote", "追放": "execute",
    "襲撃": "attack", "占い": "divine", "護衛": "guard", "終了": "end",
}  # fmt: skip
"""The realtime log's kinds, by the names of the game log."""


def sniff(file: File) -> bool:
    """Whether a file is one of the server's three logs."""
    start = file.data[:4096].lstrip(b"\xef\xbb\xbf")
    if re.match(rb"\d+,(status|talk|whisper),\d+,", start):
        return True
    if not start.startswith(b"{"):
        return False
    return {"agents", "entries", "win_side"} <= set(file.object) or {"agents", "is_day", "event"} <= set(_first(file))


def read(file: File) -> Imported:
    """The game of a log. NotRead says what it lacks."""
    book = Book()
    if not file.data.lstrip(b"\xef\xbb\xbf").startswith(b"{"):
        story = _game_log(file, book)
    elif "entries" in file.object:
        story = _json_log(file.object, book)
    else:
        story = _realtime(file, book)
    if not story.players or sorted(story.players) != list(range(1, len(story.players) + 1)):
        raise NotRead(f"{file.path}: it does not say who sits in each seat")
    seats = [story.players[seat] for seat in sorted(story.players)]
    end = Writer(book, story).write()
    lang = lang_of(record.text for record in story.records)
    return Imported(header_of(KIND, [file], "aiwolf", seats, lang=lang, rules=story.rules), book, end)


def _player(role: str, team: str, name: str) -> Player:
    card = role.lower()
    return Player(card, side_of(card), team, name)


# The game log: one line a record, its fields joined by commas, the text last and unescaped.


def _game_log(file: File, book: Book) -> Story:
    story = Story()
    for day, kind, values in _lines(file.text, book):
        try:
            _game_line(story, int(day), kind, values)
        except (ValueError, IndexError):
            book.unread(int(day), "day", kind, {"line": f"{day},{kind},{values}"})
    return story


def _lines(text: str, book: Book) -> Iterator[tuple[str, str, str]]:
    """Day, kind and the rest of each record; a line that begins none goes on with the talk before."""
    held: tuple[str, str, str] | None = None
    for line in text.replace("\r\n", "\n").removesuffix("\n").split("\n"):
        day, _, more = line.partition(",")
        kind, comma, values = more.partition(",")
        if comma and day.isdecimal() and kind.isalpha():
            if held:
                yield held
            held = day, kind, values
        elif held and held[1] in ("talk", "whisper"):
            held = held[0], held[1], f"{held[2]}\n{line}"
        elif line:
            book.unread(0, "deal", "line", {"text": line})
    if held:
        yield held


def _game_line(story: Story, day: int, kind: str, values: str) -> None:
    if kind in ("talk", "whisper"):
        _, turn, by, text = values.split(",", 3)
        story.records.append(Record(day, kind, int(by), None, text, int(turn)))
        return
    time = _TIME.search(values)
    values = values[: time.start()] if time else values
    when = None if time is None else int(time[1]) / (1000 if len(time[1]) == 13 else 1)
    match kind, values.split(","):
        case "status", [seat, role, status, team, *name]:  # the first servers gave agents no names
            if int(seat) not in story.players:
                story.players[int(seat)] = _player(role, team, ",".join(name))
            _status(story, day, int(seat), status)
        case "vote" | "attackVote", [by, target]:
            story.records.append(Record(day, kind, int(by), int(target), time=when))
        case "divine" | "guard", [by, target, found]:
            story.records.append(Record(day, kind, int(by), int(target), text=found, time=when))
        case "execute", [seat, _]:
            story.records.append(Record(day, kind, target=int(seat), time=when))
        case "attack", [seat, done]:
            story.records.append(Record(day, kind, target=_seat(int(seat)), done=done == "true", time=when))
        case "result", [good, wolves, winner]:
            story.winner = winner
            story.survivors = {"villagers": int(good), "werewolves": int(wolves)}
        case _:
            raise ValueError(kind)


def _status(story: Story, day: int, seat: Seat, status: str) -> None:
    if not story.records or story.records[-1].day != day or story.records[-1].kind != "status":
        story.records.append(Record(day, "status"))
    if status == "DEAD":
        story.dead.setdefault(day, set()).add(seat)


def _seat(number: Any) -> Seat | None:
    return number if isinstance(number, int) and number > 0 else None


# The realtime log: one packet a line, with the state of all agents in each.


def _first(file: File) -> Mapping[str, Any]:
    try:
        first = from_bytes(file.data.split(b"\n", 1)[0])
    except ValueError:
        return {}
    return first if isinstance(first, dict) else {}


def _realtime(file: File, book: Book) -> Story:
    story = Story()
    day = -1
    profiles: dict[Seat, dict[str, Any]] = {}
    for number, line in enumerate(file.data.splitlines()):
        if not line.strip():
            continue
        try:
            packet = from_bytes(line)
        except ValueError:
            raise NotRead(f"{file.path}: line {number + 1} is not JSON") from None
        where = f"{file.path}: line {number + 1}"
        for agent in need(packet, "agents", where):
            seat = need(agent, "idx", where)
            if seat not in story.players:
                story.players[seat] = _player(agent["role"], agent["team"], agent["name"])
                profiles[seat] = rest(agent, "idx", "team", "name", "role", "is_alive")
        if packet["day"] != day:
            day = packet["day"]
            story.records.append(Record(day, "status"))
            story.dead[day] = {agent["idx"] for agent in packet["agents"] if not agent["is_alive"]}
        _packet(story, book, packet)
    for seat, profile in sorted(profiles.items()):
        if profile:
            book.foreign(0, "deal", "profile", {"seat": seat, **profile})
    return story


def _packet(story: Story, book: Book, packet: Mapping[str, Any]) -> None:
    day, kind = packet["day"], _EVENTS.get(packet["event"], "")
    by, target = _seat(packet.get("from_idx")), _seat(packet.get("to_idx"))
    message = packet.get("message") or ""
    match kind:
        case "talk" | "whisper":
            story.records.append(Record(day, kind, packet["bubble_idx"], text=message))
        case "vote" | "attackVote" | "divine" | "guard":
            story.records.append(Record(day, kind, by, target))
        case "execute":
            if target is not None:
                story.records.append(Record(day, kind, target=target))
        case "attack":
            story.records.append(Record(day, kind, target=target, done=packet.get("from_idx") is None))
        case "end":
            story.winner = message
        case "start":
            pass
        case _:
            book.unread(day, "day", "event", {packet["event"]: dict(packet)})
            return
    known = ("id", "idx", "day", "is_day", "agents", "event", "message", "from_idx", "to_idx", "bubble_idx")
    book.unread(day, "day", "packet", rest(packet, *known))


# The JSON log: what was asked of each agent and what it answered; what happened is told by later packets.


class _Entry(NamedTuple):
    seat: Seat
    kind: str
    day: int
    info: Mapping[str, Any]
    packet: Mapping[str, Any]
    entry: Mapping[str, Any]


_KINDS = {"TALK": "talk", "WHISPER": "whisper", "VOTE": "vote", "ATTACK": "attackVote", "DIVINE": "divine",
          "GUARD": "guard"}  # fmt: skip
_TOLD = ("game_id", "day", "agent", "profile", "medium_result", "divine_result", "executed_agent", "attacked_agent",
         "vote_list", "attack_vote_list", "status_map", "role_map", "remain_count", "remain_length",
         "remain_skip")  # fmt: skip


def _json_log(data: Mapping[str, Any], book: Book) -> Story:
    story = Story(winner=data.get("win_side"), tells_errors=True)
    book.unread(0, "deal", "log", rest(data, "game_id", "win_side", "agents", "entries"))
    agents = data["agents"]
    packets = [from_bytes(entry.get("request", "{}")) for entry in data["entries"]]
    seats = _names(agents, data["entries"], packets)
    for agent in agents:
        name = next((name for name, seat in seats.items() if seat == agent["idx"]), "")
        story.players[agent["idx"]] = _player(agent["role"], agent["team"], name)
        book.unread(0, "deal", "agent", rest(agent, "idx", "team", "name", "role"))
    entries = list(_entries(data["entries"], packets, seats, book))
    said = _said(packets, seats)
    start = min((entry["request_timestamp"] for entry in data["entries"] if "request_timestamp" in entry), default=None)
    for found in entries:
        _entry(story, book, found, said, seats, start)
    return story


def _names(agents: list[Mapping[str, Any]], entries: list[Mapping[str, Any]], packets: list[Any]) -> dict[str, Seat]:
    """Whose seat each name of the game is: agents are greeted in the order of their seats."""
    greeted = list(dict.fromkeys(
        entry["agent"] for entry, packet in zip(entries, packets, strict=True) if packet.get("request") == "INITIALIZE"
    ))  # fmt: skip
    order = sorted(agent["idx"] for agent in agents)
    if len(greeted) != len(order):
        raise NotRead(f"{len(greeted)} agents were greeted at the start, but {len(order)} sit at the table")
    return dict(zip(greeted, order, strict=True))


def _entries(
    entries: Iterable[Mapping[str, Any]], packets: Iterable[Any], seats: Mapping[str, Seat], book: Book
) -> Iterator[_Entry]:
    day = 0
    for entry, packet in zip(entries, packets, strict=True):
        info = packet.get("info") or {}
        day = info.get("day", day)
        book.unread(day, "day", "entry", rest(
            entry, "agent", "request_timestamp", "response_timestamp", "request", "response", "error"))  # fmt: skip
        book.unread(day, "day", "packet", rest(
            packet, "request", "info", "setting", "talk_history", "whisper_history"))  # fmt: skip
        book.unread(day, "day", "info", rest(info, *_TOLD))
        yield _Entry(seats[entry["agent"]], packet.get("request", ""), day, info, packet, entry)


def _said(packets: Iterable[Any], seats: Mapping[str, Seat]) -> dict[tuple[str, int, Seat], list[Mapping[str, Any]]]:
    """What was heard, from all histories: by kind, day and speaker, in order."""
    heard: dict[tuple[str, int, int], Mapping[str, Any]] = {}
    for packet in packets:
        for kind in ("talk", "whisper"):
            for talk in packet.get(f"{kind}_history") or ():
                heard[kind, talk["day"], talk["idx"]] = talk
    found: dict[tuple[str, int, Seat], list[Mapping[str, Any]]] = defaultdict(list)
    for (kind, day, _), talk in sorted(heard.items()):
        found[kind, day, seats[talk["agent"]]].append(talk)
    return found


def _entry(
    story: Story, book: Book, found: _Entry, said: Mapping[tuple[str, int, Seat], list[Mapping[str, Any]]],
    seats: Mapping[str, Seat], start: float | None,
) -> None:  # fmt: skip
    seat, day, info, entry = found.seat, found.day, found.info, found.entry
    sent, came = entry.get("request_timestamp"), entry.get("response_timestamp")
    time = (came - start) / 1000 if came is not None and start is not None else None
    seconds = (came - sent) / 1000 if came is not None and sent is not None else None
    if found.kind in ("DAILY_INITIALIZE", "FINISH") and day not in story.dead:
        _new_day(story, day, info, seats)
    if found.packet.get("setting") and not story.rules:
        story.rules = found.packet["setting"]
    if info.get("profile"):
        book.foreign(day, "deal", "profile", {"seat": seat, "profile": info["profile"]})
    if found.kind == "DAILY_INITIALIZE" and (judged := info.get("medium_result")):
        data = {"target": seats[judged["target"]], "result": judged["result"]}
        story.records.append(Record(day, "medium", seat, data=data))
    if found.kind == "DAILY_INITIALIZE" and (seen := info.get("divine_result")):
        _seen(story, seen["day"], seat, seen["result"])
    kind = _KINDS.get(found.kind)
    if kind is None:
        if found.kind not in ("NAME", "INITIALIZE", "DAILY_INITIALIZE", "DAILY_FINISH", "FINISH"):
            book.unread(day, "day", "request", {found.kind: dict(entry)})
        elif "error" in entry:
            story.records.append(Record(day, "error", seat, error=entry["error"], time=time))
        return
    more = {name: info[name] for name in ("remain_count", "remain_length", "remain_skip") if name in info}
    answer, error = entry.get("response"), entry.get("error", "")
    record = Record(day, kind, seat, time=time, raw=answer, seconds=seconds, error=error, data=more)
    if kind in ("talk", "whisper"):
        waiting = said.get((kind, day, seat), [])
        talk: Mapping[str, Any] = waiting.pop(0) if waiting else {"text": answer or ""}
        record = record._replace(text=talk["text"], turn=talk.get("turn", 0))
    else:
        record = record._replace(target=seats.get(answer or ""))
    story.records.append(record)


def _seen(story: Story, day: int, seer: Seat, result: str) -> None:
    """What a seer was shown, told to it on the day after."""
    for place, record in enumerate(story.records):
        if (record.day, record.kind, record.by) == (day, "divine", seer):
            story.records[place] = record._replace(text=result)


def _new_day(story: Story, day: int, info: Mapping[str, Any], seats: Mapping[str, Seat]) -> None:
    """What the first packet of a day tells: who is dead, and what became of the day before."""
    story.dead[day] = {seats[name] for name, status in info.get("status_map", {}).items() if status == "DEAD"}
    if (executed := info.get("executed_agent")) is not None:
        place = max((p for p, record in enumerate(story.records) if record.kind in ("vote", "talk")), default=-1)
        story.records.insert(place + 1, Record(day - 1, "execute", target=seats[executed]))
    if (attacked := info.get("attacked_agent")) is not None:
        story.records.append(Record(day - 1, "attack", target=seats[attacked]))
    story.records.append(Record(day, "status"))
