"""A report as sections in one language, for the page and for Markdown alike: titles, notes, tables, pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tianhei.arena.costs import answered_by_others
from tianhei.arena.roles import Role
from tianhei.arena.tournament.controls import MANNERS, Difference, Manner
from tianhei.arena.tournament.figures import Figures
from tianhei.arena.tournament.levels import CEILING, FLOOR
from tianhei.arena.tournament.pictures import bars, dots, forest, matrix, pareto
from tianhei.arena.tournament.ratings import Strength
from tianhei.arena.tournament.shares import Rate
from tianhei.prompts.vocabulary import Lang
from tianhei.prompts.words import Words

Said = Mapping[str, str]
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a report. ``rows`` are cells under ``head``; ``picture`` is SVG; ``listed`` are items of a list."""

    title: str
    note: str = ""
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    picture: str = ""
    text: str = ""
    listed: Sequence[str] = ()
    warns: bool = False


def sections(found: Figures, said: Said, lang: Lang, plan_text: str) -> list[Section]:
    """All of them, in order; what was not played is left out."""
    parts = (
        _limits, _headline, _pairs, _ranks, _tracks, _focal, _side_rates, _matrix, _lines, _levels, _contrasts,
        _by_board, _same, _spent,
    )  # fmt: skip
    later = (_agreement, _positions, _seats, _manners, _balance, _unusable, _costs)
    named = {role: Words(lang).role(Role(role)) for role in _roles(found)}
    return [
        *(section for part in parts for section in part(found, said)),
        _by_role(found, said, named),
        _outcomes(found, said),
        *(section for part in later for section in part(found, said)),
        Section(said["plan"], text=plan_text),
    ]


def share(rate: Rate | None) -> str:
    """A rate with its interval, or a dash where nothing was played."""
    if rate is None or rate.value is None or rate.interval is None:
        return NOTHING
    low, high = rate.interval
    return f"{rate.value:.0%} [{low:.0%}, {high:.0%}]"


def elo(one: Strength) -> str:
    """An estimate in Elo points with its interval."""
    return f"{one.value:+.0f} [{one.low:+.0f}, {one.high:+.0f}]"


def _points(one: Difference | None) -> str:
    if one is None:
        return NOTHING
    interval = "" if one.low is None or one.high is None else f" [{100 * one.low:+.0f}, {100 * one.high:+.0f}]"
    return f"{100 * one.value:+.1f}{interval}"


def _limits(found: Figures, said: Said) -> Iterator[Section]:
    if found.limits:
        yield Section(said["limits"], listed=[said[f"limit_{key}"] for key in found.limits], warns=True)


def _headline(found: Figures, said: Said) -> Iterator[Section]:
    if found.ratings is None:
        yield Section(said["headline"], text=said["unrated"].format(why=said[found.unrated]))
        return
    ratings = found.ratings
    tiers = {name: number for number, names in enumerate(ratings.tiers, start=1) for name in names}
    head = [said[key] for key in ("player", "overall", "killers", "town", "standing", "tier", "best")]
    rows = []
    for name in ratings.players:
        values = [elo(table[name]) for table in (ratings.overall, ratings.killer, ratings.town)]
        stands = found.normalised.get(name)
        standing = f"{stands.value:.2f} [{stands.low:.2f}, {stands.high:.2f}]" if stands else NOTHING
        last = [str(tiers[name]), f"{ratings.ranks[name][0]:.0%}"] if found.ranked else [NOTHING, NOTHING]
        rows.append([name, *values, standing, *last])
    note = [said["headline_note"]]
    if not found.normalised:
        note.append(said["standing_close" if {FLOOR, CEILING} <= set(found.anchors) else "standing_anchors"])
    yield Section(said["headline"], " ".join(note), head, rows, forest(ratings, said))


