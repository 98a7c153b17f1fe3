"""Reading one sentence: which claims it makes, what it says of the public record, and what in it is not meant.

First every rule of the language looks for its words. Then each find is weighed by where it stands: words that are
denied, quoted, supposed, asked, mocked or taken back claim nothing, or the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from tianhei.arena.claims import Claim, ClaimKind, ClaimWhat
from tianhei.arena.roles import Seat
from tianhei.transcripts.claims.words.mark import ANY, Marked, mark_of, seats_in
from tianhei.transcripts.claims.words.rule import Phenomenon, RecordWhat, Rule, Words

_OF_ONESELF = frozenset(("role", "deny"))
"""Kinds that need no other seat."""
_QUOTED = re.compile(r""" "[^"]*" | (?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w))+'(?!\w) """, re.VERBOSE)
Made: TypeAlias = list[tuple[ClaimKind, ClaimWhat]]
_UNMEANT: frozenset[Phenomenon] = frozenset(("quotation", "hypothesis", "question"))
_STOPS = ",.;:!? ，。；：、！？"
ACTS = frozenset(("check", "save", "shot", "carry", "silence"))
_MARK = re.compile(ANY)
_PREFIX = re.compile(rf"^({ANY}|\d{{1,2}}): ")


@dataclass(frozen=True, slots=True)
class Found:
    """A claim, and where its words stand in the text that was read."""

    claim: Claim
    start: int
    end: int


class Stated(NamedTuple):
    """A statement about the public record, as in docs/labelling.md; ``by`` is 0 where nobody is meant."""

    what: RecordWhat
    by: Seat
    seat: Seat


@dataclass(slots=True)
class Reading:
    """What was read."""

    claims: list[Found] = field(default_factory=list)
    record: list[tuple[Stated, int, int]] = field(default_factory=list)
    phenomena: list[Phenomenon] = field(default_factory=list)
    hearsay: list[Found] = field(default_factory=list)
    """Checks whose words leave open whose they are: only who says that he is police means his own."""
    seats: tuple[Seat, ...] = ()
    """The seats that are named."""


class Scope(NamedTuple):
    """A stretch of a sentence in which words are not simply meant."""

    start: int
    end: int
    what: Phenomenon


class Before(NamedTuple):
    """What was said just before: by whom, where it was somebody else, and of which seats."""

    speaker: Seat | None
    seats: tuple[Seat, ...]


def before_of(text: Marked) -> Before:
    """What was said before, as a label sheet gives it: with ``10: `` in front where another seat said it."""
    found = _PREFIX.match(text.text)
    if found is None:
        return Before(None, text.seats)
    return Before(seats_in(found[0])[0] if seats_in(found[0]) else int(found[1]), seats_in(text.text[found.end() :]))


