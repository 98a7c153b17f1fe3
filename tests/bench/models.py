"""How much of its models' time a game wastes: ``python -m bench.models``.

Games of model players run against a fake endpoint of fixed latency in another process. Printed are ratios and counts:
the chain of calls that waited for one another against the least that the rules allow, the wall time against that
chain, what prefix caches would have to evaluate, the client's own processor time and memory, and what becomes of games
when one response in eight is a fault.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from bench.fake import Asked, Ledger
from bench.prompts import compared
from tianhei.agents.roster import plan
from tianhei.arena.host import Host
from tianhei.arena.player import Prompt
from tianhei.arena.pool import Endpoints
from tianhei.arena.rules.presets import read_rules
from tianhei.arena.rules.setups import written
from tianhei.arena.seating import Seating
from tianhei.transcripts.calls import prompts_sent
from tianhei.transcripts.game import Recording, load
from tianhei.transcripts.header import LIMITS, Header, TableSettings

FAULTS = 0.12


@dataclass(frozen=True, slots=True)
class Measured:
    """What a number of games at once did."""

    ledger: Ledger
    games: list[Recording]
    seconds: float
    cpu: float
    memory: float

    @property
    def least(self) -> int:
        """The longest game's waves that ask somebody: no schedule needs fewer steps."""
        return max(sum(bool(wave.replies) for wave in game.waves) for game in self.games)


