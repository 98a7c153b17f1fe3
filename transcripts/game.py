"""A game's transcript: what its lines mean. The header, the waves with their replies, the calls, the end.

The words of a player stand once, in its reply; an event that repeats them (a speech, a statement, a note) leaves them
out, and reading puts them back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from tianhei.arena.chance import Chance, Deal, Given, Keyed, deal
from tianhei.arena.events import PUBLIC, Event, event_from_json
from tianhei.arena.player import Completion, Prompt, Reply, Usage
from tianhei.arena.referee import Referee, Wave
from tianhei.arena.requests import Answer, Illegal, Limits, Request, answer_from_json
from tianhei.arena.roles import Counts, Role, Seat
from tianhei.arena.rules.options import Rules, RulesError, make
from tianhei.arena.rules.setups import custom
from tianhei.transcripts.file import Contents, TranscriptError, read

FORMAT = "tianhei/1"


def _short_hash(data: Mapping[str, Any]) -> str:
    return sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """Who sits in a seat: the player as named on the command line, and what it was resolved to.

    ``params`` are the model's parameters. No key, token or header value is ever among them.
    """

    player: str
    model: str = ""
    endpoint: str = ""
    pack: str = ""
    pack_hash: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The fields that say something; a scripted player has no model."""
        fields = {
            "player": self.player,
            "model": self.model,
            "endpoint": self.endpoint,
            "pack": self.pack,
            "pack_hash": self.pack_hash,
            "params": dict(self.params),
        }
        return {name: value for name, value in fields.items() if value}


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What is the table's own and no rule: text limits in characters, seconds per request (None: no limit)."""

    limits: Limits = field(default_factory=Limits)
    deadline: float | None = None
    fallback: str = "absent"
    theme: str = "plain"

    def to_json(self) -> dict[str, Any]:
        """The settings and a hash over them."""
        data = {
            "limits": asdict(self.limits),
            "deadline": self.deadline,
            "fallback": self.fallback,
            "theme": self.theme,
        }
        return {**data, "hash": _short_hash(data)}


@dataclass(frozen=True, slots=True)
class Header:
    """Everything that a game starts from. With it and the replies, the whole game can be played again."""

    rules: Rules
    counts: Counts
    seed: int | str
    lang: str
    seats: tuple[SeatSpec, ...]
    table: TableSettings = field(default_factory=TableSettings)
    started: str = ""
    program: str = ""
    deal: tuple[Role, ...] | None = None
    lots: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.seed, int) and abs(self.seed) >= 2**63:  # a file's numbers are shorter; draws are the same
            object.__setattr__(self, "seed", str(self.seed))

    @property
    def game(self) -> str:
        """The game's id: a hash over everything it starts from."""
        return _short_hash(self._fields())

    def _fields(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "rules": {"game": self.rules.game, **self.rules.to_dict()},
            "rules_hash": self.rules.hash,
            "counts": {str(role): count for role, count in self.counts.items()},
            "seed": self.seed,
            "deal": list(self.deal) if self.deal else None,
            "lots": list(self.lots),
            "lang": self.lang,
            "table": self.table.to_json(),
            "seats": [{"seat": seat, **spec.to_json()} for seat, spec in enumerate(self.seats, start=1)],
            "started": self.started,
            "program": self.program,
        }

    def to_json(self) -> dict[str, Any]:
        """The header line's fields."""
        fields = self._fields()
        return {"game": _short_hash(fields), **fields}

    def dealt(self) -> Deal:
        """The cards: as given, or dealt by the seed."""
        return Deal(self.deal) if self.deal else deal(self.counts, self.seed)

    def chance(self) -> Chance:
        """The source of lots: those given, then those keyed by the seed."""
        keyed = Keyed(self.seed)
        return Given(self.lots, keyed) if self.lots else keyed

    def referee(self) -> Referee:
        """A new game from this header, before its first answer."""
        return Referee(self.rules, self.dealt(), self.chance(), self.table.limits)


