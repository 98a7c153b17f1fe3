"""Where tables are kept: one folder for each, and one secret from which every link follows."""

from __future__ import annotations

import hmac
import os
import re
import secrets
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from tianhei.arena.tables.state import State
from tianhei.transcripts.file import TranscriptError

_TABLE = re.compile(r"[A-Za-z0-9_-]{8,24}")


class Store:
    """The folder of all tables."""

    def __init__(self, folder: Path) -> None:
        """Open or make it. TranscriptError where the disk refuses."""
        self.folder = folder
        try:
            (folder / "tables").mkdir(parents=True, exist_ok=True)
            self._secret = _secret(folder / "secret")
        except OSError as error:
            raise TranscriptError(f"{folder}: cannot be used: {error.strerror or error}") from None

    def token(self, table: str, whose: str, generation: int = 1) -> str:
        """The token by which somebody is known at a table; the same after a restart, another for each generation."""
        digest = hmac.digest(self._secret, f"{table}/{whose}/{generation}".encode(), "sha256")
        return urlsafe_b64encode(digest[:24]).decode()

    def keep_link(self, link: str) -> Path:
        """Write down the link by which tables are opened, for the eyes of the server's user alone."""
        path = self.folder / "open-link"
        try:
            path.unlink(missing_ok=True)
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                file.write(f"{link}\n")
        except OSError as error:
            raise TranscriptError(f"{path}: cannot be written: {error.strerror or error}") from None
        return path

    def new_table(self) -> str:
        """A name for one more table."""
        return secrets.token_urlsafe(9)

    def tables(self) -> Iterator[str]:
        """The names of all tables."""
        for path in sorted((self.folder / "tables").glob("*/table.json")):
            yield path.parent.name

    def has(self, table: str) -> bool:
        """Whether there is such a table; no other text ever becomes a path."""
        return _TABLE.fullmatch(table) is not None and (self._of(table) / "table.json").is_file()

    def game(self, table: str, deal: int) -> Path:
        """The transcript of a table's last deal."""
        return self._of(table) / ("game.jsonl" if deal <= 1 else f"game-{deal}.jsonl")

    def load(self, table: str) -> State:
        """What a table has come to. TranscriptError where its file is not as written."""
        path = self._of(table) / "table.json"
        try:
            return State.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            raise TranscriptError(f"{path}: cannot be read: {error}") from None

    def save(self, state: State, *, sync: bool = True) -> None:
        """Write what a table has come to, all or nothing."""
        folder = self._of(state.table)
        folder.mkdir(mode=0o700, exist_ok=True)
        new = folder / "table.json.new"
        with new.open("wb") as file:
            file.write(state.model_dump_json().encode("utf-8", "replace"))
            if sync:
                file.flush()
                os.fsync(file.fileno())
        new.replace(folder / "table.json")

    def delete(self, table: str) -> None:
        """Take away a table and everything that was kept of it."""
        shutil.rmtree(self._of(table))

    def _of(self, table: str) -> Path:
        return self.folder / "tables" / table


def _secret(path: Path) -> bytes:
    """The server's secret, made once, for its user's eyes alone."""
    with suppress(FileExistsError):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(file, secrets.token_bytes(32))
            os.fsync(file)
        finally:
            os.close(file)
    found = path.read_bytes()
    if len(found) != 32:
        raise TranscriptError(f"{path}: it is no secret of ours; remove it, and every link of this folder changes")
    return found