class Reader:
    """Reads one sentence of one speaker."""

    def __init__(
        self, words: Words, sentence: Marked, speaker: Seat, before: Before, *, is_police: bool = False
    ) -> None:
        self.words, self.speaker, self.before = words, speaker, before
        self.is_police = is_police
        """Whether he says so in the same speech."""
        self.found = Reading()
        self.sentence = self._corrected(sentence)
        self.named = self.sentence.seats
        self.sentence = self._resolved(self.sentence)
        self.text = self.sentence.text
        self.asked = bool(words.pattern(words.asked).search(self.text))
        self.clauses = self._clauses()
        self.choices = [match.span() for match in words.pattern(words.either).finditer(self.text)]
        self.scopes = [*self._supposed(), *self._quoted(), *self._questions()]
        if mocked := words.pattern(words.irony).search(self.text):
            self.scopes.append(Scope(mocked.start(), len(self.text), "irony"))
        self._taken_back()

    def read(self) -> Reading:
        """All that the sentence holds."""
        names_some = bool(self.sentence.seats)
        self._record()
        for rule, pattern in self.words.compiled:
            if not names_some and rule.kind not in _OF_ONESELF:
                continue
            for match in pattern.finditer(self.text):
                self._weigh(rule, match)
        if names_some:
            self._ask()
            self._guess()
        self._settle()
        self._touched()
        return self.found

    def _note(self, what: Phenomenon) -> None:
        if what not in self.found.phenomena:
            self.found.phenomena.append(what)

    def _corrected(self, sentence: Marked) -> Marked:
        """A seat that is mended gives way to the one said in its place."""

        def mended(match: re.Match[str]) -> str:
            self._note("correction")
            return match["new"]

        return sentence.replaced(self.words.pattern(self.words.correction), mended)

    def _resolved(self, sentence: Marked) -> Marked:
        """Pronouns as the seats that are plainly meant."""
        addressed = self.words.pattern(self.words.addressed)
        called = self.words.pattern(self.words.vocative).search(sentence.text)

        def meant(match: re.Match[str]) -> str:
            word = match["p"]
            seat: Seat | None
            if addressed.fullmatch(word):
                text = sentence.text
                first = seats_in(called[0] if called else text[:1])
                seat = first[0] if first else self.before.speaker or self._subject(text[: match.start()])
            else:
                seat = self._subject(sentence.text[: match.start()]) or self._last_before() or self.before.speaker
            if seat is None or seat == self.speaker or _MARK.match(sentence.text[match.start() - 1 : match.start()]):
                return match[0]
            place = match.start("p") - match.start()
            return match[0][:place] + mark_of(seat) + match[0][place + len(word) :]

        return sentence.replaced(self.words.pattern(self.words.pronouns), meant)

    def _subject(self, text: str) -> Seat | None:
        """Of the seats named so far the last that opens a clause, else the last."""
        ends = [0, *(match.end() for match in self.words.pattern(self.words.clause).finditer(text))]
        opening = [text[end] for end in ends if end < len(text) and _MARK.match(text, end)]
        seats = [seat for seat in seats_in("".join(opening)) or seats_in(text) if seat != self.speaker]
        return seats[-1] if seats else None

    def _last_before(self) -> Seat | None:
        seats = {seat for seat in self.before.seats if seat != self.speaker}
        return seats.pop() if len(seats) == 1 else None

    def _clauses(self) -> list[tuple[int, int]]:
        ends = [match.start() for match in self.words.pattern(self.words.clause).finditer(self.text)]
        starts = [0, *(match.end() for match in self.words.pattern(self.words.clause).finditer(self.text))]
        return [(start, end) for start, end in zip(starts, [*ends, len(self.text)], strict=True) if end > start]

    def _clause(self, place: int) -> tuple[int, int]:
        return next(((start, end) for start, end in self.clauses if start <= place < end), (0, len(self.text)))

    def _supposed(self) -> Iterator[Scope]:
        """From an open 'if' to the end of the sentence; what stands before it in its clause hangs on it too."""
        words = self.words
        for match in words.pattern(words.hypothesis).finditer(self.text):
            start, end = self._clause(match.start())
            clause = self.text[start:end]
            if words.pattern(words.open).search(clause):
                continue
            if words.pattern(words.conceded).search(clause):
                yield Scope(start, end, "hypothesis")
                continue
            yield Scope(start, len(self.text), "hypothesis")

    def _quoted(self) -> Iterator[Scope]:
        """From 'he says' until the speaker comes in again; and all in quotation marks."""
        words, resumed = self.words, self.words.pattern(self.words.resumed)
        for match in words.pattern(words.quotation).finditer(self.text):
            by = seats_in(match[0])
            if by and by[0] == self.speaker:
                continue
            end = len(self.text)
            for start, _ in self.clauses:
                if start >= match.end() and resumed.match(self.text, start):
                    end = start
                    break
            yield Scope(match.start(), end, "quotation")
        for match in _QUOTED.finditer(self.text):
            if len(match[0]) < len(self.text) - 1:
                yield Scope(*match.span(), "quotation")

    def _questions(self) -> Iterator[Scope]:
        """The last clause of a question, and those before it that ask too."""
        if not self.asked or not self.clauses:
            return
        asking, first = self.words.pattern(self.words.asking), len(self.clauses) - 1
        while first and asking.match(self.text, self.clauses[first - 1][0], self.clauses[first - 1][1]):
            first -= 1
        yield Scope(self.clauses[first][0], len(self.text), "question")

    def _taken_back(self) -> None:
        for match in self.words.pattern(self.words.retraction).finditer(self.text):
            covering = self._covering(match.start())
            denied = self.words.pattern(self.words.denial).search(
                self.text, self._clause(match.start())[0], match.start()
            )
            if not denied and not covering & {"hypothesis", "question", "quotation"}:
                self._claim(Claim("retract", self.speaker), *match.span())
                self._note("retraction")
                self.scopes.append(Scope(0, max(match.end(), self._clause(match.start())[1]), "retraction"))

    def _weigh(self, rule: Rule, match: re.Match[str]) -> None:
        """What a find comes to, where it stands."""
        start, end = match.span()
        start += len(match[0]) - len(match[0].lstrip(_STOPS))
        if not (seats := self._about(rule, match, start)):
            return
        denied = bool(_group(match, "no")) != (not rule.flat and self._denied(start))
        covering = self._covering(start)
        if denied or rule.kind == "deny":
            covering.discard("retraction")  # who takes a claim back may well say what he is not
        for each in covering & _UNMEANT:
            self._note(each)
        if covering & _UNMEANT or "retraction" in covering:
            return
        what = self._what(rule, match)
        if "irony" in covering:
            self._note("irony")
            made: Made = [("accuse", "none")] if rule.kind in ("clear", "role") and not denied else []
            seats = [seat for seat in seats if seat != self.speaker]
        elif denied:
            self._note("negation")
            made = [] if self._unsaid(start) else [(kind, what if to == "card" else to) for kind, to in rule.denied]
        else:
            if rule.flat and self.words.pattern(self.words.negative).search(match[0]):
                self._note("negation")
            made = [(rule.kind, what), *rule.also]
        night = self._night(start, end) if rule.kind in ACTS and not denied else 0
        for kind, content in made:
            for seat in seats:
                about = self.speaker if kind == "deny" and rule.kind in ACTS else seat
                self._claim(Claim(kind, about, content, night), start, end)

    def _about(self, rule: Rule, match: re.Match[str], start: int) -> list[Seat]:
        """The seats of a find; none where its clause shows that it is no claim about them."""
        named = _group(match, "s")
        seats = list(seats_in(named)) if named else [self.speaker]
        if named and self._is_choice(match.start() + match[0].index(named)):
            return []
        if rule.kind == "role" and not named and self._says(self.words.another, start, upto=start):
            return []
        if rule.kind in ("vote", "accuse") and self._is_later(rule, match):
            return []
        if rule.kind in ("accuse", "clear") and self._says(self.words.shown, start):
            return []
        if rule.kind in ("accuse", "clear", "vote", "ask") or (rule.kind == "role" and named):
            seats = [seat for seat in seats if seat != self.speaker]
        return seats

    def _says(self, text: str, place: int, *, upto: int | None = None) -> bool:
        """Whether the clause of that place says so, all of it or up to a place."""
        start, end = self._clause(place)
        return self.words.pattern(text).search(self.text, start, end if upto is None else upto) is not None

    def _is_later(self, rule: Rule, match: re.Match[str]) -> bool:
        """Whether it is for another day, or long past, by its clause up to the next seat."""
        start, end = self._clause(match.start())
        other = _MARK.search(self.text, match.end(), max(end, match.end()))
        text = self.text[start if rule.kind == "vote" else match.end() : other.start() if other else end]
        return (
            self.words.pattern(self.words.later if rule.kind == "vote" else self.words.put_off).search(text) is not None
        )

    def _unsaid(self, start: int) -> bool:
        return self._denied(start) and self._says(self.words.unsaid, start, upto=start)

    def _is_choice(self, place: int) -> bool:
        return any(start <= place < end for start, end in self.choices)

    def _what(self, rule: Rule, match: re.Match[str]) -> ClaimWhat:
        if rule.what == "card":
            return self.words.card(match["c"].strip())
        if rule.what != "result":
            return rule.what
        if told := _group(match, "r"):
            return self.words.result(told.strip())
        rest = self.text[match.end() : match.end() + self.words.results_after]
        other = next((each for each in _MARK.finditer(rest) if each[0] not in match[0]), None)
        return self._result_in(rest[: other.start()] if other else rest)

    def _result_in(self, rest: str) -> ClaimWhat:
        """The first result of a check that a text names."""
        finds: list[tuple[int, ClaimWhat]] = [
            (found.start(), what)
            for what, pattern in self.words.result_patterns
            if (found := pattern.search(rest)) is not None
        ]
        if not finds:
            return "none"
        place, what = min(finds, key=lambda item: item[0])
        denied = self.words.pattern(self.words.denial).search(rest[:place]) is not None
        return "not_killer" if denied and what == "killer" else "killer" if denied and what == "not_killer" else what

    def _denied(self, start: int) -> bool:
        first = self._clause(start)[0]
        text = self.words.pattern(self.words.affirmed).sub("", self.text[first:start])
        return self.words.pattern(self.words.denial).search(text) is not None

    def _night(self, start: int, end: int) -> int:
        """The night that is named last before a claim in its sentence, else right after it."""
        nights = list(self.words.pattern(self.words.nights).finditer(self.text))
        named = [match for match in nights if match.start() < end] or [m for m in nights if m.start() < end + 25]
        if not named:
            return 0
        match = named[-1] if named[-1].start() < end else named[0]
        word = _group(match, "n").lower()
        return int(word) if word.isdigit() else self.words.night_words.get(word, 0)

    def _claim(self, claim: Claim, start: int, end: int) -> None:
        found = Found(claim, *self.sentence.span(start, end))
        if claim.kind == "check" and not self._is_own(claim.seat, start, end):
            self.found.hearsay.append(found)
        elif all(claim != old.claim for old in self.found.claims):
            self.found.claims.append(found)

    def _is_own(self, seat: Seat, start: int, end: int) -> bool:
        """Whether a check is the speaker's: by its own words, or since he says that he is police."""
        if seat == self.speaker:
            return False
        clause, words = self._clause(start)[0], self.words
        own = words.pattern(words.own_check)
        if any(found.end() >= start for found in own.finditer(self.text, clause, end)):
            return True
        mine = {found.claim.seat for found in self.found.claims if found.claim.kind == "check"}
        if any(told.what == "claimed" and told.seat == seat and told.by not in mine for told, *_ in self.found.record):
            return False
        plain = self._clause(start)
        return self.is_police or words.pattern(words.plain_check).fullmatch(self.text, *plain) is not None

    def _ask(self) -> None:
        words = self.words
        quoted = [scope for scope in self.scopes if scope.what == "quotation" and scope.start]
        if any(scope.what == "irony" for scope in self.scopes):
            return
        called = words.pattern(words.vocative).search(self.text)
        if called is None or not (self.asked or words.pattern(words.demand).search(self.text)):
            return
        seat = seats_in(called[0])[0]
        last = called.end() >= len(self.text) - 2
        if seat != self.speaker and (last or not any(s.start <= called.start() < s.end for s in quoted)):
            self._claim(Claim("ask", seat), called.start(), len(self.text))

    def _record(self) -> None:
        own = self.words.pattern(self.words.own)
        for rule, pattern in self.words.recorded:
            for match in pattern.finditer(self.text):
                if any(start <= match.start() < end for start, end in self._conditions()):
                    continue
                if _group(match, "no"):
                    continue
                by, seat = (self._meant(match, name, own) for name in ("by", "seat"))
                for one in by or (0,):
                    for other in seat or ((one,) if rule.what == "claimed" and one else ()):
                        if seat and one == other and rule.what == "claimed":
                            continue  # nobody checks himself
                        self._state(Stated(rule.what, one, other), match)

    def _conditions(self) -> list[tuple[int, int]]:
        """The clauses that suppose; what follows from them may still tell what has happened."""
        return [self._clause(scope.start) for scope in self.scopes if scope.what == "hypothesis"]

    def _meant(self, match: re.Match[str], name: str, own: re.Pattern[str]) -> Sequence[Seat]:
        text = _group(match, name)
        return seats_in(text) or ((self.speaker,) if text and own.fullmatch(text.strip()) else ())

    def _state(self, stated: Stated, match: re.Match[str]) -> None:
        if stated.what == "claimed":
            if stated.by == self.speaker:
                return
            self._note("quotation")
        if stated.what == "voted" and (not stated.by or stated.by == stated.seat):
            return
        if all(stated != old[0] for old in self.found.record):
            self.found.record.append((stated, *self.sentence.span(*match.span())))

    def _touched(self) -> None:
        """Questions and suppositions that touch a claim; mockery of somebody that has no other words for it."""
        touching = self.words.pattern(self.words.touching)
        for scope in self.scopes:
            if scope.what in ("question", "hypothesis") and touching.search(self.text, scope.start, scope.end):
                self._note(scope.what)
            elif scope.what == "irony" and not self.found.claims:
                seats = {seat for seat in self.named if seat != self.speaker}
                if len(seats) == 1:
                    self._note("irony")
                    self._claim(Claim("accuse", seats.pop()), scope.start, scope.end)

    def _guess(self) -> None:
        """What words say of the only seat near them, where no rule has read anything of it."""
        words, seats = self.words, {seat for seat in self.sentence.seats if seat != self.speaker}
        read = {item.claim.seat for item in self.found.claims if item.claim.kind != "vote"}
        cue = words.pattern(words.checked).search(self.text)
        told = {item.claim.seat for item in (*self.found.claims, *self.found.hearsay) if item.claim.kind == "check"}
        read |= told
        if (
            cue
            and len(seats) == 1
            and not seats & told
            and not self._covering(cue.start())
            and not self._denied(cue.start())
        ):
            after = min(cue.start(), next(place for place, each in enumerate(self.text) if _MARK.match(each)))
            result = self._result_in(self.text[after:])
            self._claim(
                Claim("check", next(iter(seats)), result, self._night(0, len(self.text))), cue.start(), len(self.text)
            )
            return
        for start, end in self.clauses:
            clause = self.text[start:end]
            near = {seat for seat in seats_in(clause) if seat != self.speaker} - read
            if (
                len(near) != 1
                or self._covering(start)
                or self._covering(end - 1)
                or self._is_choice(start + clause.index(mark_of(min(near))))
            ):
                continue
            if len(set(seats_in(clause))) > 1 or self._says(self.words.shown, start):
                continue
            plain = words.pattern(words.affirmed).sub("", clause)
            for kind, pattern in (("accuse", words.bad), ("clear", words.fine)):
                if words.pattern(pattern).search(clause) and not words.pattern(words.negative).search(plain):
                    self._claim(Claim(kind, min(near)), start, end)  # type: ignore[arg-type]
                    break

    def _covering(self, place: int) -> set[Phenomenon]:
        return {scope.what for scope in self.scopes if scope.start <= place < scope.end}

    def _is_told(self, item: Found) -> bool:
        """Whether a vote is another's, of which the sentence tells."""
        return item.claim.kind == "vote" and any(
            stated.what == "voted" and stated.by != self.speaker and stated.seat == item.claim.seat
            and start <= item.start < end
            for stated, start, end in self.found.record
        )  # fmt: skip

    def _report(self) -> None:
        """Where several checks are given, what is said of each seat is the result of one."""
        told: Mapping[str, ClaimWhat] = {"accuse": "killer", "clear": "not_killer"}
        if self.words.pattern(self.words.reports).search(self.text):
            self.found.claims = [
                replace(item, claim=Claim("check", item.claim.seat, what))
                if (what := told.get(item.claim.kind))
                else item
                for item in self.found.claims
            ]

    def _settle(self) -> None:
        """A check says what an accusation of the same seat would; so does a card."""
        self._report()
        claims = [item for item in self.found.claims if not self._is_told(item)]
        checked = {item.claim.seat for item in claims if item.claim.kind == "check"}
        checked |= {item.claim.seat for item in self.found.hearsay}
        cards = {item.claim.seat for item in claims if item.claim.kind == "role" and item.claim.seat != self.speaker}
        accused = {item.claim.seat for item in claims if item.claim.kind == "accuse"}

        def stands(item: Found) -> bool:
            claim = item.claim
            if claim.kind in ("accuse", "clear") and claim.seat in checked:
                return False
            if claim.kind == "clear":
                return claim.seat not in cards and claim.seat not in accused
            full = claim.kind == "check" and claim.what == "none"
            return not full or all(
                other.claim.kind != "check" or other.claim.seat != claim.seat or other is item for other in claims
            )

        self.found.claims = list({item.claim: item for item in reversed(claims) if stands(item)}.values())[::-1]


def _group(match: re.Match[str], name: str) -> str:
    """What the group of that name holds; of several branches, ``name2`` and ``name3`` too."""
    groups = match.groupdict()
    return groups.get(name) or groups.get(f"{name}2") or groups.get(f"{name}3") or ""
