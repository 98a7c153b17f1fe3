"""The command ``tianhei``. What a command needs is imported when it runs, so that ``--help`` is quick."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click

from tianhei.arena.commands.bench import bench, exam
from tianhei.arena.commands.claims import claims
from tianhei.arena.commands.importing import import_games
from tianhei.arena.commands.looking import cost, export_html, manners, show, verify, watch
from tianhei.arena.commands.players import check_player, doctor, model
from tianhei.arena.commands.playing import play, resume
from tianhei.arena.commands.rules import referee, rules
from tianhei.arena.commands.scoring import score
from tianhei.arena.commands.serving import answer, redact, serve
from tianhei.arena.commands.studying import export, sql
from tianhei.arena.commands.whatifs import fork, review

SECTIONS = {
    "Play": {
        "play": "Play one game and keep its transcript.",
        "resume": "Go on with a game that was stopped.",
        "watch": "Follow a game while it is played.",
        "serve": "Serve tables for people and bots, in a browser.",
        "answer": "Make one move at a table, from a terminal.",
        "model": "The models that run inside the program.",
        "doctor": "Probe a model's endpoint before a game relies on it.",
    },
    "Look at a game": {
        "show": "Print a game from its transcript.",
        "verify": "Check that no byte has changed and the rules were kept.",
        "export-html": "Write a game as one page that opens anywhere.",
        "review": "Chances over time, and the choices that cost most.",
        "fork": "Play on from a cut with another mind in a seat.",
        "cost": "What its models used.",
        "redact": "Copy a game without names and private words.",
        "import": "Turn other arenas' games into transcripts.",
    },
    "Study many games": {
        "score": "How well players voted, reasoned, deceived.",
        "claims": "Who said what when, and whether it was so.",
        "manners": "How players behaved at the table.",
        "export": "Write games as tables for other tools.",
        "sql": "Ask games a question in SQL.",
    },
    "Compare players": {
        "bench": "Benchmarks: many games by a plan, and a report.",
        "exam": "Examine a model on the rules and on its form.",
        "check-player": "Examine a player of your own.",
    },
    "The rules": {
        "rules": "Print the rules of a game.",
        "referee": "Answer the referee protocol, for other engines.",
    },
}
"""The commands by what they are for, and each in a line; every command stands in one section."""


class _Sections(click.Group):
    """The command line, its help in sections."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections, all in two columns of the same width."""
        width = max(map(len, self.commands))
        for section, commands in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), said) for name, said in commands.items()])


@click.group(cls=_Sections, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="tianhei", prog_name="tianhei")
def main() -> None:
    """Tianhei 天黑: language models play the Chinese killer game 杀人游戏, and every game is kept.

    A first game, with an embedded model and no key:  tianhei play
    """
    for stream in (sys.stdout, sys.stderr):  # a console that cannot show a letter never stops a game
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


for _command in (
    answer, bench, check_player, claims, cost, doctor, exam, export, export_html, fork, import_games, manners, model,
    play, redact, referee, resume, review, rules, score, serve, show, sql, verify, watch,
):  # fmt: skip
    main.add_command(_command)