def header_from_json(data: Mapping[str, Any], path: Path | str = "transcript") -> Header:
    """Read a header; TranscriptError says what is wrong with it."""
    if data.get("format") != FORMAT:
        raise TranscriptError(f"{path}: its format is {data.get('format')!r}; this program reads {FORMAT!r}")
    try:
        options = dict(data["rules"])
        rules = make(options.pop("game"), options)
        if rules.hash != data["rules_hash"]:
            raise TranscriptError(f"{path}: the hash of its rules does not fit its rules; it was edited")
        table = data["table"]
        header = Header(
            rules=rules,
            counts=custom(rules, data["counts"]),
            seed=data["seed"],
            lang=data["lang"],
            seats=tuple(SeatSpec(**{k: v for k, v in spec.items() if k != "seat"}) for spec in data["seats"]),
            table=TableSettings(Limits(**table["limits"]), table["deadline"], table["fallback"], table["theme"]),
            started=data["started"],
            program=data["program"],
            deal=tuple(map(Role, data["deal"])) if data["deal"] else None,
            lots=tuple(data["lots"]),
        )
    except (KeyError, TypeError, ValueError, RulesError) as error:
        raise TranscriptError(f"{path}: its header cannot be read: {error}") from None
    if header.game != data.get("game"):
        raise TranscriptError(f"{path}: its game id does not fit its header; it was edited")
    return header


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """A reply as it stands in the file: the answer, who gave it (``source``), and the private parts."""

    request: str
    answer: Answer
    source: str
    thought: str = ""
    position: int | None = None
    cut: bool = False


def reply_to_json(request: Request, reply: Reply, source: str) -> dict[str, Any]:
    """A reply's fields for the file."""
    data: dict[str, Any] = {"request": request.id, "answer": reply.answer.to_json(request.kind), "source": source}
    if reply.thought:
        data["thought"] = reply.thought
    if reply.position is not None:
        data["position"] = reply.position
    if reply.cut:
        data["cut"] = True
    return data


def reply_from_json(data: Mapping[str, Any]) -> RecordedReply:
    """Read a reply; TranscriptError if it cannot be one."""
    try:
        answer = answer_from_json(data["answer"])
        return RecordedReply(
            data["request"],
            answer,
            data["source"],
            data.get("thought", ""),
            data.get("position"),
            data.get("cut", False),
        )
    except (KeyError, Illegal) as error:
        raise TranscriptError(f"a reply cannot be read: {error}") from None


def events_to_json(wave: Wave) -> list[dict[str, Any]]:
    """A wave's events for the file: the audience only where it is not everybody, players' words left out."""
    answers = {request.seat: answer for request, answer in zip(wave.requests, wave.answers, strict=True)}
    written = []
    for event in wave.events:
        data = event.to_json()
        if event.audience == PUBLIC:
            del data["audience"]
        if answers:
            _leave_out_words(data, answers)
        written.append(data)
    return written


def _leave_out_words(data: dict[str, Any], answers: Mapping[int, Answer]) -> None:
    kind = data["kind"]
    if kind == "note":
        if answers[data["audience"][0]].note == data["text"]:
            del data["text"]
    elif kind in ("speech", "last_words", "stated") and data["by"] in answers:
        if answers[data["by"]].text == data["text"]:
            del data["text"]
        data.pop("claims", None)


def _put_back_words(data: Mapping[str, Any], answers: Mapping[int, Answer]) -> Mapping[str, Any]:
    if "text" in data or data["kind"] not in ("note", "speech", "last_words", "stated"):
        return data
    answer = answers[data["audience"][0] if data["kind"] == "note" else data["by"]]
    if data["kind"] == "note":
        return {**data, "text": answer.note}
    claims = None if answer.claims is None else [claim.to_json() for claim in answer.claims]
    return {**data, "text": answer.text, "claims": claims}


@dataclass(slots=True)
class RecordedWave:
    """A closed wave: its replies by request id, and its events as they stand in the file."""

    replies: dict[str, RecordedReply]
    raw_events: list[dict[str, Any]]

    @property
    def answers(self) -> dict[str, Answer]:
        return {request: reply.answer for request, reply in self.replies.items()}

    @property
    def events(self) -> list[Event]:
        """The events with the players' words put back."""
        answers = {seat_of(request): reply.answer for request, reply in self.replies.items()}
        return [event_from_json(_put_back_words(data, answers)) for data in self.raw_events]


def seat_of(request_id: str) -> int:
    """The seat that a request id ends in."""
    return int(request_id.rsplit(".", 1)[1])


