"""The page's files and words, for a server that sends them and for an export that holds them."""

from __future__ import annotations

from importlib.resources import files

from tianhei.prompts.vocabulary import judge_texts, texts_of
from tianhei.transcripts.viewer.frames import LANGS

PAGE = files("tianhei.transcripts.viewer").joinpath("page")
"""The folder of the page; a server shows it under ``/page/``."""
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a served page may load, as the value of the header Content-Security-Policy."""
_OF_THE_JUDGE = ("write.", "claim.", "claimed.")
_OF_OTHERS = ("role.", "is.")


def page_words() -> dict[str, dict[str, str]]:
    """The page's words by language and dotted name, those it shares with the judge under ``judge.``."""
    words: dict[str, dict[str, str]] = {}
    for lang in LANGS:
        shared = {f"judge.{name}": text for name, text in judge_texts(lang).items() if name.startswith(_OF_THE_JUDGE)}
        cards = {name: text for name, text in texts_of(lang, "foreign").items() if name.startswith(_OF_OTHERS)}
        words[lang] = cards | texts_of(lang, "viewer") | shared
    return words