def _pairs(found: Figures, said: Said) -> Iterator[Section]:
    """The stronger of each pair first, the strongest at the top; nothing where nobody is ranked."""
    if (ratings := found.ranked) is None:
        return
    rows = []
    place = {name: place for place, name in enumerate(ratings.players)}
    for pair in ratings.pairs:
        ordered = (pair.one, pair.other) if pair.difference.value >= 0 else (pair.other, pair.one)
        rows.append([*ordered, elo(pair.difference.upwards), _p(pair.p), _p(pair.holm)])
    rows.sort(key=lambda row: (place[row[0]], place[row[1]]))
    head = [said[key] for key in ("pair_stronger", "pair_other", "pair_by", "pair_p", "pair_holm")]
    yield from _with_rows(Section(said["differences"], said["differences_note"], head, rows))


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _ranks(found: Figures, said: Said) -> Iterator[Section]:
    """The chance of each place."""
    if (ratings := found.ranked) is None:
        return
    rows = [[name, *(f"{chance:.0%}" for chance in ratings.ranks[name])] for name in ratings.players]
    head = [said["player"], *(str(place) for place, _ in enumerate(ratings.players, start=1))]
    yield Section(said["ranks"], said["ranks_note"], head, rows)


def _tracks(found: Figures, said: Said) -> Iterator[Section]:
    """Each track's own ratings; the headline is fitted over all."""
    if (ratings := found.ranked) is None:
        return
    rows = [
        [name, *(elo(of.overall[name]) if name in of.overall else NOTHING for of in found.tracks.values())]
        for name in ratings.players if found.tracks
    ]  # fmt: skip
    head = [said["player"], *(said[f"track_{track}"] for track in found.tracks)]
    yield from _with_rows(Section(said["tracks"], said["tracks_note"], head, rows))


def _focal(found: Figures, said: Said) -> Iterator[Section]:
    rows = [
        [name, *(share(of.sides[side]) for side in ("killers", "town")), _points(of.adds),
         str(of.adds.pairs) if of.adds else NOTHING]
        for name, of in found.focal.items()
    ]  # fmt: skip
    head = [said[key] for key in ("player", "killers", "town", "focal_adds", "pairs")]
    yield from _with_rows(Section(said["focal"], said["focal_note"], head, rows))


