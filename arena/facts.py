"""What a view knows for certain, and what has been stated in it: the facts from which `deduce` reckons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tianhei.arena.claims import Claim, ClaimWhat, own_role_claims
from tianhei.arena.deduce import Facts, Statement, roles_like
from tianhei.arena.events import Called, Dawn, VotedOut
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Classic, Rules
from tianhei.arena.view import View


def facts_of(view: View, *, public: bool = False) -> Facts:
    """What a view knows; with ``public``, what any onlooker knows, the seat's own words being claims like others'."""
    record = view.record
    allowed = dict(_shown(view))
    batches = _batches(record.dead)
    if _kills_spare_killers(record.rules):
        good = frozenset(record.counts) - {Role.KILLER}
        for _, how, seats in batches:
            allowed.update((seat, allowed.get(seat, good) & good) for seat in seats if how == "night")
    if not public:
        allowed.update(_known(view, allowed))
    open_end = record.outcome is not None or (record.rules.last_words_at_end and record.stage == "last_words")
    return Facts(
        record.rules, record.counts, allowed, batches, len(batches) - open_end, tuple(_called(view)),
        tuple(_statements(view, None if public else view.seat)),
    )  # fmt: skip


def _kills_spare_killers(rules: Rules) -> bool:
    """Whether the night's dead are certain not to be killers: no killer may be named, and nobody else kills."""
    return isinstance(rules, Classic) and rules.kill_teammate == "forbidden"


def _batches(dead: Mapping[Seat, tuple[int, str]]) -> list[tuple[int, str, tuple[Seat, ...]]]:
    times = list(dict.fromkeys(dead.values()))
    return [(day, how, tuple(seat for seat, left in dead.items() if left == (day, how))) for day, how in times]


def _shown(view: View) -> Iterator[tuple[Seat, frozenset[Role]]]:
    """What the judge has shown to all."""
    record = view.record
    for _, event in record.events:
        match event.body:
            case VotedOut(seat=seat, revealed=str(told)):
                yield seat, roles_like(told, record.counts)
            case Dawn(revealed=dict(shown)):
                yield from ((seat, roles_like(told, record.counts)) for seat, told in shown.items())
            case _:
                pass
    yield from ((seat, frozenset((role,))) for seat, role in enumerate(record.roles, start=1))


def _known(view: View, shown: Mapping[Seat, frozenset[Role]]) -> Iterator[tuple[Seat, frozenset[Role]]]:
    """What was told to this seat alone."""
    counts = view.record.counts
    told = [(seat, answer) for _, seat, answer in view.checks if answer not in ("none", "no_check")]
    told += view.told_roles.items()
    if view.role:
        told += [(seat, view.role.value) for seat in (view.seat, *view.mates)]
    known: dict[Seat, frozenset[Role]] = {}
    for seat, answer in told:
        before = known.get(seat, shown.get(seat, frozenset(counts)))
        known[seat] = before & roles_like(answer, counts)
    yield from known.items()


def _called(view: View) -> Iterator[tuple[int, frozenset[Role]]]:
    """By night, the roles that were called, where those that are gone are not."""
    record = view.record
    if record.rules.call_dead_roles:
        return
    gone = 0
    roles: set[Role] | None = None
    times: set[tuple[int, str]] = set()
    for _, event in record.events:
        match event.body:
            case Called(stage="night"):
                roles, gone = set(), len(times)
            case Called(role=Role() as role) if roles is not None:
                roles.add(role)
            case Dawn(dead=dead):
                if roles is not None:
                    yield gone, frozenset(roles)
                roles = None
                times.update(record.dead[seat] for seat in dead)
            case VotedOut(seat=seat):
                times.add(record.dead[seat])
            case _:
                pass
    if roles is not None:
        yield gone, frozenset(roles)


def _statements(view: View, me: Seat | None) -> list[Statement]:
    """Who claims to be police and reports what; a repeated statement counts once, a retracted one not at all."""
    found: dict[tuple[Seat, Seat | None, int, ClaimWhat], Statement] = {}
    players = view.players
    for day, said in view.record.speeches:
        by = said.by
        for claim in said.claims if said.claims is not None else own_role_claims(said.text, by):
            if by == me or not 1 <= claim.seat <= players:
                continue
            if claim.kind == "retract" and claim.seat == by:
                found = {key: statement for key, statement in found.items() if statement.by != by}
            elif _is_officers(claim, by):
                found.setdefault((by, None, 0, "none"), Statement(by, day))
                if claim.kind == "check":
                    report = Statement(by, day, claim.seat, claim.night, claim.what)
                    found.setdefault((by, report.target, report.night, report.what), report)
    return list(found.values())


def _is_officers(claim: Claim, by: Seat) -> bool:
    return claim.kind == "check" or (claim.kind == "role" and claim.seat == by and claim.what == "police")
