"""Games of Kaggle's werewolf environment: an episode as JSON.

The moderator's events tell the game; night N and day N of the source are our night N + 1 and day N. Roles come from
what each player was told, since a configuration may have been shuffled. Every vote, chat and bid stands twice in the
file, once with the raw call: the two become one reply. The observations in ``steps`` are views of the same events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from tianhei.arena.events import (
    JUDGE,
    PUBLIC,
    Acted,
    Agreed,
    Audience,
    Ballots,
    Called,
    Checked,
    Dawn,
    Mates,
    Over,
    Phase,
    Resolved,
    Revealed,
    RoleDealt,
    Stage,
    Stated,
    VotedOut,
    Winner,
)
from tianhei.arena.roles import Role, Seat, Side
from tianhei.transcripts.file import from_bytes
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
)
from tianhei.transcripts.importers.kaggle_actions import RAW, Data, Handed, call_of

KIND: str = "kaggle"
_WINNERS: Mapping[str, Winner] = {"Villagers": "good", "Werewolves": "killers"}
_TEAMS = {"Villagers": "good", "Werewolves": "killers"}
_SILENT = frozenset(("PhaseDividerDataEntry", "phase_divider", "phase_change"))
"""What only marks the steps of the engine."""
_KNOWN = frozenset((
    "moderator_announcement", "day_start", "day_end", "night_start", "night_end", "heal_request", "inspect_request",
    "vote_request", "chat_request", "bid_request", "heal_result", "vote_order", "discussion_order", "bid_result",
    "bidding_info", "no_op_action", "action_confirmation", "error", "eliminate_proposal_action", "game_end",
))  # fmt: skip
"""Events kept under their own names."""
_ACTION = ("day", "phase", "actor_id", "reasoning", "perceived_threat_level", "target_id", "message", "amount", *RAW)
_TYPED = ("actor_id", "reasoning", "perceived_threat_level", "action", "target_id", "message", "bid_amount",
          "mentioned_player_ids")  # fmt: skip
_ENVELOPE = ("event_name", "day", "phase", "detailed_phase", "description", "public", "visible_to", "data", "source",
             "created_at", "visible_in_ui")  # fmt: skip
_TOP = ("id", "name", "title", "description", "version", "module_version", "configuration", "specification", "steps",
        "rewards", "statuses", "schema_version", "info")  # fmt: skip


def sniff(file: File) -> bool:
    """Whether a file is an episode of this environment."""
    info = file.object.get("info")
    return isinstance(info, dict) and "MODERATOR_OBSERVATION" in info


def read(file: File) -> Imported:
    """The game of an episode. NotRead says what it lacks."""
    game = _Game(file)
    end = game.write()
    rules = game.rules()
    lang = lang_of(game.said)
    header = header_of(KIND, [file], "werewolf", game.players(), lang=lang, rules=rules, started=game.started)
    return Imported(header, game.book, end)


class _Game:
    """One episode, told event by event."""

    def __init__(self, file: File) -> None:
        self.book = Book()
        self.said: list[str] = []
        self.started = ""
        self._path = file.path
        self._file = file.object
        self._seats: dict[str, Seat] = {}
        self._roles: dict[Seat, tuple[str, str]] = {}
        self._alive: set[Seat] = set()
        self._handed = Handed(self._file.get("steps") or ())
        self._schemas: dict[str, Any] = {}
        self._met: set[Audience] = set()
        """Werewolves that were told of one another."""
        self._ballot: dict[Seat, Seat | None] = {}
        self._ballots = 0
        self._saved: tuple[Seat, ...] = ()
        self._elected: Seat | None = None
        self._checked: Seat | None = None
        self._dawned = 0
        self._end: dict[str, Any] | None = None
        self._start: datetime | None = None
        self._handlers: Mapping[str, Callable[[Data, Data, int, Phase, Audience], None]] = {
            "GameStartRoleDataEntry": self._role,
            "DoctorHealActionDataEntry": self._heal,
            "DoctorSaveDataEntry": self._save,
            "SeerInspectActionDataEntry": self._inspect,
            "SeerInspectResultDataEntry": self._inspected,
            "WerewolfNightVoteDataEntry": self._night_vote,
            "WerewolfNightEliminationElectedDataEntry": self._agreed,
            "WerewolfNightEliminationDataEntry": self._died,
            "ChatDataEntry": self._chat,
            "BidDataEntry": self._bid,
            "DayExileVoteDataEntry": self._vote,
            "DayExileElectedDataEntry": self._exile,
            "GameEndResultsDataEntry": self._over,
        }
        self._models = {each["id"]: bool(each.get("llms")) for each in self._agents()}

    def _agents(self) -> list[Data]:
        """Who played: as they sat at the end, else as configured where nothing was shuffled."""
        players = (self._file["info"].get("GAME_END") or {}).get("all_players", ())
        ended: list[Data] = [each["agent"] for each in players if "agent" in each]
        configuration: Data = self._file.get("configuration") or {}
        shuffled = configuration.get("randomize_ids") or configuration.get("randomize_roles")
        return ended or ([] if shuffled else configuration.get("agents") or [])

    def rules(self) -> dict[str, Any]:
        """The configuration but for the players, with the versions."""
        versions = {name: self._file[name] for name in ("version", "module_version") if name in self._file}
        return {**versions, **rest(self._file.get("configuration") or {}, "agents")}

    def players(self) -> list[Player]:
        """Who sat where, seat 1 first."""
        agents = {each["id"]: each for each in self._agents()}
        found = []
        for name, seat in self._seats.items():
            if seat not in self._roles:
                raise NotRead(f"{self._path}: it does not say which role {name} had")
            card, team = self._roles[seat]
            agent = agents.get(name, {})
            models = [each.get("model_name", "") for each in agent.get("llms") or ()]
            model = models[0] if models else ""
            known = ("id", "role", "display_name", "agent_id")
            params = {key: value for key, value in rest(agent, *known).items() if value}
            player = agent.get("display_name") or agent.get("agent_id") or "unknown"
            found.append(Player(card, team, player, name, model, params))
        return found

    def write(self) -> Mapping[str, Any] | None:
        """Write all of it; the end, where there is one."""
        for step in self._file["info"]["MODERATOR_OBSERVATION"]:
            for entry in step:
                self._event(entry["data_type"], from_bytes(entry["json_str"]))
        self._count(self._dawned)
        self._left_over()
        return self._end

    def _event(self, kind: str, event: Data) -> None:
        name, data = event["event_name"], event.get("data")
        day, phase = _when(event)
        if not self._seats:
            self._seat_players(data or {})
        audience: Audience = PUBLIC if event["public"] else self._audience(event["visible_to"])
        if kind in self._handlers and data is not None:
            self._handlers[kind](data, event, day, phase, audience)
        elif kind == "dict" and data is not None and "actor_id" in data and name != "error":
            self._handed.keep(name, data)
            self.book.unread(day, phase, name, rest(data, *_ACTION))
        elif kind not in _SILENT and name not in _SILENT:
            self._other(kind, name, event, day, phase, audience)
        self.book.unread(day, phase, "event", rest(event, *_ENVELOPE))

    def _seat_players(self, data: Data) -> None:
        players = need(data, "player_ids", f"{self._path}: its first event")
        self._seats = {name: seat for seat, name in enumerate(players, start=1)}
        self._alive = set(self._seats.values())

    def _audience(self, names: list[str]) -> Audience:
        return tuple(sorted(self._seats[name] for name in names if name in self._seats)) or JUDGE

    def _other(self, kind: str, name: str, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        """What is kept under its own name."""
        data = dict(event.get("data") or {})
        if name == "night_start":
            self._count(day - 1)
            self._checked = self._elected = None
            self._saved = ()
            self.book.close()
            self.book.tell(day, "night", Called(stage="night"))
            return
        if name == "day_start":
            if self._dawned < day:
                self._morning(day, ())
            return
        if (pack := data.get("alive_werewolve_player_ids")) and audience not in self._met:
            self._met.add(audience)
            self.book.tell(day, phase, Mates(tuple(self._seats[each] for each in pack)), audience)
        schema = data.get("action_json_schema")
        if self._schemas.get(name) == schema:  # the same each time: it stands with the first request
            data.pop("action_json_schema", None)
        self._schemas[name] = schema
        data = {key: self._named(value) for key, value in data.items()}
        keep = self.book.foreign if name in _KNOWN else self.book.unread
        if keep == self.book.foreign:
            self.book.foreign(day, phase, name, {**data, "description": event["description"]}, audience)
        else:
            self.book.unread(day, phase, name, {"data_type": kind, "description": event["description"], **data})

    def _named(self, value: Any) -> Any:
        """Lists of players as seats; anything else as it is."""
        if isinstance(value, list) and value and all(isinstance(each, str) and each in self._seats for each in value):
            return [self._seats[each] for each in value]
        return value

    def _time(self, event: Data) -> float | None:
        try:
            now = datetime.fromisoformat(event.get("created_at") or "")
        except ValueError:
            return None
        if self._start is None:
            self._start, self.started = now, event["created_at"]
        return (now - self._start).total_seconds()

    # Actions: one reply each, with what the call was.

    def _answer(self, event: Data, data: Data, when: str, kind: str, answer: Data) -> tuple[str, Data]:
        seat = self._seats[data["actor_id"]]
        raw = self._handed.whole(event, data)
        request = self.book.answer(
            when, kind, seat, answer, source=self._source(data["actor_id"], raw), thought=data.get("reasoning") or "",
            accounted="error" in raw,
        )  # fmt: skip
        self._call(request, raw)
        return request, raw

    def _source(self, actor: str, raw: Data) -> str:
        if raw.get("error"):
            return "fallback:error"
        return "model" if self._models.get(actor) else "agent"

    def _call(self, request: str, raw: Data) -> None:
        if call := call_of(raw):
            self.book.call(request, **call)

    def _beside(self, request: str, data: Data, raw: Data, day: int, phase: Phase) -> None:
        """What an action holds beside its answer."""
        more = {"request": request, "perceived_threat_level": data.get("perceived_threat_level")}
        more |= {name: raw[name] for name in (("error",) if call_of(raw) else RAW) if raw.get(name)}
        if data.get("target_id") and self._target(data) is None:
            more["target_id"] = data["target_id"]
        if data.get("mentioned_player_ids"):
            more["mentioned"] = self._named(data["mentioned_player_ids"])
        self.book.foreign(day, phase, "action", more, (self._seats[data["actor_id"]],))
        self.book.unread(day, phase, "action", rest(data, *_TYPED))
        if data.get("action"):
            self.book.unread(day, phase, "action", {"action": data["action"]})

    def _target(self, data: Data) -> Seat | None:
        return self._seats.get(data.get("target_id") or "")

    def _role(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        self._time(event)
        seat, card = self._seats[data["player_id"]], data["role"].lower()
        side: str = _TEAMS.get(data["team"]) or data["team"].lower()
        self._roles[seat] = (card, side)
        self.book.tell(day, "deal", RoleDealt(Role.named(card), Side.named(side)), audience)
        if self._schemas.get(card) != data.get("rule_of_role"):
            self._schemas[card] = data.get("rule_of_role")
            self.book.foreign(day, "deal", "rule_of_role", {"role": card, "rule": data.get("rule_of_role")}, audience)
        self.book.unread(day, phase, "role", rest(data, "player_id", "team", "role", "rule_of_role"))

    def _heal(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        target = self._target(data)
        request, raw = self._answer(event, data, f"n{day}", "heal", {"target": target})
        by = self._seats[data["actor_id"]]
        self.book.foreign(day, "night", "heal", {"by": by, "target": target}, audience)
        self._beside(request, data, raw, day, "night")

    def _save(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        self._saved = (self._seats[data["saved_player_id"]],)
        self.book.foreign(day, "night", "heal_result", {"saved": self._saved[0]}, audience)

    def _inspect(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        self._checked = self._target(data)
        request, raw = self._answer(event, data, f"n{day}", "check", {"target": self._checked})
        self.book.tell(day, "night", Acted("check", self._checked), audience)
        self._beside(request, data, raw, day, "night")

    def _inspected(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        role, team = data.get("role"), data.get("team")
        told = role.lower() if role else "nod" if _TEAMS.get(str(team)) == "killers" else "shake"
        self.book.tell(day, "night", Checked(self._seats[data["target_id"]], told), audience)
        self.book.unread(day, phase, "inspect_result", rest(data, "actor_id", "target_id", "role", "team"))

    def _night_vote(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        target = self._target(data)
        request, raw = self._answer(event, data, f"n{day}", "kill", {"target": target})
        self.book.tell(day, "night", Stated(self._seats[data["actor_id"]], target, "", 1), audience)
        self._beside(request, data, raw, day, "night")

    def _agreed(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        self._elected = self._seats.get(data.get("elected_target_player_id") or "")
        self.book.tell(day, "night", Agreed("kill", self._elected), audience)

    def _died(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        dead = self._seats.get(data.get("eliminated_player_id") or "")
        self._morning(day, () if dead is None else (dead,), _shown(data, "eliminated"))
        known = ("eliminated_player_id", "eliminated_player_role_name", "eliminated_player_team_name")
        self.book.unread(day, phase, "elimination", rest(data, *known))

    def _morning(self, day: int, dead: tuple[Seat, ...], shown: str | None = None) -> None:
        """The night's reckoning, and its dead."""
        chosen = {"kill": self._elected, "check": self._checked}
        actions = {name: seat for name, seat in chosen.items() if seat is not None}
        deaths: dict[Seat, tuple[str, ...]] = {seat: ("kill",) for seat in dead}
        if actions:
            self.book.tell(day, "night", Resolved(actions, deaths, self._saved), JUDGE)
            self.book.close()
        self.book.tell(day, "dawn", Dawn(dead, revealed={seat: shown for seat in dead} if shown else None))
        self.book.close()
        self._alive -= set(dead)
        self._dawned = day
        self._ballots = 0

    def _chat(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        actor, text = data["actor_id"], data["message"]
        raw = self._handed.whole(event, data)
        self.said.append(text)
        request = self.book.say(
            day, "day", self._seats[actor], text, source=self._source(actor, raw), thought=data.get("reasoning") or "",
            raw=raw.get("message"), time=self._time(event), accounted="error" in raw,
        )  # fmt: skip
        self._call(request, raw)
        self._beside(request, data, raw, day, "day")

    def _bid(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        request, raw = self._answer(event, data, f"d{day}", "bid", {})
        by = self._seats[data["actor_id"]]
        self.book.foreign(day, "day", "bid", {"by": by, "amount": data["bid_amount"]}, audience)
        self._beside(request, data, raw, day, "day")

    def _vote(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        voter = self._seats[data["actor_id"]]
        if voter in self._ballot:
            self._count(day)
        self._ballot[voter] = self._target(data)
        request, raw = self._answer(event, data, f"d{day}", "vote", {"target": self._ballot[voter]})
        self._beside(request, data, raw, day, "vote")

    def _count(self, day: int) -> None:
        """Close the ballot. A second one of a day is a revote."""
        if self._ballot:
            stage: Stage = "round" if self._ballots == 0 else "revote"
            self.book.tell(day, "vote", Ballots(stage, dict(self._ballot)))
            self._ballot, self._ballots = {}, self._ballots + 1

    def _exile(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        self._count(day)
        out = self._seats.get(data.get("elected_player_id") or "")
        if out is not None:
            self.book.tell(day, "vote", VotedOut(out, _shown(data, "elected")))
            self._alive.discard(out)
        self.book.close(self._time(event))
        known = ("elected_player_id", "elected_player_role_name", "elected_player_team_name")
        self.book.unread(day, phase, "elimination", rest(data, *known))

    def _over(self, data: Data, event: Data, day: int, phase: Phase, audience: Audience) -> None:
        self._count(day)
        winner = _WINNERS.get(data["winner_team"])
        self.book.foreign(day, "over", "game_end", rest(data, "winner_team", "reason", "all_players"), audience)
        if winner is None:
            self.book.unread(day, "over", "winner_team", {str(data["winner_team"]): data["winner_team"]})
            return
        self.book.tell(day, "over", Over(winner, data["reason"]))
        cards = tuple(Role.named(self._roles[seat][0]) for seat in sorted(self._roles))
        self.book.tell(day, "over", Revealed(cards))
        self._end = {"winner": winner, "reason": data["reason"], "day": day}

    def _left_over(self) -> None:
        """The rest of the episode."""
        book, file = self.book, self._file
        day = self._dawned
        known = ("id", "title", "description", "rewards", "statuses", "schema_version", "specification")
        book.foreign(day, "over", "episode", {name: file[name] for name in known if name in file})
        ended = file["info"].get("GAME_END") or {}
        if "terminated_with_agent_error" in ended:
            book.foreign(day, "over", "GAME_END", {"terminated_with_agent_error": ended["terminated_with_agent_error"]})
        for name, data in self._handed.left():
            book.foreign(day, "over", name, data)
        book.unread(day, "over", "info", rest(file["info"], "GAME_END", "MODERATOR_OBSERVATION"))
        book.unread(day, "over", "file", rest(file, *_TOP))


def _when(event: Data) -> tuple[int, Phase]:
    """Our day and phase of an event."""
    match event["phase"]:
        case "Night":
            return event["day"] + 1, "night"
        case "Day":
            return event["day"], "day"
        case _:
            return event["day"], "over"


def _shown(data: Data, what: str) -> str | None:
    """What was told of one who left: the role, the side, or nothing."""
    role, team = data.get(f"{what}_player_role_name"), data.get(f"{what}_player_team_name")
    if role:
        return str(role).lower()
    return None if team is None else "killer" if team == "Werewolves" else "good"
