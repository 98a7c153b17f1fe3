"""The proof in pieces: what each compared, how much of it, how long it took, and every difference."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context

from oracle.options import resolve
from proof import compare_rulings, exhaustive, million, open_questions, perft, theory
from proof.random_games import compare_seed, reached
from secrecy import full as secrets
from secrecy.leaks import LEAKS

CHUNK = 200
PARTS = ("nights", "announcements", "ballots", "ballots as rulings", "tie chain", "victory", "set-ups", "custom tables",
         "orders", "rulings", "games", "million", "theory", "floors", "perft", "secrecy", "planted leaks")  # fmt: skip
SMALL = ("announcements", "victory", "set-ups", "custom tables", "orders")


@dataclass
class Figures:
    """What one task compared; tasks of one part and name are summed."""

    part: str
    name: str
    counts: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    """What the games came through: ends by reason, what followed ties, lots, demands, causes of death; who read."""
    explained: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    values: tuple[int, ...] = ()
    """Counts that are not summed: those of a tree, by depth."""
    seconds: float = 0.0

    @property
    def place(self) -> int:
        """The number with which the names of theory, floors and trees begin."""
        return int(self.name.split(" ", 1)[0])

    def add(self, other: Figures) -> None:
        self.counts += other.counts
        self.reached += other.reached
        self.explained += other.explained
        self.differences += other.differences
        self.values = self.values or other.values
        self.seconds += other.seconds

    def __str__(self) -> str:
        counts = ", ".join(f"{number:,} {what}" for what, number in self.counts.items())
        title = f"{self.part} {self.name}".strip()
        return f"{title}: {counts}; {len(self.differences)} differences; {self.seconds:.1f} s of one core"


def games(title: str, seeds: range) -> Figures:
    """Whole random games of these seeds, engine against oracle."""
    figures = Figures("games", title)
    for seed in seeds:
        try:
            played, difference = compare_seed(seed, title)
        except Exception as error:  # a crash of either side is a finding, and must name its seed
            figures.differences.append(f"{title} seed {seed}: {type(error).__name__}: {error}")
            continue
        figures.counts.update({"games": 1, "waves": len(played.history), "wrong answers": played.mistakes})
        figures.counts["answers"] += sum(map(len, played.history))
        figures.reached.update(reached(played))
        figures.differences += [f"{title} seed {seed}: {fault}" for fault in played.faults]
        if difference:
            figures.differences.append(f"{title} seed {seed}: {difference}\n    {played.reproduce()}")
    return figures


def rulings(command: str, seeds: range) -> Figures:
    """Random single rulings of these seeds."""
    figures = Figures("rulings", command)
    for seed in seeds:
        line, found = compare_rulings.compare(command, seed)
        figures.counts["rulings"] += 1
        if found:
            why = open_questions.of_ruling(line, resolve(line["rules"]), *found)
            if why:
                figures.explained[why] += 1
            else:
                figures.differences.append(f"{line}\n    engine {found[0]}\n    oracle {found[1]}")
    return figures


def exhaust(part: str, name: str, every: int, most_voters: int) -> Figures:
    """One exhaustive check."""
    figures = Figures(part, name)
    for same, given in exhaustive.checks(every, most_voters)[part, name]():
        figures.counts["inputs"] += 1
        if not same:
            figures.differences.append(f"{part} {name}: {given}")
    return figures


def many(seeds: range) -> Figures:
    """Random games of the engine alone, by their invariants."""
    counts, ends, broken = million.games(seeds)
    return Figures("million", "", counts, ends, differences=broken)


def chances(place: int, seeds: range) -> Figures:
    """Games of the uninformed player at one table of the theory."""
    table = theory.tables()[place]
    found, faults = theory.winners(table, seeds)
    return Figures("theory", f"{place} {table.label}", found + Counter(games=len(seeds)), differences=faults)


def floor(place: int, seeds: range) -> Figures:
    """Games of one floor."""
    name, players, player = theory.floors()[place]
    found = theory.floor(name, players, player, seeds) + Counter(games=len(seeds))
    return Figures("floors", f"{place} {name} {player}", found)


def tree(place: int, full: bool) -> Figures:
    """The tree of one small table, by both sides."""
    small = perft.TABLES[place]
    depth = small.full if full else small.slice
    ours, theirs = perft.perft(perft.by_engine(small), depth), perft.perft(perft.by_oracle(small), depth)
    differences = [] if ours == theirs else [f"{small}: engine {ours}, oracle {theirs}"]
    nodes = Counter(nodes=sum(ours))
    return Figures("perft", f"{place} {small.cards}", nodes, differences=differences, values=tuple(ours))


def secrecy(place: int, every: int) -> Figures:
    """What every seat of one table is shown, in all its deals or one so-manieth of them."""
    name, found, findings, _ = secrets.prove(place, every=every)
    counts = {"games": found.games, "deals": len(found.deals), "moments": found.moments, "pairs": found.alike,
              "items": found.items, "bytes": found.bytes, "prompts": sum(found.prompts.values())}  # fmt: skip
    return Figures("secrecy", name, Counter(counts), found.prompts, differences=findings)


def planted(place: int) -> Figures:
    """One leak planted, which secrecy has to find."""
    missed = secrets.missed(LEAKS[place])
    return Figures("planted leaks", "", Counter(leaks=1, found=int(not missed)), differences=missed)


@dataclass(frozen=True)
class Sizes:
    """How much of each part."""

    games: int = 100_000
    """Whole games against the oracle, half of each of the two kinds."""
    rulings: int = 20_000
    every: int = 1
    voters: int = 7
    million: int = 1_000_000
    theory: int = 100_000
    floors: int = 5_000
    deals: int = 1
    """Secrecy: one so-manieth of each table's deals, and of the planted leaks."""
    deep: bool = True
    first: int = 0
    parts: tuple[str, ...] = PARTS

    def smaller(self, scale: int) -> Sizes:
        """The same proof at one so-manieth of its size."""
        return Sizes(
            self.games // scale, self.rulings // scale, self.every * scale, self.voters, self.million // scale,
            self.theory // scale, self.floors // scale, self.deals * scale, self.deep and scale == 1, self.first,
            self.parts,
        )  # fmt: skip


