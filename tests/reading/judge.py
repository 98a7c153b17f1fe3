"""What is wrong with what was read, by the contract alone.

Written apart from the reader: it never parses a reply, but compares with what is known of it since it was made so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reading.case import OFFERED, Case, label
from reading.texts import PASSES, SECRET
from tianhei.agents.reading import Fault, read
from tianhei.arena.player import Reply

SILENT = {each.strip() for each in PASSES}
AT_CAP = ("length", "max_tokens")


def judge(case: Case) -> tuple[str, list[str]]:
    """What came of it (a cause, or 'read'), and everything that is wrong with that."""
    try:
        reply = read(case.completion, case.asked)
    except Fault as fault:
        return fault.cause, list(_fault(case, fault))
    except Exception as error:
        return "error", [f"an exception: {error!r:.200}"]
    return "read", list(_reply(case, reply))


def _fault(case: Case, fault: Fault) -> Iterator[str]:
    allowed = set(case.causes)
    if case.finish not in AT_CAP:
        allowed -= {"truncated"}
    elif allowed & {"empty", "unreadable"}:
        allowed = allowed - {"empty", "unreadable"} | {"truncated"}
    if case.fate == "must":
        yield f"must be read, not {fault}"
    elif fault.cause not in allowed:
        yield f"{fault}: must be {' or '.join(sorted(allowed))}"
    yield from _sendable("detail", fault.detail)


def _reply(case: Case, reply: Reply) -> Iterator[str]:
    if case.fate == "never":
        yield f"read as {str(reply)[:300]}; must be {' or '.join(sorted(case.causes))}"
    answer, request = reply.answer, case.asked.request
    chosen = {"hand": answer.raised, "targets": answer.targets}.get(case.choice or "", answer.target)
    if answer.absent:
        yield "a reply is never absent"
    if case.choice != "hand" and answer.raised:
        yield "a hand was raised that nobody asked for"
    if case.choice is not None and case.fate != "never":
        yield from _named(case, chosen)
    offered = (*request.options, *([None] if request.may_pass or case.choice not in OFFERED else []))
    if answer.target not in offered:
        yield f"{answer.target} is not offered"
    elif case.choice in OFFERED:
        place = case.asked.options.index(label(case.asked, answer.target or 0)) + 1
        if reply.position != place:
            yield f"position {reply.position}, not {place}"
    if case.fate != "never" and not case.noisy:
        yield from _told(case, reply)
    if SECRET in answer.text:
        yield f"private words in public: {answer.text[:200]!r}"
    if len(answer.text) > request.text:
        yield f"{len(answer.text)} characters of {request.text}"
    for name, text in (("words", answer.text), ("thought", reply.thought), ("note", answer.note or "")):
        yield from _sendable(name, text)


def _named(case: Case, chosen: object) -> Iterator[str]:
    if case.noisy:
        if case.choice in OFFERED and isinstance(chosen, int):
            text = re.sub(r"\\u[0-9a-f]{4}", " ", case.text)
            numbers = {int(digits) for digits in re.findall("[0-9]{1,4}", text)}
            if chosen not in numbers:
                yield f"{chosen} stands nowhere"
    elif case.cuttable and isinstance(chosen, tuple) and isinstance(case.named, tuple):
        if chosen != case.named[: len(chosen)]:
            yield f"chose {chosen}, a part of {case.named}"
    elif type(chosen) is not type(case.named) or chosen != case.named:
        yield f"chose {chosen}, though the field names {case.named}"


def _told(case: Case, reply: Reply) -> Iterator[str]:
    answer = reply.answer
    whole = _encodable(case.said.strip())
    if case.spaced:
        whole, said = " ".join(whole.split()), " ".join(answer.text.split())
    else:
        said = answer.text
    if case.cuttable:
        torn = len(said) - len(whole) if said.startswith(whole) else len(said)  # the next field's name, broken off
        if not whole.startswith(said) and torn > 20 and not reply.cut:
            yield f"said {said[:200]!r}, no beginning of {whole[:200]!r}"
    elif not (case.spaced and reply.cut):
        expected = "" if whole in SILENT else _fitting(whole, case)
        if said != expected:
            yield f"said {said[:200]!r}, not {expected[:200]!r}"
        if reply.cut != (expected != whole and whole not in SILENT):
            yield f"cut is {reply.cut}"
    if not case.cuttable:
        yield from _kept_private(case, reply)


def _kept_private(case: Case, reply: Reply) -> Iterator[str]:
    answer = reply.answer
    if reply.thought != _encodable((case.thought or "").strip()):
        yield f"thought {reply.thought[:99]!r}, not {(case.thought or '')[:99]!r}"
    note = _encodable((case.note or "").strip())
    if not note.startswith(answer.note or "") or bool(note) != bool(answer.note) or len(answer.note or "") > 1000:
        yield f"noted {(answer.note or '')[:99]!r}, not {note[:99]!r}"
    claims = None if answer.claims is None else tuple((c.kind, c.seat, c.what, c.night) for c in answer.claims)
    if claims != case.claims:
        yield f"claims {claims}, not {case.claims}"


def _fitting(text: str, case: Case) -> str:
    """As much of a speech as its limits allow, back to the last end of a sentence in its second half."""
    asked = case.asked
    soft = asked.limits[case.words] if case.words else 0
    hard = soft * 5 // 4
    room = text
    if asked.unit == "words":
        words = text.split(None, hard)
        if len(words) > hard:
            room = text[: len(text) - len(words[-1])].rstrip()
    else:
        room = text[:hard]
    room = room[: asked.request.text]
    if room == text:
        return text
    for end in range(len(room), 0, -1):
        if end * 2 < len(room):
            break
        last, following = room[end - 1], room[end : end + 1]
        if last in "。！？!?…\n" or (last == "." and (not following or following.isspace())):
            return room[:end].rstrip()
    return room.rstrip()


def _encodable(text: str) -> str:
    return "".join("\ufffd" if 0xD800 <= ord(letter) < 0xE000 else letter for letter in text)


def _sendable(name: str, text: str) -> Iterator[str]:
    try:
        text.encode()
    except UnicodeEncodeError:
        yield f"half a character in the {name}"
