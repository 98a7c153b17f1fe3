"""A game as one file: whole, shut off from the network, and proof against what players say."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from players import CLASSIC_SEVEN
from tianhei.arena.cli import main
from tianhei.arena.whatif.lookback import lookback
from tianhei.transcripts.game import load
from tianhei.transcripts.viewer.export import bundle, replay_page
from tianhei.transcripts.viewer.frames import document
from tianhei.transcripts.viewer.site import CONTENT_POLICY, PAGE, page_words
from viewer.games import GOLDEN, HOSTILE, game

SCRIPTED = next(path for path in GOLDEN if path.stem == "classic_scripted")
OURS = [file.name.removesuffix(".js") for file in PAGE.iterdir() if file.name.endswith(".js")]
"""The modules that are written here."""


class Parts(HTMLParser):
    """The elements of a page and what stands in its scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inner: list[tuple[str, str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] in ("script", "style") and data.strip():
            self.inner.append((self.elements[-1][0], data))

    def policy(self) -> str:
        return next(attrs["content"] or "" for _, attrs in self.elements if "http-equiv" in attrs)


def held(page: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(Parts(page).inner[1][1])
    return found


def digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    recorded = game(tmp_path_factory.mktemp("game") / "game.jsonl", HOSTILE, counts=CLASSIC_SEVEN)
    return replay_page(document(recorded, "truth"))


def test_the_policy_admits_the_pages_own_script_and_style_alone(hostile: str) -> None:
    parts = Parts(hostile)
    (style,), (data, script) = ([text for kind, text in parts.inner if kind == each] for each in ("style", "script"))
    policy = dict(part.strip().split(" ", 1) for part in parts.policy().split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == digest(script)
    assert policy["style-src"] == digest(style)
    assert "connect-src" not in policy  # so nothing may be asked for
    assert data.startswith("{")


def test_nothing_that_players_say_becomes_markup(hostile: str) -> None:
    """The same elements as in a page of harmless words; a text that closes an element would add some."""
    parts = Parts(hostile)
    assert [tag for tag, _ in parts.elements if tag == "script"] == ["script", "script"]
    assert not [tag for tag, _ in parts.elements if tag in ("img", "b", "iframe")]
    found = held(hostile)
    assert isinstance(found["document"], dict)
    said = {frame.get("text") for frame in found["document"]["frames"]}
    assert len(said & set(HOSTILE)) > 5


def test_a_page_asks_for_nothing_from_outside(hostile: str) -> None:
    for tag, attrs in Parts(hostile).elements:
        assert "src" not in attrs and "href" not in attrs, tag
    assert "url(" not in PAGE.joinpath("style.css").read_text("utf-8")
    assert "@import" not in PAGE.joinpath("style.css").read_text("utf-8")


def test_the_modules_are_bundled_without_a_rest() -> None:
    script = bundle()
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert "export{" not in script
    assert "</script" not in script.lower()
    for name in ("held.js", "fold.js", "table.js", "vendor/htm-preact.js"):
        assert script.count(f'modules["{name}"] = ') == 1
    assert script.index('modules["fold.js"] =') < script.index('modules["table.js"] =')


def test_the_page_writes_no_markup_and_no_style_of_its_own() -> None:
    """Everything goes through the library's text nodes; a policy without 'unsafe-inline' would stop the rest."""
    for name in OURS:
        source = PAGE.joinpath(f"{name}.js").read_text("utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", source)
        assert 'style="' not in source
    index = PAGE.joinpath("index.html").read_text("utf-8")
    assert not re.search(r"<style|style=|<script(?![^>]*src=)|\son\w+=", index)
    assert "unsafe" not in CONTENT_POLICY


def test_a_token_is_kept_out_of_addresses() -> None:
    for name in ("wire", "live", "start", "lobby"):
        source = PAGE.joinpath(f"{name}.js").read_text("utf-8")
        assert not re.search(r"[?&]token=|EventSource|setItem\([^)]*[tT]oken", source)


def test_a_game_of_twelve_is_a_small_file(tmp_path: Path) -> None:
    counts = {"killer": 3, "police": 3, "civilian": 6}
    recorded = game(tmp_path / "game.jsonl", ("A sentence of usual length, no more.",), counts=counts)
    assert len(replay_page(document(recorded, "truth")).encode()) < 400_000


def test_blind_pages_name_no_player_and_tell_no_end(tmp_path: Path) -> None:
    recorded = game(tmp_path / "game.jsonl", ("Hm.",), counts=CLASSIC_SEVEN, seed="canary-seed")
    out = tmp_path / "game.html"
    done = CliRunner().invoke(main, ["export-html", str(recorded.path), "-o", str(out), "--blind"])
    assert done.exit_code == 0, done.output
    page = out.read_text("utf-8")
    data = json.dumps(held(page)["document"])
    assert "Nine" not in data
    assert "canary-seed" not in data
    assert recorded.header.game not in data
    assert '"kind": "role"' not in data
    assert '"kind": "over"' not in data


def exported(folder: Path, *options: str, path: Path = SCRIPTED) -> dict[str, Any]:
    """The document of a game's page."""
    out = folder / "game.html"
    done = CliRunner().invoke(main, ["export-html", str(path), "-o", str(out), *options])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(json.dumps(held(out.read_text("utf-8"))["document"]))
    return found


def test_a_page_of_the_whole_truth_tells_how_the_chances_stood(tmp_path: Path) -> None:
    assert exported(tmp_path)["chances"] == lookback(SCRIPTED)
    for options in (["--no-review"], ["--blind"], ["--eyes", "public"], ["--eyes", "2"]):
        assert exported(tmp_path, *options).keys() & {"chances"} == set()


def test_a_game_that_is_not_over_has_a_page_without_chances(tmp_path: Path) -> None:
    path = tmp_path / "half.jsonl"
    path.write_bytes(b"".join(SCRIPTED.read_bytes().splitlines(keepends=True)[:6]))
    assert exported(tmp_path, path=path)["chances"] is None


@pytest.mark.parametrize("eyes", ("0", "99", "-1", "judge", "٣", ""))
def test_eyes_that_do_not_exist_are_refused(tmp_path: Path, eyes: str) -> None:
    done = CliRunner().invoke(main, ["export-html", str(GOLDEN[0]), "-o", str(tmp_path / "x.html"), f"--eyes={eyes}"])
    assert done.exit_code == 2
    assert "give a seat from 1 to" in done.output


def test_a_file_that_is_no_game_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "no.jsonl"
    path.write_text("hello\n")
    done = CliRunner().invoke(main, ["export-html", str(path)])
    assert done.exit_code == 1
    assert "line 1 is damaged" in done.output
    done = CliRunner().invoke(main, ["export-html", str(GOLDEN[0]), "-o", str(tmp_path / "none" / "x.html")])
    assert done.exit_code == 1
    assert "choose another file" in done.output


def test_one_seats_page_holds_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "seat.html"
    done = CliRunner().invoke(main, ["export-html", str(GOLDEN[0]), "-o", str(out), "--eyes", "2"])
    assert done.exit_code == 0, done.output
    assert held(out.read_text("utf-8"))["document"] == json.loads(json.dumps(document(load(GOLDEN[0]), 2)))


def test_both_languages_say_the_same_things() -> None:
    words = page_words()
    assert words["en"].keys() == words["zh"].keys()
    for key, text in words["en"].items():
        other = words["zh"][key]
        if key.startswith("judge."):
            continue  # held to this elsewhere
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", other)), key


def test_the_page_has_words_for_all_it_says() -> None:
    words = page_words()["en"]
    used = set()
    for name in OURS:
        used |= set(re.findall(r'say\("([\w.]+)"', PAGE.joinpath(f"{name}.js").read_text("utf-8")))
    assert used - words.keys() == set()
    for group, members in GROUPS.items():
        assert {f"{group}.{each}" for each in members} <= words.keys()


ROLES = ("killer", "police", "civilian", "butterfly", "sniper", "doctor", "elder")
STAGES = ("speeches", "defence", "vote", "demand", "pk", "off_field", "revote", "last_words", "over", "deal", "night")
MOMENTS = ("night", "speech", "defence", "vote", "pk", "off_field", "revote")
GROUPS = {
    "role": (*ROLES, "good", "not_killer"),
    "glyph": (*ROLES, "good", "not_killer"),
    "card": [f"night_{role}" for role in ROLES],
    "deed": ("kill", "check", "carry", "shoot", "needle", "silence"),
    "stage": STAGES,
    "votes": ("round", "pk", "off_field", "revote"),
    "winner": ("good", "killers", "draw"),
    "review": ("exact", "sampled", "facts"),
    "turned": (*MOMENTS, "vote_again", "day"),
    "moment": (*MOMENTS, "vote_again", "day", "end"),
}
"""Words that are looked up by a name from the game."""
