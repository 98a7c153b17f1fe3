"""What a table does not do, and says so by name."""

from __future__ import annotations


class Refused(Exception):
    """Nothing has changed. ``name`` is for programs, the text for people; ``status`` is HTTP's."""

    def __init__(self, status: int, name: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.name = name
