"""What many tables on one server cost: memory for each, and how soon a stream hears of something: ``python -m
bench.tables``. The server is a process of its own on loopback; at each table one person looks on, among scripted bots.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import httpx2
import uvicorn

from tables.guests import Guest, by_lot, everybody_leaves, open_table
from tianhei.arena.tables.house import House
from tianhei.arena.tables.limits import Limit
from tianhei.arena.tables.pace import Pace
from tianhei.arena.tables.server import Limits, create_app

PACE = Pace(
    card=60, night=2, speech=3600, read=0.1, vote=3600, last_words=3600, between=0.05, survey=20, letters=1e6
)  # fmt: skip
"""Bots are quick; a person who has the word is waited for."""
UNLIMITED = Limit(10**9, 1)
LONGEST = 300.0
"""Seconds after which the measurement gives up."""


def serve(folder: Path, listening: int) -> None:
    """The server that is measured: the usual one, but all of its guests come from one address.

    ``listening`` is the number of its socket, which this process has from its parent.
    """
    limits = Limits(UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED)
    app = create_app(House(folder, paces={"bench": PACE}), is_open=True, limits=limits)
    uvicorn.run(app, fd=listening, log_level="warning", access_log=False)


def memory(pid: int) -> int:
    """Bytes that a process holds now."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def processor(pid: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def silent(seed: int) -> Any:
    """Somebody who answers at night, and by day has the word and says nothing."""
    lot = by_lot(seed)

    def choose(ask: Mapping[str, Any]) -> Mapping[str, Any] | None:
        return lot(ask) if ask["cover"] or ask["kind"] in ("kill", "check") else None

    return choose


async def reached(guests: Iterable[Guest], begun: float) -> list[float]:
    """Seconds until each of these has heard the next message of its stream."""
    found: list[float] = []
    for guest, place in [(guest, len(guest.heard)) for guest in guests]:
        while len(guest.heard) <= place:
            await asyncio.sleep(0.0005)
        found.append(guest.chunks[-1][0] - begun)
    return found


async def stands(guest: Guest) -> None:
    """Wait until this table waits for its person by day, or is over."""
    async with asyncio.timeout(LONGEST):
        while not guest.of("end"):
            if any(message["ask"]["kind"] in ("speech", "last_words", "vote") for message in guest.of("ask")):
                return
            await asyncio.sleep(0.05)


async def measured(url: str, pid: int, tables: int) -> dict[str, Any]:
    """Open the tables, begin a game at each, and have something happen at all of them at once."""
    empty, cpu = memory(pid), processor(pid)
    people: list[Guest] = []
    hosts: list[Guest] = []
    for number in range(tables):
        links = await open_table(url, pace="bench", roles=None, size=8, people=1, survey=False)
        host = Guest(url, links["table"], links["host"])
        (seat, token) = next(iter(links["seats"].items()))
        person = Guest(url, links["table"], token, int(seat), silent(number))
        assert (await person.post("join", consent=True)).status_code == 200
        person.look()
        assert (await person.post("ready")).status_code == 200
        hosts.append(host)
        people.append(person)
    began = time.monotonic()
    for host in hosts:
        assert (await host.post("host/start")).status_code == 200
    await asyncio.gather(*map(stands, people))
    night = time.monotonic() - began
    used = processor(pid) - cpu
    held = memory(pid) - empty
    standing = [(host, person) for host, person in zip(hosts, people, strict=True) if not person.of("end")]
    await asyncio.sleep(1)
    calm = processor(pid)
    await asyncio.sleep(5)
    idle = (processor(pid) - calm) / 5
    loop = asyncio.get_running_loop()
    alone: list[float] = []
    for host, person in standing[:20]:
        heard, _ = await asyncio.gather(reached([person], loop.time()), host.post("host/pause"))
        alone += heard
        await host.post("host/go")
    await asyncio.sleep(1)
    all_hear = reached([person for _, person in standing], loop.time())
    pauses = asyncio.gather(*(host.post("host/pause") for host, _ in standing))
    together, _ = await asyncio.gather(all_hear, pauses)
    await everybody_leaves(*people, *hosts)
    return {
        "tables": tables,
        "empty_mb": round(empty / 1e6, 1),
        "kb_per_table": round(held / tables / 1e3, 1),
        "first_night_of_all_s": round(night, 1),
        "cpu_per_table_ms": round(used / tables * 1e3, 1),
        "idle_cpu_share": round(idle, 3),
        "one_event_ms": {"median": round(median(alone) * 1e3, 1), "most": round(max(alone) * 1e3, 1)},
        "events_at_once": len(standing),
        "all_reached_ms": {"median": round(median(together) * 1e3, 1), "most": round(max(together) * 1e3, 1)},
    }


def measure(tables: int) -> dict[str, Any]:
    """Start a server, measure it, and end it."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        command = [sys.executable, "-m", "bench.tables", "--serve", folder, str(listening.fileno())]
        process = subprocess.Popen(command, cwd=Path(__file__).resolve().parents[1], pass_fds=[listening.fileno()])
        try:
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            for _ in range(600):
                with suppress(httpx2.TransportError):
                    httpx2.get(f"{url}/page/words.json")
                    break
                time.sleep(0.05)
            return asyncio.run(measured(url, process.pid, tables))
        finally:
            process.kill()
            process.wait()


def main() -> None:
    """Print what was measured, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--serve", nargs=2, metavar=("FOLDER", "SOCKET"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        serve(Path(chosen.serve[0]), int(chosen.serve[1]))
    else:
        print(json.dumps(measure(chosen.tables), indent=2))


if __name__ == "__main__":
    main()
