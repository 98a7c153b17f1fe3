"""What-ifs and reviews in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table as Grid
from rich.text import Text

from tianhei.arena.roles import Side
from tianhei.arena.screen import console_for
from tianhei.arena.whatif.arms import ARMS, ArmName, Arms, Ended
from tianhei.arena.whatif.swing import SHARE, Swing
from tianhei.prompts.vocabulary import Lang, Vocabulary, texts_of


class Sayings(Vocabulary):
    """The words of what-ifs beside the judge's."""

    def __init__(self, lang: Lang) -> None:
        super().__init__(lang)
        self.texts = {**self.texts, **texts_of(lang, "whatif")}


def show_swing(arms: Arms, cut: str, ended: Mapping[ArmName, Sequence[Ended]], found: Swing, lang: Lang) -> None:
    """Print how both arms ended, and the difference."""
    words, console = Sayings(lang), console_for()
    deleted = arms.change.deleted
    if deleted:
        console.print(Text(words.say("fork.deleted", seat=words.seat(deleted.seat), request=deleted.request)))
    else:
        seats = words.listed(
            words.say("fork.at_seat", player=plan.player, seat=words.seat(seat))
            for seat, plan in sorted(arms.change.seats.items())
        )
        console.print(Text(words.say("fork.at", cut=cut, seats=seats)))
    grid = Grid(box=None, padding=(0, 1), header_style="bold")
    grid.add_column(words.say("fork.arm"))
    for name in ("games", "killers", "good", "draws", "share", "days"):
        grid.add_column(words.say(f"fork.{name}"), justify="right")
    for arm in ARMS:
        games = ended[arm]
        won = [sum(game.winner == winner for game in games) for winner in ("killers", "good", "draw")]
        share = sum(SHARE[game.winner] for game in games) / len(games)
        days = sum(game.days for game in games) / len(games)
        grid.add_row(words.say(f"fork.{arm}"), str(len(games)), *map(str, won), f"{share:.3f}", f"{days:.1f}")
    console.print(grid)
    figures = {"mean": f"{found.mean:+.3f}", "low": f"{found.low:+.3f}", "high": f"{found.high:+.3f}"}
    console.print(Text(words.say("fork.swing", pairs=found.pairs, differ=found.differ, **figures)))
    if deleted:
        console.print(Text(words.say("fork.lie", **_worth(arms, found))))
    console.print(Text(words.say("fork.kept", folder=arms.folder), "dim"))


def _worth(arms: Arms, found: Swing) -> Mapping[str, str]:
    """What words brought their speaker's side: the swing of leaving them out, seen from there."""
    deleted = arms.change.deleted
    side = arms.parent.views.of(deleted.seat).side if deleted else None
    ends = (found.mean, found.low, found.high)
    if side is Side.KILLERS:  # without the words their share is so much more
        ends = (-found.mean, -found.high, -found.low)
    return {name: f"{value:+.3f}" for name, value in zip(("mean", "low", "high"), ends, strict=True)}
