"""The question of a probe: what a seat believes of the others, asked aside, after the same public text as any other.

Its words are the same for every pack; the rules, the record and what the seat alone knows are told in the pack's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from tianhei.arena.player import Prompt
from tianhei.arena.roles import Role, Seat
from tianhei.arena.view import View
from tianhei.prompts.compose import shared_text
from tianhei.prompts.pack import Pack
from tianhei.prompts.tail import known, moment
from tianhei.prompts.vocabulary import Lang, texts_of

SUSPICION, OF_ME = "suspicion", "of_me"
"""The keys of a reply: how likely each is a killer, and how likely each thinks that of oneself."""


@dataclass(frozen=True, slots=True)
class AskedAside:
    """A probe as a model is sent it; ``seats`` are the seats by the labels that the reply has to number."""

    prompt: Prompt
    seats: Mapping[str, Seat]
    pack: Pack


@cache
def probe_texts(lang: Lang) -> Mapping[str, str]:
    """The texts of probes in one language."""
    return texts_of(lang, "probe")


def ask_aside(pack: Pack, view: View, *, max_tokens: int | None = None, short: bool = False) -> AskedAside:
    """Ask the seat whose view this is; ``short`` suits a model whose context is full."""
    words, texts, record = pack.words, probe_texts(pack.lang), view.record
    others = view.luck.shuffled(f"probe{record.day}.{len(record.events)}", view.others)
    labels = {view.label(seat): seat for seat in others}
    listed = words.say("write.comma").join(labels)
    tail = [*known(pack, view, None, None), *moment(pack, view, None)]
    if view.role:
        tail.append(pack.say("layout.reminder", seat=words.seat(view.seat), role=words.role(view.role)))
    tail.append(texts["question"].format(killer=words.say(f"is.{Role.KILLER}")))
    tail.append(texts["lines" if pack.lines else "json"].format(labels=listed, **_example(pack, labels)))
    system, public = shared_text(pack, view, short=short)
    prompt = Prompt(
        system=system,
        public=public,
        private="\n\n" + "\n".join(filter(None, tail)),
        schema=None if pack.lines else _schema(labels),
        max_tokens=max_tokens,
    )
    return AskedAside(prompt, labels, pack)


def ask_again(asked: AskedAside) -> Prompt:
    """The same question with the reason to answer again at its end."""
    again = probe_texts(asked.pack.lang)["again_lines" if asked.pack.lines else "again_json"]
    return replace(asked.prompt, private=asked.prompt.private + "\n\n" + again)


def _example(pack: Pack, labels: Mapping[str, Seat]) -> Mapping[str, str]:
    return {"label": next(iter(labels))} if pack.lines else {}


def _schema(labels: Mapping[str, Seat]) -> Mapping[str, Any]:
    numbers = _object({label: {"type": "integer"} for label in labels})
    return _object({SUSPICION: numbers, OF_ME: numbers})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": dict(properties),
    }
