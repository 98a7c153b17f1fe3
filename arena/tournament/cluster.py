"""A run on a Ray cluster: the same games in the same folder, which every node must see.

Games go to the cluster's workers in small lots. A lot whose worker dies is given to another, which goes on with the
games where their transcripts stop: nothing is lost, and nothing is played twice.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tianhei.arena.tournament.plan import Plan, PlanError

if TYPE_CHECKING:
    from tianhei.arena.tournament.boards import Game
    from tianhei.arena.tournament.run import Lot

REACHED_WITHIN = 5.0
"""Seconds for a cluster to answer at all; Ray itself tries for minutes."""
RETRIES = 100
"""How often a lot may lose its worker."""


def play_on_ray(
    folder: Path,
    plan: Plan,
    lots: Sequence[tuple[Sequence[Game], Callable[..., Lot]]],
    address: str,
    heard: Callable[[Sequence[Game], Lot], None],
) -> None:
    """Play these lots on the cluster at an address (``""``: one on this machine); ``heard`` hears of each that is done.

    Each lot comes with what plays it, called with the folder, the plan and the games. PlanError where Ray is
    missing or cannot be reached.
    """
    if address:
        _knock(address)
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise PlanError("--ray needs the extra ray: pip install -e '.[ray]'") from None
    try:
        ray.init(address=address or None, log_to_driver=False, include_dashboard=False if not address else None)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise PlanError(f"--ray {address}: the cluster cannot be reached: {error}") from None
    try:
        here = folder.resolve()
        tasks: dict[Any, Sequence[Game]] = {}
        for games, play in lots:
            remote = ray.remote(num_cpus=1, max_retries=RETRIES)(play)
            tasks[remote.remote(here, plan, list(games))] = games
        while tasks:
            (done, *_), _ = ray.wait(list(tasks), num_returns=1)
            heard(tasks.pop(done), ray.get(done))
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """PlanError where nothing listens at an address."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdecimal():
        raise PlanError(f"--ray {address}: it takes HOST:PORT, as `ray start --head` prints it")
    try:
        socket.create_connection((host, int(port)), REACHED_WITHIN).close()
    except (OSError, OverflowError) as error:
        raise PlanError(f"--ray {address}: the cluster cannot be reached: {error}") from None
