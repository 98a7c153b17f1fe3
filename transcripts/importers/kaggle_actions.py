"""What the players of a Kaggle episode handed in: the whole of each action, beside the event that tells it."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

Data: TypeAlias = Mapping[str, Any]
RAW = ("error", "raw_prompt", "raw_completion", "cost", "prompt_tokens", "completion_tokens")
"""What an action holds of the call behind it."""
_EVENT_OF = {"HealAction": "heal_action", "InspectAction": "inspect_action", "ChatAction": "discussion",
             "VoteAction": "vote_action", "BidAction": "bid_action"}  # fmt: skip
"""The event that a kind of action leads to."""


class Handed:
    """Actions that wait for their events, each kind of each player in its order."""

    def __init__(self, steps: Iterable[Any]) -> None:
        self._copies: dict[tuple[str, str], deque[Data]] = defaultdict(deque)
        self._steps: dict[tuple[str, int, str], deque[Data]] = defaultdict(deque)
        for action in (state.get("action") for step in steps for state in step):
            if isinstance(action, dict) and action.get("kwargs"):
                kwargs, kind = action["kwargs"], str(action.get("action_type"))
                self._steps[kwargs["actor_id"], kwargs["day"], _EVENT_OF.get(kind, kind)].append(kwargs)

    def keep(self, name: str, data: Data) -> None:
        """A copy that stands among the events, before the event itself."""
        self._copies[name, data["actor_id"]].append(data)

    def whole(self, event: Data, data: Data) -> Data:
        """The action behind an event: its copy among the events, else what was handed in at that step."""
        copies = self._copies.get((event["event_name"], data["actor_id"]))
        steps = self._steps.get((data["actor_id"], event["day"], event["event_name"]))
        found: Data = steps.popleft() if steps else {}
        return copies.popleft() if copies else found

    def left(self) -> Iterator[tuple[str, Data]]:
        """What led to no event, by the name of the event that it might have led to."""
        for (name, _), copies in self._copies.items():
            yield from ((name, data) for data in copies)
        for (_, _, name), steps in self._steps.items():
            yield from ((name, data) for data in steps)


def call_of(raw: Data) -> dict[str, Any]:
    """The call behind an action, with what it used; nothing where the action does not hold a whole one."""
    if raw.get("raw_prompt") is None or raw.get("raw_completion") is None:
        return {}
    tokens = {"prompt": raw.get("prompt_tokens"), "completion": raw.get("completion_tokens")}
    usage = {name: count for name, count in tokens.items() if count is not None}
    call = {"prompt": raw["raw_prompt"], "done": raw["raw_completion"], "usage": usage}
    return call if raw.get("cost") is None else {**call, "cost": raw["cost"]}
