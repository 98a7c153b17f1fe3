"""Games of people from the FanLang-9 data set: nine-player Werewolf in Chinese, one JSON file a game.

The speeches are a machine's transcription. Who of the wolves chose a victim, and what the seer was shown, is not told;
the data set's own reading of each speech (``summary``, ``format``) is kept beside it, never as the speaker's claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tianhei.arena.events import (
    PUBLIC,
    Acted,
    Agreed,
    Ballots,
    Called,
    Dawn,
    Over,
    Resolved,
    Revealed,
    Tied,
    VotedOut,
    Winner,
)
from tianhei.arena.roles import Role, Seat
from tianhei.transcripts.importers.common import (
    Book,
    File,
    Imported,
    NotRead,
    Player,
    header_of,
    lang_of,
    need,
    rest,
    side_of,
)

KIND: str = "fanlang9"
_DAY = re.compile(r"Day (\d+) (Night|Daytime)")
_LABEL = re.compile(r"Day (\d+) Daytime - \[(\d+)\] (is speaking|gives the last words)(?: \(round (\d+)\))?")
_PATTERN = re.compile(r"Voting Pattern(?: \(Round (\d+)\))?")
_TIE = re.compile(r"Day (\d+),Daytime - Judge - This round is a tie, \D*((?:\[\d+\] ?)+)")
_WINNERS: Mapping[str, Winner] = {"The good side wins": "good", "Werewolves Win": "killers"}
_CAUSES = {"killed": "kill", "poisoned": "poison"}
_BESIDE = ("judge", "task", "task_time", "time_fine", "video", "origin")
"""What the file holds beside the game: lines of the screen, their times, the film."""
_UTTERANCE = ("duration", "rms", "text", "summary", "format")
"""What it holds of one speech."""
_WITCH = {"Witch antidote": "antidote", "Witch poison": "poison", "Witch": "nothing"}


def sniff(file: File) -> bool:
    """Whether a file is a game of this data set."""
    return {"game_state", "audio", "judge"} <= set(file.object)


def read(file: File) -> Imported:
    """The game of a file. NotRead says what it lacks."""
    game = _Game(file)
    end = game.write()
    lang = lang_of(said["text"] for said in file.object["audio"].values())
    rules = {"players": len(game.players)}
    return Imported(header_of(KIND, [file], "werewolf-9", game.players, lang=lang, rules=rules), game.book, end)


class _Game:
    """One file, told night by night and day by day."""

    def __init__(self, file: File) -> None:
        self.book = Book()
        self._file = file.object
        self._state = self._file["game_state"]
        roles = need(self._state, "roles", f"{file.path}: its game_state")
        ids = self._state.get("player_id") or []
        seats = sorted(map(int, roles))
        if seats != list(range(1, len(seats) + 1)) or (ids and len(ids) != len(seats)):
            raise NotRead(f"{file.path}: its seats are {seats}, its players {len(ids)}; every seat needs one")
        self._cards = {seat: str(roles[str(seat)]).lower() for seat in seats}
        self.players = [
            Player(card, side_of(card), ids[seat - 1] if ids else "human") for seat, card in self._cards.items()
        ]
        self._final: Mapping[str, str] = self._state.get("final", {})
        self._alive = set(seats)
        self._words = 0
        ties = (_TIE.match(line[1]) for line in self._file["judge"])
        self._ties = {int(found[1]): _numbers(found[2]) for found in ties if found}
        self._said = list(self._speeches())

    def write(self) -> Mapping[str, Any] | None:
        """Write all of it; the end, where there is one."""
        last = 0
        self.book.deal(1, self.players)
        for label, data in self._state.items():
            if found := _DAY.fullmatch(label):
                last = int(found[1])
                (self._night if found[2] == "Night" else self._daytime)(last, data)
                self.book.close()
        self._left_over(last)
        return self._over(last)

    def _holder(self, card: str) -> Seat | None:
        """The living holder of a card of which there is one."""
        return next((seat for seat, own in self._cards.items() if own == card and seat in self._alive), None)

    def _night(self, day: int, data: Mapping[str, Any]) -> None:
        book = self.book
        book.tell(day, "night", Called(stage="night"))
        wolves = tuple(seat for seat in sorted(self._alive) if self._cards[seat] == "werewolf")
        actions: dict[str, Seat] = {}
        if "Werewolf" in data:
            victim = _seat(data["Werewolf"])
            book.tell(day, "night", Agreed("kill", victim), wolves)
            if victim is not None:
                actions["kill"] = victim
        if "Seer" in data and (seer := self._holder("seer")) is not None:
            target = _seat(data["Seer"])
            book.answer(f"n{day}", "check", seer, {"target": target}, source="human")
            book.tell(day, "night", Acted("check", target), (seer,))
            if target is not None:
                actions["check"] = target
        saved = [seat for label, name in _WITCH.items() if label in data
                 if (seat := self._witch(day, name, data[label])) is not None and name == "antidote"]  # fmt: skip
        dead = tuple(data.get("Death Message", ()))
        deaths = {seat: self._causes(seat) for seat in dead}
        book.tell(day, "night", Resolved(actions, deaths, tuple(seat for seat in saved if seat not in dead)), "judge")
        book.unread(day, "night", "Night", rest(data, "Werewolf", "Seer", "Death Message", *_WITCH))
        book.close()
        book.tell(day, "dawn", Dawn(dead))
        self._alive -= set(dead)

    def _causes(self, seat: Seat) -> tuple[str, ...]:
        how = self._final.get(str(seat), "")
        return (_CAUSES.get(how, how),)

    def _witch(self, day: int, name: str, target: Any) -> Seat | None:
        witch = self._holder("witch")
        if witch is None:
            self.book.unread(day, "night", "Witch", {name: target})
            return None
        self.book.answer(f"n{day}", name, witch, {"target": _seat(target)}, source="human")
        self.book.foreign(day, "night", name, {"by": witch, "target": _seat(target)}, (witch,))
        return _seat(target)

    def _daytime(self, day: int, data: Mapping[str, Any]) -> None:
        patterns = {int(found[1] or 1): label for label in data if (found := _PATTERN.fullmatch(label))}
        said = [entry for entry in self._said if entry[0] == day]
        for round_ in range(1, max([*patterns, *(entry[3] for entry in said), 1]) + 1):
            for _, seat, last_words, spoken, label in said:
                if spoken == round_ and (not last_words or seat not in self._alive):
                    self._say(day, seat, label, round_, last_words=last_words)
            if round_ in patterns:
                self._vote(day, round_, data[patterns[round_]], more=round_ < max(patterns))
        if (out := _seat(data.get("Voting Result"))) is not None:
            self._alive.discard(out)
            self.book.tell(day, "vote", VotedOut(out))
        for _, seat, last_words, _, label in said:
            if last_words and seat == out:
                self._say(day, seat, label, 1, last_words=True)
        if (gone := _seat(data.get("suicide"))) is not None:
            self._alive.discard(gone)
            self.book.foreign(day, "day", "suicide", {"seat": gone, "out": [gone]}, PUBLIC)
        self.book.unread(day, "day", "Daytime", rest(data, "Voting Result", "suicide", *patterns.values()))

    def _speeches(self) -> Iterator[tuple[int, Seat, bool, int, str]]:
        """Day, seat, whether it is last words, round, label; in the order in which they were held."""
        for label in self._file["audio"]:
            if found := _LABEL.fullmatch(label):
                yield int(found[1]), int(found[2]), found[3] == "gives the last words", int(found[4] or 1), label

    def _say(self, day: int, seat: Seat, label: str, number: int, *, last_words: bool) -> None:
        said = self._file["audio"][label]
        self._words += last_words
        times = self._file.get("time_fine", {}).get(label)
        request = self.book.say(
            day, "vote" if last_words else "day", seat, said.get("text", ""), stage="round" if number == 1 else "pk",
            last_words=self._words if last_words else 0, number=number, source="human",
            time=times[-1][0] if times else None,
        )  # fmt: skip
        self.book.foreign(day, "day", "audio", {"request": request, **rest(said, "text")})
        self.book.unknown.update(f"audio.{name}" for name in rest(said, *_UTTERANCE))
        self.book.close()

    def _vote(self, day: int, number: int, votes: Mapping[str, int], *, more: bool) -> None:
        ballots = {int(voter): _seat(target) for voter, target in votes.items()}
        for voter, target in ballots.items():
            self.book.answer(f"d{day}", "vote", voter, {"target": target}, number=number, source="human")
        self.book.tell(day, "vote", Ballots("round" if number == 1 else "pk", ballots))
        if day in self._ties and (number == 1 or not more):
            tied = self._ties.pop(day)
            self.book.tell(day, "vote", Tied(tied, "pk"))
        self.book.close()

    def _left_over(self, last: int) -> None:
        """What no event carries: the screen's own lines, times, the film; and whatever is not known."""
        book, state = self.book, self._state
        for name in _BESIDE:
            if name in self._file:
                book.foreign(last, "over", name, {name: self._file[name]})
        if passed := state.get("Automatically Passed for Not Speaking"):
            book.foreign(last, "over", "Automatically Passed for Not Speaking", {"seats": passed})
        book.unread(last, "over", "file", rest(self._file, "game_state", "audio", *_BESIDE))
        known = ("roles", "final", "Game Result", "Automatically Passed for Not Speaking", "player_id")
        book.unread(last, "over", "game_state", {
            label: data for label, data in rest(state, *known).items() if not _DAY.fullmatch(label)})  # fmt: skip
        book.unread(last, "over", "audio", {
            label: said for label, said in self._file["audio"].items() if not _LABEL.fullmatch(label)})  # fmt: skip
        differs = {seat: how for seat, how in self._final.items() if (int(seat) in self._alive) != (how == "in_game")}
        book.unread(last, "over", "final", differs)
        book.close()

    def _over(self, last: int) -> Mapping[str, Any] | None:
        result = self._state.get("Game Result")
        winner = _WINNERS.get(result)
        if winner is None:
            self.book.unread(last, "over", "Game Result", {str(result): result} if result is not None else {})
            return None
        self.book.tell(last, "over", Over(winner, ""))
        self.book.tell(last, "over", Revealed(tuple(map(Role.named, self._cards.values()))))
        return {"winner": winner, "reason": "", "day": last}


def _numbers(text: str) -> tuple[Seat, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


def _seat(number: Any) -> Seat | None:
    """A seat; None where the file has -1 or nothing."""
    return number if isinstance(number, int) and number > 0 else None
