"""A game as one file: page, words and frames together, to be opened anywhere without a server or a network."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from tianhei.transcripts.file import to_bytes
from tianhei.transcripts.viewer.site import PAGE, page_words

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w./-]+)";\n', re.MULTILINE)
_EXPORTED = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)
_EXPORTS = re.compile(r"export\{([^}]*)\};?\s*$")
_RENAMED = re.compile(r"(\w+) as (\w+)")
_MAIN = "held.js"


def replay_page(document: dict[str, Any], *, blind: bool = False) -> str:
    """The page of a replay as one HTML file; ``blind`` leaves out who sits in the seats."""
    script, style = bundle(), PAGE.joinpath("style.css").read_text("utf-8")
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    held = {"document": document, "words": page_words(), "blind": blind}
    return _FILE.format(policy=policy, style=style, held=_for_html(held), script=script)


_FILE = """<!doctype html>
<html lang="en" data-light="auto">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Tianhei 天黑</title>
<style>{style}</style>
</head>
<body>
<script type="application/json" id="held">{held}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _for_html(data: Any) -> str:
    """JSON in which nothing can end the element that it stands in; a lone surrogate stays escaped."""
    text = to_bytes(data).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def bundle() -> str:
    """The page's modules as one script: each in a scope of its own, after those that it imports from."""
    return "const modules = {};\n" + "".join(_scope(name) for name in _in_order(_MAIN))


def _source(name: str) -> str:
    return PAGE.joinpath(*name.split("/")).read_text("utf-8")


def _in_order(name: str, seen: set[str] | None = None) -> Iterator[str]:
    seen = set() if seen is None else seen
    if name in seen:
        return
    seen.add(name)
    for imported in _IMPORT.finditer(_source(name)):
        yield from _in_order(imported[2], seen)
    yield name


def _scope(name: str) -> str:
    source = _IMPORT.sub(_taken, _source(name))
    names = {exported: exported for exported in _EXPORTED.findall(source)}
    source = _EXPORTED.sub("", source)
    if listed := _EXPORTS.search(source):  # as in a library that was built elsewhere
        names |= {outer: inner for inner, outer in _RENAMED.findall(listed[1])}
        source = source[: listed.start()]
    given = ", ".join(f"{outer}: {inner}" for outer, inner in names.items())
    return f'modules["{name}"] = (() => {{\n{source}\nreturn {{{given}}};\n}})();\n'


def _taken(found: re.Match[str]) -> str:
    names = _RENAMED.sub(r"\1: \2", found[1])
    return f'const {{{names}}} = modules["{found[2]}"];\n'
