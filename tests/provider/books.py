"""The books of one game: the server's ledger beside the transcript."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from provider.faults import Outcome
from provider.ledger import Entry
from provider.model import BAIT, Signing
from tianhei.arena.costs import costs_of, total
from tianhei.arena.requests import ABSENT
from tianhei.transcripts.calls import usage_from_json
from tianhei.transcripts.game import RecordedReply, Recording

CHOICES = ("target", "vote")


class Books:
    """What both sides say of a game; ``stops`` are the notes of each time that it was void."""

    def __init__(
        self,
        recorded: Recording,
        entries: Sequence[Entry],
        struck: Sequence[Entry],
        stops: Sequence[Mapping[str, Any]],
        model: Signing,
    ) -> None:
        self.recorded = recorded
        self.entries = entries
        self.stops = stops
        self._struck = struck
        self._model = model

    @cached_property
    def replies(self) -> Mapping[str, RecordedReply]:
        return {request: reply for wave in self.recorded.waves for request, reply in wave.replies.items()}

    @property
    def tries(self) -> Counter[str]:
        """Requests that came to nothing, as the transcript has them, but for those that were given up."""
        return Counter(call["try"] for call in self.recorded.tries if call["try"] != "stopped")

    @property
    def unknown(self) -> int:
        """Calls that were under way when the game was stopped: whether they reached the server, the file cannot say."""
        return len(self.recorded.sent) - len(self.recorded.done) - len(self.recorded.failed)

    @cached_property
    def late(self) -> list[Entry]:
        """Answers without fault that came too late, on a busy machine: the same was asked for again."""
        times = self.tries["timeout"]
        struck = {id(entry) for entry in self._struck}
        last = {entry.call: entry for entry in self.entries}
        return [each for each in self.entries if times and id(each) not in struck and last[each.call] is not each]

    @property
    def outcome(self) -> tuple[Outcome, str]:
        """How the game went on, and the cause as the transcript names it."""
        sources = {reply.source for reply in self.replies.values()} - {"model", "bot"}
        if sources:
            return "fallback", ", ".join(sorted(source.removeprefix("fallback:") for source in sources))
        if self.stops:
            return "void", ", ".join(sorted({stop["cause"] for stop in self.stops}))
        return "finished", ""

    def differences(self) -> Iterator[str]:
        """In what the books do not agree."""
        if self.recorded.end is None:
            yield "the game did not end"
        asked = len(self.recorded.done) + self.tries.total()
        if not asked <= len(self.entries) <= asked + self.unknown:
            yield f"{len(self.entries)} requests by the ledger, {asked} by the transcript, {self.unknown} unknown"
        written = len(self.recorded.done) + len(self.recorded.tries)
        if (folded := total(costs_of(self.recorded).values()).requests) != written:
            yield f"{folded} requests by the costs, {written} by the transcript"
        yield from self._tokens()
        for request, reply in self.replies.items():
            yield from self._misbooked(request, reply)
        if any(BAIT in str(wave.raw_events) for wave in self.recorded.waves):
            yield "the table heard what was no answer"

    def _tokens(self) -> Iterator[str]:
        ledger = [entry.reported or (0, 0) for entry in self.entries if entry not in self.late]
        told = [usage_from_json(call) for call in (*self.recorded.done.values(), *self.recorded.tries)]
        for name, ours, theirs in (
            ("prompt", sum(usage.prompt or 0 for usage in told if not usage.estimated), sum(p for p, _ in ledger)),
            (
                "completion",
                sum(usage.completion or 0 for usage in told if not usage.estimated),
                sum(c for _, c in ledger),
            ),
        ):
            if ours > theirs or (ours < theirs and not self.unknown):
                yield f"{theirs} {name} tokens by the ledger, {ours} by the transcript"

    def _misbooked(self, request: str, reply: RecordedReply) -> Iterator[str]:
        """A fault that is booked as the model's choice, or a choice that is lost or another's."""
        last = [entry for entry in self.entries if entry.request == request][-1]
        if reply.source != "model":
            if reply.answer != ABSENT or last not in self._struck:
                yield f"{request} is booked as {reply.source}: {reply.answer}"
            return
        fields = self._model.fields(last)
        chosen = next((int(fields[name][1:]) for name in CHOICES if name in fields), None)
        texts = (reply.thought, reply.answer.text, *([reply.answer.note] if reply.answer.note else []))
        if reply.answer.target != chosen or any(request not in text or BAIT in text for text in texts if text):
            yield f"{request} is booked as the model's: {reply.answer}"
