"""Adding a player to a run, where those that it will be compared with still play as they did."""

from __future__ import annotations

import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from tianhei.arena.tournament.folder import PLAN, is_finished, open_run, path_of, planned
from tianhei.arena.tournament.plan import Plan, PlanError, make_plan, read_plan
from tianhei.arena.tournament.run import play_chunk
from tianhei.arena.tournament.start import is_instant
from tianhei.transcripts.game import load

REPLAYED = 10
"""Games of scripted players that are played again, at most, to see whether they are still the same."""


def add_player(folder: Path, name: str, spec: str) -> Plan:
    """Write another player into a run's plan. PlanError if its name is taken, it cannot be, or the anchors moved."""
    kept = folder / PLAN
    plan = open_run(folder, None)
    if name in plan.players:
        raise PlanError(f"{folder}: there is a player {name} already")
    check_anchors(folder, plan)
    text = kept.read_text(encoding="utf-8")
    data = tomllib.loads(text)
    wider = make_plan({**data, "players": {**data["players"], name: spec}}, kept)
    lines = text.splitlines()
    bare = [line.partition("#")[0].strip() for line in lines]
    if "[players]" not in bare:  # each player has a table of its own
        lines += ["", "[players]"]
        bare += ["", "[players]"]
    lines.insert(bare.index("[players]") + 1, f'"{name}" = "{spec}"')
    if wider.count < plan.count:  # more players need fewer boards for the same width; what is played stays
        lines.insert(0, f"boards = {plan.count}")
    new = kept.with_suffix(".new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        read_plan(new)
    except PlanError:
        new.unlink()
        raise PlanError(
            f"{kept}: its players are not written as a table [players]; write them so, and add again"
        ) from None
    new.replace(kept)
    return read_plan(kept)


def check_anchors(folder: Path, plan: Plan) -> None:
    """Play some of a run's scripted games again. PlanError if one is another game now."""
    finished = [game for game in planned(plan) if is_instant(plan, game) and is_finished(path_of(folder, game))]
    of_boards = {game.board.seed: game for game in finished}
    chosen = list(of_boards.values())[:REPLAYED]
    with TemporaryDirectory() as name:
        play_chunk(Path(name), plan, chosen)
        for game in chosen:
            before, now = load(path_of(folder, game)), load(path_of(Path(name), game))
            if [wave.answers for wave in before.waves] != [wave.answers for wave in now.waves]:
                raise PlanError(
                    f"{folder}: {game.id} is another game when it is played again: the program's rules or scripted "
                    f"players have changed ({before.header.program}, now {now.header.program}), and what is added "
                    "could not be compared; start a run of its own"
                )
