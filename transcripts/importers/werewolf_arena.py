"""Games of google/werewolf_arena: ``game_complete.json`` (``game_partial.json``) and ``game_logs.json`` beside it.

Rounds count from 0 and begin with their night: round r is our day r + 1. Who is alive is reckoned from the rounds'
events, since the source changes its own lists. After each turn of a debate the players are polled; the last poll of a
round is the vote. Which wolf chose the victim is not told, and ballots are not shown to the players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tianhei.arena.events import (
    JUDGE,
    PUBLIC,
    Acted,
    Agreed,
    Ballots,
    Called,
    Checked,
    Dawn,
    Note,
    Over,
    Resolved,
    Revealed,
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

KIND: str = "werewolf_arena"
LOGS = "game_logs.json"
"""The file beside a game that holds its calls."""
_WINNERS: Mapping[str, Winner] = {"Villagers": "good", "Werewolves": "killers"}
_Log = Mapping[str, Any]


def sniff(file: File) -> bool:
    """Whether a file is a game of this arena."""
    return {"rounds", "players", "werewolves", "seer"} <= set(file.object)


def read(file: File) -> Imported:
    """The game of a file, with its calls where `LOGS` stands beside it. NotRead says what it lacks."""
    files = [file]
    beside = file.path.with_name(LOGS)
    if beside.is_file():
        files.append(File(beside, beside.read_bytes()))
        if not isinstance(files[1].json, list):
            raise NotRead(f"{beside}: it is no list of rounds; move it away to import the game without its calls")
    game = _Game(file, files[1].json if len(files) > 1 else [])
    end = game.write()
    rules = {"session_id": file.object["session_id"]} if "session_id" in file.object else {}
    lang = lang_of(text for each in file.object["rounds"] for _, text in each.get("debate") or ())
    return Imported(header_of(KIND, files, "werewolf_arena", game.players, lang=lang, rules=rules), game.book, end)


class _Game:
    """One game, told round by round."""

    def __init__(self, file: File, logs: list[_Log]) -> None:
        self.book = Book()
        self._file = file.object
        self._logs = logs
        told: Mapping[str, _Log] = need(self._file, "players", str(file.path))
        self._seats = {name: seat for seat, name in enumerate(told, start=1)}
        self.players = [self._player(name, player) for name, player in told.items()]
        self._alive = set(self._seats.values())
        self._sources = {seat: "model" if player.model else "agent" for seat, player in enumerate(self.players, 1)}
        self._shown: Mapping[str, str] = self._file["seer"].get("previously_unmasked", {})

    def _player(self, name: str, player: _Log) -> Player:
        card, model = str(player["role"]).lower(), player.get("model") or ""
        params = {"personality": player["personality"]} if player.get("personality") else {}
        return Player(card, side_of(card), model or "unknown", name, model, params)

    def _holders(self, card: str) -> tuple[Seat, ...]:
        return tuple(seat for seat, player in enumerate(self.players, 1) if player.card == card and seat in self._alive)

    def write(self) -> Mapping[str, Any] | None:
        """Write all of it; the end, where there is one."""
        book = self.book
        book.deal(1, self.players)
        rounds = self._file["rounds"]
        for number, each in enumerate(rounds):
            log: _Log = self._logs[number] if number < len(self._logs) else {}
            self._night(number + 1, each, log)
            self._day(number + 1, each, log)
            book.unread(number + 1, "day", "round", rest(
                each, "players", "eliminated", "unmasked", "protected", "exiled", "debate", "votes", "bids", "success",
            ))  # fmt: skip
            book.unread(number + 1, "day", "log", rest(
                log, "eliminate", "investigate", "protect", "bid", "debate", "votes", "summaries"))  # fmt: skip
        self._left_over(len(rounds))
        return self._over(len(rounds))

    def _seat(self, name: str | None) -> Seat | None:
        return None if name is None else self._seats[name]

    def _answer(
        self, when: str, kind: str, seat: Seat, answer: Mapping[str, Any], log: _Log | None, number: int = 1
    ) -> str:
        result = (log or {}).get("result") or {}
        request = self.book.answer(
            when, kind, seat, answer, number=number, source=self._sources[seat], thought=result.get("reasoning") or ""
        )
        self._call(request, log)
        return request

    def _call(self, request: str, log: _Log | None) -> None:
        """The call behind an answer, and what its log holds beside."""
        if log:
            self.book.call(request, log.get("prompt") or "", log.get("raw_resp") or "")
            self.book.unread(1, "day", "LmLog", rest(log, "prompt", "raw_resp", "result"))
            known = ("reasoning", "bid", "say", "vote", "remove", "investigate", "protect", "summary")
            self.book.unread(1, "day", "result", rest(log.get("result") or {}, *known))

    def _night(self, day: int, each: _Log, log: _Log) -> None:
        book, when = self.book, f"n{day}"
        book.close()
        book.tell(day, "night", Called(stage="night"))
        victim, saved = self._seat(each.get("eliminated")), self._seat(each.get("protected"))
        wolves = self._holders("werewolf")
        if victim is not None:
            book.tell(day, "night", Agreed("kill", victim), wolves)
        if log.get("eliminate"):
            book.foreign(day, "night", "eliminate", log["eliminate"])
        actions = {} if victim is None else {"kill": victim}
        for doctor in self._holders("doctor") if saved is not None else ():
            self._answer(when, "protect", doctor, {"target": saved}, log.get("protect"))
            book.foreign(day, "night", "protect", {"by": doctor, "target": saved}, (doctor,))
        checked: str | None = each.get("unmasked")
        if checked is not None:
            actions["check"] = target = self._seats[checked]
            for seer in self._holders("seer"):
                self._answer(when, "check", seer, {"target": target}, log.get("investigate"))
                book.tell(day, "night", Acted("check", target), (seer,))
                if checked in self._shown:
                    book.tell(day, "night", Checked(target, self._shown[checked].lower()), (seer,))
        self._dawn(day, each, victim, saved, actions)

    def _dawn(self, day: int, each: _Log, victim: Seat | None, saved: Seat | None, actions: dict[str, Seat]) -> None:
        """The morning; in a round that broke off, only where its list shows that the night was over."""
        broken = not each.get("success", True) and each.get("eliminated") in each.get("players", ())
        if victim is None or (broken and victim != saved):
            return
        dead = () if victim == saved else (victim,)
        deaths: dict[Seat, tuple[str, ...]] = {seat: ("kill",) for seat in dead}
        self.book.tell(day, "night", Resolved(actions, deaths, () if dead else (victim,)), JUDGE)
        self.book.close()
        self.book.tell(day, "dawn", Dawn(dead))
        self._alive -= set(dead)
        self.book.close()

    def _day(self, day: int, each: _Log, log: _Log) -> None:
        book = self.book
        bids, votes, said = (each.get(name) or [] for name in ("bids", "votes", "debate"))
        logs = [dict(turn) for turn in log.get("bid") or ()]
        spoken = log.get("debate") or []
        polled = [{entry["player"]: entry["log"] for entry in turn} for turn in log.get("votes") or ()]
        for turn in range(max(len(said), len(bids))):
            if turn < len(bids):
                self._bids(day, turn, bids[turn], logs[turn] if turn < len(logs) else {})
            if turn < len(said):
                name, text = said[turn]
                self._say(day, turn, self._seats[name], text, spoken[turn][1] if turn < len(spoken) else None)
            if turn < len(votes) == len(said):
                self._votes(day, turn, each, polled)
        if len(votes) != len(said):  # the vote alone, or a round that broke off
            for turn in range(len(votes)):
                self._votes(day, turn, each, polled)
        if (out := self._seat(each.get("exiled"))) is not None:
            book.tell(day, "vote", VotedOut(out))
            self._alive.discard(out)
        book.close()
        for name, summary in log.get("summaries") or ():
            self._summary(day, self._seats[name], summary)

    def _bids(self, day: int, turn: int, bids: Mapping[str, int], logs: Mapping[str, _Log]) -> None:
        for name in bids:
            self._answer(f"d{day}", "bid", self._seats[name], {}, logs.get(name), turn + 1)
        by_seat = {self._seats[name]: bid for name, bid in bids.items()}
        self.book.foreign(day, "day", "bids", {"turn": turn + 1, "bids": by_seat})
        self.book.close()

    def _say(self, day: int, turn: int, seat: Seat, text: str, log: _Log | None) -> None:
        thought = ((log or {}).get("result") or {}).get("reasoning") or ""
        request = self.book.say(
            day, "day", seat, text, number=turn + 1, source=self._sources[seat], thought=thought,
        )  # fmt: skip
        self._call(request, log)

    def _votes(self, day: int, turn: int, each: _Log, polled: Sequence[Mapping[str, _Log]]) -> None:
        """A poll; the last of a round that came to its end is the vote."""
        logs = polled[turn] if turn < len(polled) else {}
        whole = each.get("success", True) or each.get("exiled") is not None
        last = whole and turn == len(each["votes"]) - 1
        ballots: dict[Seat, Seat | None] = {self._seats[by]: self._seats[of] for by, of in each["votes"][turn].items()}
        for name, target in each["votes"][turn].items():
            answer = {"target": self._seats[target]}
            number = 1 if last else turn + 1
            self._answer(f"d{day}", "vote" if last else "poll", self._seats[name], answer, logs.get(name), number)
        if last:
            self.book.tell(day, "vote", Ballots("round", ballots), JUDGE)
        else:
            self.book.foreign(day, "vote", "poll", {"turn": turn + 1, "votes": ballots})
        self.book.close()

    def _summary(self, day: int, seat: Seat, log: _Log) -> None:
        text = (log.get("result") or {}).get("summary") or ""
        self._answer(f"d{day}", "summary", seat, {"note": text}, log)
        self.book.tell(day, "vote", Note(text), (seat,))
        self.book.close()

    def _left_over(self, last: int) -> None:
        """What players were told and kept, and what is not known."""
        book = self.book
        for name, player in self._file["players"].items():
            kept = {key: player[key] for key in ("observations", "bidding_rationale", "gamestate") if player.get(key)}
            if kept:
                book.foreign(last, "over", "player", {"seat": self._seats[name], **kept})
            book.unread(last, "over", "player", rest(
                player, "name", "role", "personality", "model", "observations", "bidding_rationale", "gamestate",
                "previously_unmasked",
            ))  # fmt: skip
        if self._file.get("error_message"):
            book.foreign(last, "over", "error_message", {"text": self._file["error_message"]}, PUBLIC)
        book.unread(last, "over", "file", rest(
            self._file, "session_id", "seer", "doctor", "villagers", "werewolves", "players", "rounds",
            "error_message", "winner",
        ))  # fmt: skip
        book.close()

    def _over(self, last: int) -> Mapping[str, Any] | None:
        told = self._file.get("winner") or ""
        winner = _WINNERS.get(told)
        if winner is None:
            self.book.unread(last, "over", "winner", {told: told} if told else {})
            return None
        self.book.tell(last, "over", Over(winner, ""))
        self.book.tell(last, "over", Revealed(_cards(self.players)))
        return {"winner": winner, "reason": "", "day": last}


def _cards(players: Iterable[Player]) -> tuple[Role, ...]:
    return tuple(Role.named(player.card) for player in players)