def _agreement(found: Figures, said: Said) -> Iterator[Section]:
    if (of := found.agreement) is None:
        return
    rows = [[said[f"agreement_{name}"], f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"]
            for name, one in (("same", of.same), ("board", of.board), ("effect", of.effect),
                              ("replicated", of.replicated))]  # fmt: skip
    rows += [
        [said["agreement_boards"].format(width=width), said["agreement_of"].format(boards=boards, safe=safe)]
        for width, (boards, safe) in of.boards_for.items()
    ]
    text = said["agreement_of_games"].format(
        games=f"{of.games:,}", boards=of.boards, replicates=f"{of.replicates:.1f}", draws=f"{of.draws:.0%}",
        killers=f"{of.killers:.0%}",
    )  # fmt: skip
    note = said["agreement_note"].format(safe=f"{max(0.01, of.effect.high):.2f}")
    yield Section(said["agreement"], note, ["", said["agreement_value"]], rows, text=text)


def _side_rates(found: Figures, said: Said) -> Iterator[Section]:
    named = {FLOOR: said["chance_line"].format(name=FLOOR), CEILING: said["ceiling_line"].format(name=CEILING)}
    rows = [
        [named.get(name, name), *(share(of[side]) for side in ("both", "killers", "town")),
         f"{of['killers'].games + of['town'].games:,}"]
        for name, of in found.sides.items() if of["killers"].games or of["town"].games
    ]  # fmt: skip
    head = [said[key] for key in ("player", "both", "killers", "town", "games")]
    yield from _with_rows(Section(said["side_rates"], said["side_note"], head, rows))


def _with_rows(section: Section) -> Iterator[Section]:
    if section.rows:
        yield section


def _matrix(found: Figures, said: Said) -> Iterator[Section]:
    order = found.ratings.players if found.ratings else found.contenders
    kept = [name for name in order if any(rate.games for rate in found.matrix.get(name, {}).values())]
    if len(kept) > 1:
        rows = [[one, *(share(found.matrix[one].get(other)) for other in kept)] for one in kept]
        yield Section(said["matrix"], said["matrix_note"], [said["player"], *kept], rows,
                      matrix(found.matrix, kept, said))  # fmt: skip


def _lines(found: Figures, said: Said) -> Iterator[Section]:
    met = [name for name, of in found.lines.items() if any(rate.games for rate in of.values())]
    rows = [[name, *(share(found.lines[anchor][name]) for anchor in met)] for name in found.contenders if met]
    yield from _with_rows(Section(said["lines"], said["lines_note"], [said["player"], *met], rows))


def _levels(found: Figures, said: Said) -> Iterator[Section]:
    tables = sorted({table for of in found.levels.values() for table in of})
    rows = [[name, *(share(of.get(table)) for table in tables)] for name, of in found.levels.items()]
    if rows:
        picture = dots(found.levels, said["killers_share"])
        yield Section(said["levels"], said["levels_note"], [said["player"], *tables], rows, picture)


def _contrasts(found: Figures, said: Said) -> Iterator[Section]:
    rows = [
        [said[f"contrast_{name}"], player, *(_points(sides.get(side)) for side in ("both", "killers", "town")),
         str(sides["both"].pairs)]
        for name, of in found.contrasts.items() for player, sides in of.items()
    ]  # fmt: skip
    head = [said[key] for key in ("contrast", "player", "both", "killers", "town", "pairs")]
    yield from _with_rows(Section(said["contrasts"], said["contrasts_note"], head, rows))


def _by_board(found: Figures, said: Said) -> Iterator[Section]:
    kinds = list(found.by_board)
    rows = [[name, *(share(found.by_board[kind][name]) for kind in kinds)] for name in found.contenders if kinds]
    yield from _with_rows(Section(said["by_board"], said["by_board_note"], [said["player"], *kinds], rows))


def _same(found: Figures, said: Said) -> Iterator[Section]:
    rows = [[said[side], elo(one)] for side, one in (found.ratings.same if found.ratings else {}).items()]
    yield from _with_rows(Section(said["same"], said["same_note"], ["", said["elo"]], rows))


def _spent(found: Figures, said: Said) -> Iterator[Section]:
    if found.ratings and found.spent:
        rows = [
            [name, elo(found.ratings.overall[name]), f"{of.tokens_out:,.0f}",
             said["unknown"] if of.usd is None else f"{of.usd:.4f}"]
            for name, of in found.spent.items() if name in found.ratings.overall
        ]  # fmt: skip
        head = [said[key] for key in ("player", "overall", "tokens_a_game", "usd_a_game")]
        tokens = {name: of.tokens_out for name, of in found.spent.items()}
        picture = pareto(found.ratings, tokens, said) if len(tokens) > 1 else ""
        yield from _with_rows(Section(said["spent"], said["spent_note"], head, rows, picture))


def _roles(found: Figures) -> list[str]:
    held = {role for of in found.balance.values() for role in of}
    return [str(role) for role in Role if str(role) in held]


def _by_role(found: Figures, said: Said, named: Mapping[str, str]) -> Section:
    rows = [[name, *(share(of.get(role)) for role in named)] for name, of in found.roles.items()]
    return Section(said["by_role"], said["by_role_note"], [said["player"], *named.values()], rows)


def _outcomes(found: Figures, said: Said) -> Section:
    rows = [[name, *(f"{of.get(side, 0):,}" for side in ("good", "killers", "draw"))]
            for name, of in found.outcomes.items()]  # fmt: skip
    return Section(said["outcomes"], "", [said[key] for key in ("table", "good_won", "killers_won", "draws")], rows)


def _charts(by_table: Mapping[str, Mapping[int, Rate]], key: str, label: str, said: Said) -> Iterator[Section]:
    for name, of in by_table.items():
        rows = [[str(place), share(rate)] for place, rate in of.items()]
        title = f"{said[key]} · {name}"
        yield Section(title, said[f"{key}_note"], [said[label], said["won"]], rows, bars(of, said[label], said))


def _positions(found: Figures, said: Said) -> Iterator[Section]:
    return _charts(found.positions, "by_position", "position", said)


def _seats(found: Figures, said: Said) -> Iterator[Section]:
    return _charts(found.seats, "by_seat", "seat", said)


def _manners(found: Figures, said: Said) -> Iterator[Section]:
    def cell(one: Manner | None, name: str) -> str:
        if one is None or one.rate is None:
            return NOTHING
        if name == "foreign_roles":
            return f"{100 * one.rate:.1f} (n={one.of:,})"
        return f"{one.rate:.0%}" + (f" ({one.chance:.0%})" if one.chance is not None else "")

    rows = [[key, *(cell(of.get(name), name) for name in MANNERS)] for key, of in found.manners.items()]
    head = [said["arm"], *(said[f"manner_{name}"] for name in MANNERS)]
    yield from _with_rows(Section(said["manners"], said["manners_note"], head, rows))


def _balance(found: Figures, said: Said) -> Iterator[Section]:
    roles = _roles(found)
    rows = [[name, *(str(of.get(role, 0)) for role in roles)] for name, of in found.balance.items()]
    text = said["balanced" if found.balanced else "unbalanced"]
    yield Section(said["balance"], head=[said["player"], *roles], rows=rows, text=text)


def _unusable(found: Figures, said: Said) -> Iterator[Section]:
    text = said["hinged"].format(share=f"{found.hinged.value or 0:.1%}", games=f"{found.hinged.games:,}")
    if not found.fallbacks:
        yield Section(said["unusable"], text=f"{text} {said['fallbacks_none']}")
        return
    causes = sorted({cause for of in found.fallbacks.values() for cause in of})
    rows = [[name, *(str(of.get(cause, 0)) for cause in causes)] for name, of in found.fallbacks.items()]
    yield Section(said["unusable"], said["fallbacks_note"], [said["player"], *causes], rows, text=text)
    if found.clean:
        clean = [[name, elo(found.clean.overall[name])] for name in found.clean.players]
        yield Section(said["clean"], head=[said["player"], said["overall"]], rows=clean)


def _costs(found: Figures, said: Said) -> Iterator[Section]:
    if not found.costs:
        yield Section(said["costs"], text=said["costs_none"])
        return
    keys = ("player", "calls", "requests", "tokens_in", "cached", "tokens_out", "usd", "kept", "latency")
    rows = [
        [name, *(f"{number:,}" for number in (of.calls, of.requests, of.prompt, of.cached, of.completion)),
         said["unknown"] if of.unpriced else f"{of.money:.4f}",
         f"{of.kept / of.billed:.1%}" if of.billed else NOTHING,
         f"{of.seconds / of.calls:.2f}" if of.calls else NOTHING]
        for name, of in found.costs.items()
    ]  # fmt: skip
    yield Section(said["costs"], head=[said[key] for key in keys], rows=rows)
    served = [
        [name, by, f"{calls:,}"]
        for name, of in answered_by_others(found.costs).items()
        for by, calls in (*sorted(of.served.items()), (said["served_untold"], of.calls - of.served.total()))
        if calls
    ]
    head = [said[key] for key in ("served_asked", "served_by", "calls")]
    yield from _with_rows(Section(said["served"], said["served_note"], head, served))


def markdown(parts: Iterable[Section]) -> Iterator[str]:
    """The sections' lines as Markdown, without pictures."""
    for part in parts:
        yield from (f"## {part.title}", "")
        if part.head or part.listed or part.warns or "\n" not in part.text:
            yield from ([part.text, ""] if part.text else [])
        else:
            yield from ("```toml", part.text.rstrip(), "```", "")
        yield from ([part.note, ""] if part.note else [])
        if part.listed:
            yield from (*(f"- {item}" for item in part.listed), "")
        if part.rows:
            yield "| " + " | ".join(part.head) + " |"
            yield "|---|" + "--:|" * (len(part.head) - 1)
            yield from ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in part.rows)
            yield ""
