"""Talk: sentences put together one by one, each with the claims that it makes, within the limit of the request."""

from __future__ import annotations

from collections.abc import Iterable

from tianhei.agents.scripted.lines import Lines
from tianhei.agents.scripted.mind import Mind
from tianhei.arena.claims import Claim
from tianhei.arena.roles import Seat


class Talk:
    """What a seat is about to say. A sentence that does not fit is left out, with its claims."""

    def __init__(self, mind: Mind, lines: Lines) -> None:
        self._mind = mind
        self._lines = lines
        self._join = lines.words["join"]
        self._room = mind.request.text
        self._said: tuple[str, str, str] | None = None
        self.parts: list[str] = []
        self.claims: list[Claim] = []

    @property
    def text(self) -> str:
        return self._join.join(self.parts)

    def say(self, stance: str, *claims: Claim, **slots: Seat | str | Iterable[Seat]) -> bool:
        """Add a line of this stance, and say whether there was room. Without words, the claims alone are said."""
        silent = self._mind.request.text == 0
        if not silent:
            text = self._line(stance, {name: self._slot(name, value) for name, value in slots.items()})
            if text is None:
                return False
            self._room -= len(text) + len(self._join)
            self.parts.append(text)
        self.claims += [claim for claim in claims if claim not in self.claims]
        return True

    def _line(self, stance: str, slots: dict[str, str]) -> str | None:
        """A line that fits, the freshest: said by nobody in this game, else not today, else not by this seat."""
        lines = self._lines.stances[stance]
        start = self._mind.view.luck.number(f"{self._mind.request.id}.{stance}", len(lines))
        mine, today, before = self._heard()
        best: tuple[int, str] | None = None
        for line in (*lines[start:], *lines[:start]):
            stale = 3 if line.is_in(mine) else 2 if line.is_in(today) else 1 if line.is_in(before) else 0
            if best and stale >= best[0]:
                continue
            text = line.text.format_map(slots)
            if len(text) + (len(self._join) if self.parts else 0) <= self._room:
                best = stale, text[:1].upper() + text[1:]
                if not stale:
                    break
        return best[1] if best else None

    def _heard(self) -> tuple[str, str, str]:
        """This seat's own words of the game with those of this speech, the others' of today, and of the days before."""
        if self._said is None:
            record, me = self._mind.record, self._mind.me
            mine = "\n".join(speech.text for _, speech in record.speeches if speech.by == me)
            today = "\n".join(speech.text for day, speech in record.speeches if day == record.day and speech.by != me)
            before = "\n".join(speech.text for day, speech in record.speeches if day < record.day and speech.by != me)
            if self._mind.request.kind in ("kill", "check"):
                mine += "\n".join(said.text for _, said in self._mind.view.statements)
            self._said = mine, today, before
        mine, today, before = self._said
        return mine + self.text, today, before

    def _slot(self, name: str, value: Seat | str | Iterable[Seat]) -> str:
        words = self._lines.words
        if isinstance(value, str):
            return words[value]
        if not isinstance(value, int):
            return words["and"].join(words["player"].format(n=seat) for seat in value)
        match name:
            case "day":
                return self._when(value, "today", "day")
            case "night":
                return self._when(value, "last_night", "night")
            case "alive" | "killers":
                return str(value)
            case _:
                return words["player"].format(n=value)

    def _when(self, day: int, now: str, then: str) -> str:
        words, today = self._lines.words, self._mind.record.day
        if day == today:
            return words[now]
        if day == today - 1 and then == "day":
            return words["yesterday"]
        numerals = words["numerals"].split()
        return words[then].format(n=numerals[day - 1] if day <= len(numerals) else day)
