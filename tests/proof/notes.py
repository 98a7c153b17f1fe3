"""What people write on the proof's page has a place of its own; all above it is the command's, under a seal.

The seal is a checksum of the measured text. Whatever is written into that text by hand breaks it, which a test finds
and the command says; the next run drops it. Notes stand below the seal, and are kept from run to run.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

SEAL = "<!-- Measured above, sha256 {}; changes by hand go below. -->"
_MARK = SEAL.split("{}", 1)[0]
HEADING = """## Notes by hand

Written by people and kept by the command, which measures none of it here. A note names the run that it speaks of.
"""


def sealed(measured: str, notes: str = "") -> str:
    """The page: what was measured, its seal, and the notes."""
    text = f"{measured.rstrip()}\n\n{SEAL.format(_sum(measured))}\n\n{HEADING}"
    return f"{text}\n{notes.strip()}\n" if notes.strip() else text


def notes_of(page: str) -> str:
    """The notes on a page; those on a page without a seal cannot be told from the rest, and there are none."""
    return page.partition(_MARK)[2].partition(HEADING)[2].strip()


def is_whole(page: str) -> bool:
    """Whether all above the seal is as the command wrote it, and nothing stands between the seal and the notes."""
    measured, _, below = page.partition(_MARK)
    return page == sealed(measured, notes_of(page)) and bool(below)


def write(page: Path, measured: str) -> str:
    """Write the page with the notes that stood on it; what is to be said of the page that was there."""
    before = page.read_text(encoding="utf-8") if page.exists() else ""
    page.write_text(sealed(measured, notes_of(before)), encoding="utf-8")
    if before and not is_whole(before):
        return f"{page} had been changed by hand above its notes, or had no seal: those changes are gone"
    return ""


def _sum(measured: str) -> str:
    return sha256(measured.rstrip().encode()).hexdigest()