Task = Callable[[], Figures]


def tasks(sizes: Sizes) -> list[Task]:
    """The work in pieces, the largest first."""
    found: list[Task] = []
    checks = exhaustive.checks(sizes.every, sizes.voters) if sizes.every else {}
    for part, name in sorted(checks, key=lambda key: ("of 7" not in key[1], key[0] != "nights")):
        if part in sizes.parts:
            found.append(partial(exhaust, part, name, sizes.every, sizes.voters))
    for place in reversed(range(len(perft.TABLES))) if "perft" in sizes.parts else ():
        found.append(partial(tree, place, sizes.deep))
    for place in secrets.largest_first() if "secrecy" in sizes.parts else ():
        found.append(partial(secrecy, place, sizes.deals))
    for place in range(0, len(LEAKS), sizes.deals) if "planted leaks" in sizes.parts else ():
        found.append(partial(planted, place))
    found += _sampled(sizes)
    return found


def _sampled(sizes: Sizes) -> list[Task]:
    found: list[Task] = []

    def add(part: str, number: int, chunk: int, piece: Callable[[range], Figures]) -> None:
        stop = sizes.first + number
        if part in sizes.parts:
            found.extend(partial(piece, range(at, min(at + chunk, stop))) for at in range(sizes.first, stop, chunk))

    for title in ("classic", "butterfly"):
        add("games", sizes.games // 2, CHUNK, partial(games, title))
    for command in compare_rulings.MAKERS:
        add("rulings", sizes.rulings, CHUNK * 10, partial(rulings, command))
    add("million", sizes.million, million.SAME_TABLE * 40, many)
    for place in range(len(theory.tables())):
        add("theory", sizes.theory, CHUNK * 25, partial(chances, place))
    for place in range(len(theory.floors())):
        add("floors", sizes.floors, CHUNK * 10, partial(floor, place))
    return found


Totals = dict[tuple[str, str], Figures]


def run(work: Iterable[Task], processes: int = 1, heard: Callable[[int], None] = lambda done: None) -> Totals:
    """Do the work, each process taking the next piece when it is free, and sum it up by part and name."""
    total: Totals = {}

    def add(number: int, done: Figures) -> None:
        total.setdefault((done.part, done.name), Figures(done.part, done.name)).add(done)
        heard(number)

    if processes == 1:
        for number, task in enumerate(work, 1):
            add(number, timed(task))
    else:
        with get_context("spawn").Pool(processes, _settle) as pool:
            for number, done in enumerate(pool.imap_unordered(timed, work), 1):
                add(number, done)
    for figures in total.values():
        figures.differences += _judged(figures)
    return total


def _settle() -> None:
    """Spare the collector what stays for good, and let it look less often: nearly all garbage goes without it."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def timed(task: Task) -> Figures:
    """One piece of work with the processor time it took; a crash is a difference, and names the piece."""
    start = time.process_time()
    try:
        figures = task()
    except Exception as error:
        assert isinstance(task, partial)
        said = f"{type(error).__name__}: {error}"
        figures = Figures("crashed", f"{task.func.__name__}{task.args}", differences=[said])
    figures.seconds = time.process_time() - start
    return figures


def _judged(figures: Figures) -> list[str]:
    """What can be judged only of a sum: a share of games won that is too far from its chance."""
    if figures.part != "theory":
        return []
    table = theory.tables()[figures.place]
    away = theory.standard_errors(table, figures.counts["killers"], figures.counts["games"])
    return [f"{table}: {away:+.1f} standard errors"] if abs(away) > theory.STANDARD_ERRORS else []
