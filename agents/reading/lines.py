"""A reply in labelled lines, for models and endpoints that take no schema.

Each field stands on a line of its own, ``NAME: value``. Words run on to the next line that begins with the name of any
field, asked for or not, so that a thought never becomes part of a speech. The choice is the last line of its name, and
its value is one label. Where only words and a choice are asked for, what stands before the choice is the words, since
weak models just talk; but only where nothing about it looks like more than talk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from tianhei.agents.reading.choices import Chosen, chosen, written
from tianhei.agents.reading.fault import Fault
from tianhei.prompts.compose import Asked
from tianhei.prompts.replies import CHOICES, FIELDS, SAID

_FIELDS = tuple(dict.fromkeys(name for fields in FIELDS.values() for name in fields))
_PRIVATE = ("think", "thinking", "thoughts", "reasoning", "reason", "analysis", "plan", "notes")
_PRIVATE_ZH = ("思考", "想法", "推理", "分析", "计划", "笔记")
"""What models call a thought of their own accord: such a line ends a speech too."""
_NAMES = "|".join(sorted((*_FIELDS, *_PRIVATE, *_PRIVATE_ZH), key=len, reverse=True)).replace("_", "[_ ]")
_BREAK = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_LABEL = re.compile(
    rf"(?:\A|(?<=[{_BREAK}]))(?:[ \t\u3000\xa0>#•+–—-]|\*(?=[ \t])){{0,12}}(?:\d{{1,2}}[.)、][ \t]?)?"
    rf"(?P<mark>[*_`]{{0,3}})(?P<name>{_NAMES})(?:(?P=mark)[ \t]{{0,4}}[:：]|[ \t]{{0,4}}[:：](?P=mark)?)",
    re.IGNORECASE | re.ASCII,
)
_LINE = re.compile(rf"[^{_BREAK}]*")
_RUN_ON = re.compile(rf"\b(?:{'|'.join((*_FIELDS, *_PRIVATE)).upper()})[ \t]{{0,4}}[:：]")
"""A field that begins within a line: lines that were run together."""
_FENCE = re.compile(r"^[ \t]*```\w*[ \t\r]*$", re.MULTILINE)
_NO_TALK = re.compile(
    r"</?[A-Za-z|]|\{|```|^[ \t]*(?:#{1,6}[ \t]|\*\*[^*\n]{1,60}\*\*[:：]?[ \t]*$)"
    r"|[\[【(（*]\s{0,3}(?:think|thought|inner|private|reason|plan|思考|内心|心想|推理|分析)",
    re.IGNORECASE | re.MULTILINE,
)
"""What plain talk has none of: tags, objects, code, headings, thoughts in brackets."""


class _Part(NamedTuple):
    """A labelled line, and the text up to the next one."""

    name: str
    text: str

    @property
    def line(self) -> str:
        match = _LINE.match(self.text)
        return match[0].strip() if match else ""


def fields_in_lines(text: str, asked: Asked) -> Mapping[str, Any]:
    """The fields that stand in labelled lines."""
    before, parts = _parts(text)
    found: dict[str, Any] = {}
    for name in asked.fields:
        said = [part for part in parts if part.name == name]
        if name in CHOICES and said:
            found[name] = _choice(name, said, asked)
        elif said:
            if name in SAID and len({part.text.strip() for part in said}) > 1:
                raise Fault("ambiguous")
            found[name] = said[-1].text.strip()
    can_talk = set(asked.fields) - {*CHOICES} == {"say"} and all(part.name in CHOICES for part in parts)
    if can_talk and before.strip() and not _NO_TALK.search(before):
        found["say"] = before.strip()
    if any(name in SAID and _RUN_ON.search(value) for name, value in found.items()):
        raise Fault("unreadable", "lines run together")
    return found


def agree(text: str, fields: Mapping[str, Any], asked: Asked) -> None:
    """Fault if labelled lines beside an object answer otherwise than its fields do."""
    _, parts = _parts(text)
    for name in (*CHOICES, *SAID):
        beside = [part for part in parts if part.name == name and name in asked.fields]
        if name in SAID:
            differs = any(part.text.strip() not in ("", fields[name]) for part in beside)
        else:
            given = chosen(name, fields[name], asked) if beside else None
            differs = any(value != given for value in _labels(name, beside, asked))
        if differs:
            raise Fault("ambiguous", ", ".join((written(fields[name]), *(part.line for part in beside))))


def _parts(text: str) -> tuple[str, list[_Part]]:
    """What stands before the first labelled line, and the lines."""
    labels = list(_LABEL.finditer(text))
    starts = [*(label.start() for label in labels), len(text)]
    names = [label["name"].lower().replace(" ", "_") for label in labels]
    texts = [_FENCE.sub("", text[label.end() : end]) for label, end in zip(labels, starts[1:], strict=True)]
    parts = list(map(_Part, names, texts))
    return text[: starts[0]], parts


def _choice(name: str, parts: Sequence[_Part], asked: Asked) -> str:
    """The last line of a choice, if what stands in it is one, and no other line has another."""
    last = parts[-1]
    if name == "targets" and not last.line and last.text.strip():
        raise Fault("unreadable", "targets in several lines")
    value = chosen(name, last.line, asked, in_lines=True)
    if any(other != value for other in _labels(name, parts, asked)):
        raise Fault("ambiguous", ", ".join(dict.fromkeys(part.line for part in parts)))
    return last.line


def _labels(name: str, parts: Sequence[_Part], asked: Asked) -> Iterator[Chosen]:
    """What each of these lines names; those that name nothing are left out."""
    for part in parts:
        with suppress(Fault):
            yield chosen(name, part.line, asked, in_lines=True)
