"""The judge's words: what is said or written for each event, in Chinese and English.

The words stand in ``<language>/judge.toml``; here is only which of them an event calls for. Public events give the
judge's line or a speaker's; private ones speak to their seat; the judge's own serve the full view of spectators.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tianhei.arena.events import (
    Ballots,
    Called,
    Dawn,
    Demanded,
    Event,
    Hand,
    LastWords,
    Over,
    Reminder,
    Revealed,
    Silenced,
    Speech,
    Tied,
    VotedOut,
)  # fmt: skip
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Butterfly
from tianhei.arena.rules.speaking import is_forward, order_of_last_words
from tianhei.arena.view import Record
from tianhei.prompts.told import private
from tianhei.prompts.vocabulary import Lang, Vocabulary, quoted

__all__ = ["Lang", "Words", "quoted"]


class Words(Vocabulary):
    """The words of one language. ``record`` is always the public record folded up to and including the event."""

    def is_speaker(self, event: Event) -> bool:
        """Whether the words of this event are a player's and not the judge's."""
        return isinstance(event.body, Speech | LastWords)

    def line(self, event: Event, record: Record) -> str:
        """The words of an event as a line of the record: the judge's lines are marked as his."""
        text = self.event(event, record)
        return self.say("write.judge", text=text) if text and not self.is_speaker(event) else text

    def event(self, event: Event, record: Record) -> str:
        """What is said or written for this event; empty where nothing is."""
        body = event.body
        match body:
            case Called():
                return self._called(body, record)
            case Dawn():
                return self._dawn(body, record)
            case Speech() | LastWords():
                return self._said(body, record)
            case Ballots():
                return self._ballots(body, record)
            case Tied():
                return self._tally(record) + self.say(f"tied.{body.next}", seats=self.seats(body.seats))
            case VotedOut():
                return self._tally(record) + self._voted_out(body, record)
            case Silenced(seats=seats):
                return self.say("dawn.silenced", seats=self.seats(seats))
            case Hand(by=by, candidate=candidate):
                return self.say("vote.hand", by=self.seat(by), seat=self.seat(candidate))
            case Demanded(by=by, seats=seats, honoured=honoured):
                key = "vote.demanded" if honoured else "vote.demanded_late"
                return self.say(key, by=self.seat(by), seats=self.seats(seats))
            case Reminder(seat=seat, rule=rule):
                return self.or_other("remind", rule, seat=self.seat(seat))
            case Over(winner=winner, reason=reason):
                why = self.texts.get(f"reason.{reason}") or self.say("reason.other", rule=reason)
                if record.rules.game == "foreign":  # its reasons are its source's own words, or none
                    why = self.say("over.why", reason=reason.rstrip(".")) if reason else ""
                return self.say(f"over.{winner}_{record.rules.game}", reason=why)
            case Revealed(roles=roles):
                return self.say("over.revealed", list=self.cards(roles))
            case _:
                return private(self, event, record)

    def _called(self, called: Called, record: Record) -> str:
        if called.role is not None:
            return self._role_call(called.role, record)
        match called.stage:
            case "vote":
                form = record.rules.vote_form
                return self.say(f"called.vote_{form}", abstain=self._abstain(record))
            case "hands":
                return self.say("called.hands", seat=self.seat(called.seats[0]))
            case "last_words":
                return self._last_words_call(called.seats, record)
            case "speeches" | "defence" | "pk" | "off_field" | "revote":
                return self._floor(called.stage, called.seats, record)
            case _:
                return self.say(f"called.{called.stage}")

    def _role_call(self, role: Role, record: Record) -> str:
        if role not in (Role.KILLER, Role.POLICE):
            return self.say(f"called.{role}")
        first_night = 1 if record.rules.first_phase == "night" else 2
        if record.counts.get(role, 0) < 2:
            return self.say(f"called.{role}_one")
        return self.say(f"called.{role}_{'first' if record.day == first_night else 'many'}")

    def _floor(self, stage: str, seats: Sequence[Seat], record: Record) -> str:
        """The call to speak: who starts, which way round, in which order, and how the vote that follows is held."""
        if not seats:
            return self.say("called.off_field_empty", voters=self._voters(record, "off_voters"))
        slots = {"first": self.seat(seats[0]), "order": self.numbers(seats)}
        if stage in ("speeches", "defence"):
            forward = is_forward(record.rules, record.day)
            slots["direction"] = self.say("write.forward" if forward else "write.reverse")
            tonight = [seat for seat, when in record.dead.items() if when == (record.day, "night")]
            if stage == "speeches" and tonight:
                stage = "speeches_after"
                slots["anchor"] = self.seat(order_of_last_words(record.rules, record.players, record.day, tonight)[-1])
        elif stage == "pk":
            slots |= {"voters": self._voters(record, "pk_voters"), "abstain": self._abstain(record)}
        else:
            slots["voters"] = self._voters(record, "off_voters" if stage == "off_field" else "")
        return self.say(f"called.{stage}", **slots)

    def _voters(self, record: Record, option: str) -> str:
        untied = getattr(record.rules, option, "all") == "untied" and set(record.candidates) != set(record.living)
        return self.say("called.voters_untied" if untied else "called.voters_all")

    def _abstain(self, record: Record) -> str:
        return self.say("called.may_abstain" if record.rules.abstain == "allowed" else "called.must_vote")

    def _last_words_call(self, seats: Sequence[Seat], record: Record) -> str:
        first = record.words_left + 1
        limit = self.number("count", record.quota)
        slots = {
            "ordinal": self.number("ordinal", first),
            "quota": self.say("called.quota", count=limit) if record.quota > 0 else "",
        }
        if len(seats) == 1:
            return self.say("called.last_words_one", seat=self.seat(seats[0]), **slots)
        last = self.number("ordinal", record.words_left + len(seats))
        key = "two" if len(seats) == 2 else "many"
        return self.say(f"called.last_words_{key}", seats=self.seats(seats), last=last, **slots)

    def _dawn(self, dawn: Dawn, record: Record) -> str:
        if not dawn.dead:
            return self.say("dawn.peace")
        causes = dawn.causes or {}
        names = [self.say("dawn.with_cause", seat=self.seat(seat), causes=self.causes(causes[seat])) for seat in causes]
        told = [
            self.say("dawn.told_item", seat=self.seat(seat), what=self.named("is", what))
            for seat, what in (dawn.revealed or {}).items()
        ]
        return self.say(
            "dawn.died" if isinstance(record.rules, Butterfly) else "dawn.killed",
            seats=self.listed(names) if names else self.seats(dawn.dead),
            told=self.say("dawn.told", list=self.listed(told)) if told else "",
            words=self.say("dawn.no_words") if _are_out_of_words(record, len(dawn.dead)) else "",
        )

    def _said(self, said: Speech | LastWords, record: Record) -> str:
        """A speaker's line. Claims are read out only where they are all that speech carries."""
        text = quoted(said.text)
        match record.rules.channel:
            case "mute":
                return ""
            case "claims_only":
                spoken = self.listed(self.claim(claim, said.by) for claim in said.claims or ())
                text = self.say("claim.read", list=spoken) if said.claims else ""
            case _:
                pass
        stage = said.stage if isinstance(said, Speech) else "last_words"
        return self.say(f"said.{stage}", seat=self.seat(said.by), text=text or self.say("write.pass"))

    def _ballots(self, held: Ballots, record: Record) -> str:
        form = record.rules.vote_form
        if form == "after_speech" and held.stage == "round" and held.totals is None:
            return self._one_ballot(held)
        cast = held.ballots or {}
        counts = held.totals if held.totals is not None else Counter(seat for seat in cast.values() if seat is not None)
        open_hands = held.totals is None and form != "called"  # in a called vote the hands were seen one by one
        parts = []
        for seat in sorted(counts, key=lambda seat: (-counts[seat], seat)):
            slots = {"seat": self.seat(seat), "votes": self.votes(counts[seat])}
            if open_hands:
                slots["voters"] = self.numbers(voter for voter in cast if cast[voter] == seat)
            parts.append(self.say("vote.for" if open_hands else "vote.total", **slots))
        parts = parts or [self.say("vote.nobody")]
        if abstained := [voter for voter in cast if cast[voter] is None]:
            parts.append(self.say("vote.abstained", voters=self.numbers(abstained)))
        if held.abstained:
            parts.append(self.say("vote.abstained_count", votes=self.votes(held.abstained)))
        if held.void:
            parts.append(self.say("vote.void", voters=self.numbers(held.void)))
        return self.say("vote.read" if open_hands else "vote.totals", list=self.say("write.semicolon").join(parts))

    def _one_ballot(self, held: Ballots) -> str:
        """The one ballot just cast in the defence."""
        for voter, seat in (held.ballots or {}).items():
            if seat is None:
                return self.say("vote.one_abstained", by=self.seat(voter))
            return self.say("vote.one", by=self.seat(voter), seat=self.seat(seat))
        return "".join(self.say("vote.one_void", by=self.seat(voter)) for voter in held.void)

    def _tally(self, record: Record) -> str:
        """The totals of a defence, read with what follows it: its ballots were cast one by one."""
        before = record.events[-2][1].body if len(record.events) > 1 else None
        one_by_one = record.rules.vote_form == "after_speech" and record.stage == "defence"
        if not (isinstance(before, Ballots) and one_by_one and record.votes):
            return ""
        counts = Counter(seat for seat in record.votes[-1].ballots.values() if seat is not None)
        most_first = sorted(counts, key=lambda seat: (-counts[seat], seat))
        parts = [self.say("vote.total", seat=self.seat(seat), votes=self.votes(counts[seat])) for seat in most_first]
        text = self.say("write.semicolon").join(parts or [self.say("vote.nobody")])
        return self.say("vote.totals", list=text) + self.say("write.gap")

    def _voted_out(self, out: VotedOut, record: Record) -> str:
        how = "most"
        for _, event in reversed(record.events):
            if not isinstance(event.body, VotedOut):
                if isinstance(event.body, Tied) and event.body.next in ("lot", "all"):
                    how = event.body.next
                break
        told = ""
        if record.rules.reveal_on_vote == "side" and out.revealed:
            told = self.say(f"out.side_{out.revealed}")
        elif out.revealed:
            told = self.say("out.role", what=self.named("is", out.revealed))
        no_words = _are_out_of_words(record, 1) or _is_barred(out, record)
        words = self.say("out.no_words") if no_words else ""
        return self.say(f"out.{how}", seat=self.seat(out.seat), told=told, words=words)


def _are_out_of_words(record: Record, dead: int) -> bool:
    """Whether the last ``dead`` to leave are all past the quota of last words, or nobody has any."""
    match record.rules.last_words:
        case "quota":
            return len(record.dead) - dead >= record.quota
        case "none":
            return True
        case _:
            return False


def _is_barred(out: VotedOut, record: Record) -> bool:
    """Whether one who is voted out has no last words, as far as all can tell (A0-48, A0-66)."""
    rules = record.rules
    if not isinstance(rules, Butterfly):
        return False
    if out.seat in record.silenced and not rules.silenced_last_words:
        return True
    barred = rules.executed_last_words
    return barred == "neither" or (barred == "good_only" and out.revealed == Role.KILLER)
