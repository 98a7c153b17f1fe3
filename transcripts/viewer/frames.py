"""A game as frames: each event once, with the judge's words for it in both languages, for one pair of eyes.

A live table and a replay are shown by one page over one stream of frames. What the eyes may not see is in no frame,
and frames are numbered by what these eyes have seen; so neither a number nor a gap tells anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_args

from tianhei.arena.claims import Claim
from tianhei.arena.events import PUBLIC, Event, LastWords, Note, Over, Revealed, Speech, Stated
from tianhei.arena.roles import Seat
from tianhei.arena.view import Record, Views
from tianhei.prompts.rulebook import rule_text
from tianhei.prompts.vocabulary import Lang
from tianhei.prompts.words import Words
from tianhei.transcripts.claims.extractor import foreign_card
from tianhei.transcripts.claims.ledger import Entry, ledger, plain
from tianhei.transcripts.game import Recording, seat_of
from tianhei.transcripts.header import Header

FORMAT = "tianhei-view/1"
LANGS: tuple[Lang, ...] = get_args(Lang)
Eyes: TypeAlias = Seat | Literal["public", "truth"]
"""Whose eyes: a seat's, the table's, or those that see everything, the audience of each event included."""


def frame(number: int, event: Event, said: Mapping[Lang, str]) -> dict[str, Any]:
    """An event as a frame, ``number`` of its own stream; ``said`` are the judge's words for it, by language."""
    data = event.to_json()
    del data["audience"]
    return {"n": number, **data, "said": dict(said)}


class Frames:
    """The frames of one game for one pair of eyes, made as its events come."""

    def __init__(self, header: Header, eyes: Eyes) -> None:
        self.eyes: Eyes = eyes
        self._views = Views(header.rules, header.counts, header.seed)
        self._words = [Words(lang) for lang in LANGS]
        self._number = 0

    def add(self, events: Iterable[Event]) -> list[dict[str, Any]]:
        """The frames of these events, as far as the eyes may see them."""
        return list(self._frames(events))

    def _frames(self, events: Iterable[Event]) -> Iterator[dict[str, Any]]:
        for event in events:
            told = self._told(event)
            if self.eyes == "truth" or event.audience == PUBLIC or self.eyes in told:
                made = frame(self._number, event, self._said(event))
                if self.eyes == "truth":
                    made["audience"] = event.audience if event.audience == PUBLIC else told
                self._number += 1
                yield made

    def _told(self, event: Event) -> list[Seat]:
        """Fold an event into all views; to whose it was added as a private one."""
        views = [self._views.of(seat) for seat in range(1, self._views.players + 1)]
        before = [len(view.private) for view in views]
        self._views.add((event,))
        return [view.seat for view, count in zip(views, before, strict=True) if len(view.private) > count]

    def _said(self, event: Event) -> dict[Lang, str]:
        """The judge's words. A player's own words stand in the event already, and are not said again."""
        record = self._views.record
        match event.body:
            case Speech() | LastWords() if record.rules.channel != "claims_only":
                return {}
            case Note():
                return {}
            case Stated() as stated:
                event = event._replace(body=replace(stated, text=""))
            case _:
                pass
        return {words.lang: words.event(event, record) for words in self._words}


def opening(header: Header, eyes: Eyes, *, players: bool = True) -> dict[str, Any]:
    """A game before its first event, as these eyes may know it; with ``players``, who sits in the seats.

    The game's id and seed are for eyes that see everything: the deal could be found out from them.
    """
    rules, counts = header.rules, header.counts
    seats = []
    for seat, spec in enumerate(header.seats, start=1):
        told = spec.to_json()
        kept = {name: told[name] for name in ("name", *(("player", "model") if players else ())) if name in told}
        seats.append({"seat": seat, **kept})
    game = {
        "game": rules.game,
        "lang": header.lang,
        "players": len(seats),
        "counts": {str(role): count for role, count in counts.items() if count},
        "rules": {"game": rules.game, **rules.to_dict()},
        "words": {"quota": Record(rules, len(seats), counts, ()).quota},
        "seats": seats,
        "rules_text": {lang: rule_text(rules, lang, counts) for lang in LANGS},
    }
    if eyes == "truth":
        game |= {"id": header.game, "seed": header.seed, "started": header.started}
    return {"format": FORMAT, "game": game, "eyes": eyes, "frames": [], "truth": None}


def document(recorded: Recording, eyes: Eyes, *, players: bool = True, ending: bool = True) -> dict[str, Any]:
    """A recorded game as these eyes see it, as far as it has come; without its ``ending``, no verdict and no cards."""
    header = recorded.header
    found = opening(header, eyes, players=players)
    frames = Frames(header, eyes)
    firsts = []
    for wave in recorded.waves:
        firsts.append(len(found["frames"]))
        shown = (event for event in wave.events if ending or not isinstance(event.body, Over | Revealed))
        found["frames"] += frames.add(shown)
    if eyes == "truth":
        found["truth"] = {"replies": list(_replies(recorded, firsts)), "claims": list(_claims(recorded))}
        roles, sides = header.dealt().roles, header.sides
        for seat in found["game"]["seats"]:
            seat |= {"role": str(roles[seat["seat"] - 1]), "side": str(sides[seat["seat"] - 1])}
    return found


def _replies(recorded: Recording, firsts: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Who gave each reply and what was thought with it; its ``n`` is the first frame that followed from it."""
    reasoning = {call.split("#")[0]: done["reasoning"] for call, done in recorded.done.items() if "reasoning" in done}
    for first, wave in zip(firsts, recorded.waves, strict=True):
        for reply in wave.replies.values():
            told = {"n": first, "request": reply.request, "seat": seat_of(reply.request), "source": reply.source}
            thoughts = {"thought": reply.thought, "reasoning": reasoning.get(reply.request, "")}
            yield told | {name: text for name, text in thoughts.items() if text}


def _claims(recorded: Recording) -> Iterator[dict[str, Any]]:
    """The claims of a game; ``n`` is the frame of the speech.

    Of those that speakers declared, what is true of them, where that is known; beside them those that were only read
    from the words, with these words, and with the ``card`` where it is one of another game.
    """
    entries = ledger(recorded)
    declared: dict[int, list[Claim]] = {}
    for entry in entries:
        if entry.source == "declared":
            declared.setdefault(entry.event, []).append(entry.claim)
    for entry in entries:
        told = {"n": entry.event, **entry.claim.to_json()}
        if entry.truth is not None:
            told["truth"] = entry.truth
        if entry.source == "extracted":
            read = plain(entry.claim, entry.seat)
            if any(_says(plain(claim, entry.seat), read) for claim in declared.get(entry.event, ())):
                continue
            words = _words(recorded.events[entry.event], entry)
            told |= {"by": entry.seat, "day": entry.day, "read": words}
            if entry.claim.kind == "role" and entry.claim.what == "none" and (card := foreign_card(words)):
                told["card"] = card
        if entry.source == "extracted" or entry.truth is not None:
            yield told


def _says(declared: Claim, read: Claim) -> bool:
    """Whether a declared claim says all that another does, which was read from the same speech."""
    return (declared.kind, declared.seat) == (read.kind, read.seat) and read.what in (declared.what, "none")


def _words(event: Event, entry: Entry) -> str:
    return event.body.text[entry.start : entry.end] if isinstance(event.body, Speech | LastWords) else ""