@dataclass(slots=True)
class Recording:
    """A transcript as read: what is known of the game, finished or not.

    ``sent`` are the calls to models as they left, ``done`` what came back by call id, ``failed`` what did not.
    """

    path: Path | str
    header: Header
    waves: list[RecordedWave] = field(default_factory=list)
    open_replies: dict[str, RecordedReply] = field(default_factory=dict)
    open_lines: dict[Seat, int] = field(default_factory=dict)
    sent: list[Mapping[str, Any]] = field(default_factory=list)
    done: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    failed: list[Mapping[str, Any]] = field(default_factory=list)
    notes: list[Mapping[str, Any]] = field(default_factory=list)
    end: Mapping[str, Any] | None = None

    @property
    def events(self) -> list[Event]:
        """All events so far, in order."""
        return [event for wave in self.waves for event in wave.events]


def load(path: Path | str) -> Recording:
    """Read a transcript. Damaged or TranscriptError say what is wrong with it."""
    return recording(read(path), path)


def recording(contents: Contents, path: Path | str) -> Recording:
    """What a transcript's lines say."""
    lines = contents.lines
    if not lines or lines[0].kind != "header":
        raise TranscriptError(f"{path}: it does not begin with a header; it is no transcript of a game")
    found = Recording(path, header_from_json(lines[0].data, path))
    for line in lines[1:]:
        _add(found, line.kind, line.data)
    return found


def _add(found: Recording, kind: str, data: Mapping[str, Any]) -> None:
    match kind:
        case "reply":
            reply = reply_from_json(data)
            found.open_replies[reply.request] = reply
            found.open_lines[seat_of(reply.request)] = data["n"]
        case "wave":
            for given in data.get("replies", ()):
                if not isinstance(given, int):
                    reply = reply_from_json(given)
                    found.open_replies[reply.request] = reply
            found.waves.append(RecordedWave(found.open_replies, data["events"]))
            found.open_replies, found.open_lines = {}, {}
        case "call":
            if "done" in data:
                found.done[data["call"]] = data
            else:
                (found.failed if "failed" in data else found.sent).append(data)
        case "note":
            found.notes.append(data)
        case "end":
            found.end = data
        case _:
            raise TranscriptError(f"{found.path}: unknown kind of line {kind!r}")


class PublicText:
    """The longest public prompt text so far; calls write only how theirs differs from it."""

    def __init__(self) -> None:
        self.text = ""

    def growth(self, text: str) -> tuple[int, str]:
        """How much of the longest text ``text`` keeps, and what it adds to that; remembers it if it is longer."""
        if text.startswith(self.text):
            kept = len(self.text)
        else:
            kept = next(
                (place for place, (old, new) in enumerate(zip(self.text, text, strict=False)) if old != new),
                min(len(self.text), len(text)),
            )
        added = text[kept:]
        if len(text) > len(self.text):
            self.text = text
        return kept, added


def sent_to_json(call: str, prompt: Prompt, public: PublicText) -> dict[str, Any]:
    """What is needed to rebuild a prompt exactly, written before it leaves."""
    kept, added = public.growth(prompt.system + "\0" + prompt.public)
    data: dict[str, Any] = {"call": call, "hash": prompt.hash, "kept": kept, "added": added, "private": prompt.private}
    if prompt.prefill:
        data["prefill"] = prompt.prefill
    return data


def prompts_sent(sent: Iterable[Mapping[str, Any]], public: PublicText | None = None) -> Iterator[Prompt]:
    """The words of each prompt, rebuilt from the calls in the order in which they were sent."""
    public = public or PublicText()
    for call in sent:
        text = public.text[: call["kept"]] + call["added"]
        public.growth(text)
        system, _, shared = text.partition("\0")
        yield Prompt(system, shared, call["private"], prefill=call.get("prefill", ""))


def done_to_json(call: str, completion: Completion, seconds: float) -> dict[str, Any]:
    """A completion as it was received."""
    data: dict[str, Any] = {
        "call": call,
        "done": completion.text,
        "finish": completion.finish,
        "usage": {k: v for k, v in asdict(completion.usage).items() if v is not None},
        "seconds": round(seconds, 3),
    }
    if completion.reasoning:
        data["reasoning"] = completion.reasoning
    if completion.refusal:
        data["refusal"] = completion.refusal
    if completion.scores:
        data["scores"] = [dict(step) for step in completion.scores]
    return data


def completion_from_json(data: Mapping[str, Any]) -> Completion:
    """A recorded completion, as the player got it."""
    return Completion(
        data["done"],
        data.get("reasoning", ""),
        data["finish"],
        Usage(**data["usage"]),
        tuple(data.get("scores", ())),
        data.get("refusal", ""),
    )