@contextmanager
def endpoint(latency: float, faults: float = 0.0) -> Generator[tuple[str, list[Asked]]]:
    """A fake endpoint in a process of its own, and the list that holds its ledger afterwards."""
    command = [sys.executable, "-m", "bench.fake", str(latency), str(faults)]
    asked: list[Asked] = []
    folder = str(Path(__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None and process.stdin is not None
        port = int(process.stdout.readline())
        try:
            yield f"http://127.0.0.1:{port}/v1", asked
        finally:
            process.stdin.close()
            asked += [Asked(*one) for one in pickle.loads(process.stdout.read())]


def measure(folder: Path, games: int, players: int, latency: float, faults: float = 0.0, lang: str = "en") -> Measured:
    """Play so many games at once in this process."""
    with endpoint(latency, faults) as (url, asked):
        began, cpu = time.monotonic(), _cpu()
        paths = asyncio.run(_play(folder, url, games, players, lang))
        seconds, used = time.monotonic() - began, _cpu() - cpu
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # the ledger is not the client's
    return Measured(Ledger(asked), [load(path) for path in paths], seconds, used, memory)


async def _play(folder: Path, url: str, games: int, players: int, lang: str) -> list[Path]:
    rules, _ = read_rules("classic-arena")
    counts, _ = written(rules, players)
    concurrency = min(1000, games * players)
    seat = plan({"player": f"fake@{url}", "concurrency": concurrency, "pack": "official"}, "bench")
    paths = [folder / f"{games}-{players}-{number}.jsonl" for number in range(games)]
    async with Endpoints() as endpoints:
        seating = Seating(dict.fromkeys(range(1, players + 1), seat), "zh" if lang == "zh" else "en", endpoints)
        hosts = [
            Host(path, Header(rules, counts, number, lang, seating.specs(), TableSettings(LIMITS[lang])),
                 seating.sitters())
            for number, path in enumerate(paths)
        ]  # fmt: skip
        await asyncio.gather(*(host.play() for host in hosts))
    return paths


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def plain_sdk(waves: Sequence[Sequence[Prompt]], latency: float, games: int) -> tuple[float, float]:
    """The same waves of calls by the openai SDK's own typed method, so many games at once, and nothing but the calls.

    Returned are the wall time against the chain of waves and the processor seconds of one call.
    """

    async def run(url: str) -> tuple[float, float]:
        from openai import AsyncOpenAI, DefaultAioHttpClient

        seats = {f"S{seat}": {"type": "string"} for seat in range(1, 5)}
        schema = {"type": "object", "properties": seats, "required": [*seats], "additionalProperties": False}
        shape = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
        transport = DefaultAioHttpClient(timeout=None)
        async with AsyncOpenAI(base_url=url, api_key="none", max_retries=0, http_client=transport) as client:

            async def one(prompt: Prompt) -> None:
                await client.chat.completions.create(
                    model="fake",
                    messages=cast("Any", prompt.messages()),
                    response_format=cast("Any", shape),
                )

            async def game() -> None:
                for wave in waves:
                    await asyncio.gather(*map(one, wave))

            await one(waves[0][0])
            began, before = time.monotonic(), _cpu()
            await asyncio.gather(*(game() for _ in range(games)))
            calls = games * sum(map(len, waves))
            return (time.monotonic() - began) / (len(waves) * latency), (_cpu() - before) / calls

    with endpoint(latency) as (url, _):
        return asyncio.run(run(url))


def waves_of(game: Recording) -> list[list[Prompt]]:
    """The prompts of a game that were out together, wave by wave."""
    prompts = dict(zip((call["call"] for call in game.sent), prompts_sent(game.sent), strict=True))
    by_request = {call.rpartition("#")[0].rpartition("/")[2]: prompt for call, prompt in prompts.items()}
    waves = ([by_request[request] for request in wave.replies if request in by_request] for wave in game.waves)
    return [wave for wave in waves if wave]


def rows(folder: Path, players: int, many: int, latency: float) -> Iterator[tuple[str, str, str]]:
    """Each figure with its name and what it should be."""
    _warm(folder)
    all_of = measure(folder, many, players, latency)  # first: memory is a high-water mark
    one = measure(folder, 1, players, latency)
    ledger = one.ledger
    yield "calls per serial step", f"{len(ledger.asked) / ledger.depth:.2f}", "2.0"
    yield "serial depth / least depth by the rules", f"{ledger.depth / one.least:.2f}", "1.00"
    waves = waves_of(one.games[0])
    yield "wall / (depth x latency), one game", f"{ledger.wall / (ledger.depth * latency):.3f}", "1.02"
    yield "the same calls by the SDK alone", f"{plain_sdk(waves, latency, 1)[0]:.3f}", ""
    each_game = [all_of.ledger.of(game) for game in all_of.ledger.games]
    shared, apart = (sum(game.uncached(shared=one_cache) for game in each_game) for one_cache in (True, False))
    yield "uncached, game's cache / seats' caches", f"{shared / apart:.2f}", "0.50"
    longest = sum(game.longest for game in each_game)
    yield "redundancy of one cache for the game", f"{shared * players / longest:.2f}", ""
    own, other = compared(players, range(10))
    yield "letters of a prompt without how-to / TextArena's", f"{own / other:.3f}", "1.00"
    yield "tokens of a prompt, mean", f"{ledger.sent / len(ledger.asked):,.0f}", ""
    deepest = max(all_of.ledger.of(game).depth for game in all_of.ledger.games)
    yield f"wall / (depth x latency), {many} games", f"{all_of.ledger.wall / (deepest * latency):.3f}", "1.05"
    wall, sdk = plain_sdk(waves, latency, many)
    yield "the same calls by the SDK alone", f"{wall:.3f}", ""
    each = all_of.cpu / len(all_of.ledger.asked)
    yield f"client's CPU per call, {many} games (ms)", f"{each * 1e3:.2f}", "3"
    yield "the same / the openai SDK's own call", f"{each / sdk:.2f}", "1.67"
    yield f"memory, {many} games (MB)", f"{all_of.memory:.0f}", "120"
    bad = measure(folder, 10, players, min(latency, 0.02), FAULTS)
    forfeits = sum(reply.source.startswith("fallback") for game in bad.games for wave in game.waves
                   for reply in wave.replies.values())  # fmt: skip
    yield f"finished of 10 under {FAULTS:.0%} faults", str(sum(game.end is not None for game in bad.games)), "10"
    yield "answers forfeited there", str(forfeits), "0"
    yield "requests before a Retry-After was over", str(bad.ledger.early), "0"


def _warm(folder: Path) -> None:
    """Import all that a game imports."""
    measure(folder, 1, 6, 0.0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.models", description=__doc__)
    parser.add_argument("--players", type=int, default=12, help="seats of each table (12)")
    parser.add_argument("--games", type=int, default=20, help="games at once (20)")
    parser.add_argument("--latency", type=float, default=0.2, metavar="SECONDS", help="of the fake endpoint (0.2)")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for name, figure, target in rows(Path(folder), given.players, given.games, given.latency):
            print(f"{name:<50}{figure:>10}   {target}", flush=True)


if __name__ == "__main__":
    main()
