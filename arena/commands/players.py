"""Players before a game: an endpoint probed, a player examined, models of this machine."""

from __future__ import annotations

import click

from tianhei.arena.commands.running import clear_errors, say


@click.command()
@click.argument("player")
@click.option("--context", type=click.IntRange(min=1000), default=16_000, show_default=True, metavar="TOKENS",
              help="Up to which length of prompt to probe.")  # fmt: skip
@clear_errors
def doctor(player: str, context: int) -> None:
    """Probe a model before a game relies on it: some 15 small calls, and what will be used.

    PLAYER is as for play: PROVIDER/MODEL, MODEL@URL or local, with its settings after a question mark.
    """
    import asyncio

    from tianhei.agents.roster import SpecError, parse_spec
    from tianhei.arena.doctor import Doctor
    from tianhei.arena.pool import Endpoints

    plan = parse_spec(player)
    if not plan.is_model:
        raise SpecError(f"{player}: no language model sits there; name PROVIDER/MODEL, MODEL@URL or local")

    async def examine() -> bool:
        sound = True
        async with Endpoints(say) as endpoints:
            async for found in Doctor(endpoints.of(plan), context).examine():
                mark = {True: "ok", False: "FAULT", None: "-"}[found.ok]
                click.echo(f"{mark:<6}{found.probe:<18} {found.what}")
                sound = sound and found.ok is not False
        return sound

    if not asyncio.run(examine()):
        raise click.ClickException("this endpoint is not fit to be relied on as it is")


@click.command("check-player")
@click.argument("player")
@clear_errors
def check_player(player: str) -> None:
    """Examine a player: whether it keeps the contract, in many small games of both kinds and languages.

    PLAYER is as for play: file.py:Class or module:Class of your own, a kind that ships, or a model (some 20 calls).
    """
    import asyncio

    from tianhei.agents.roster import parse_spec
    from tianhei.arena.checking import examine

    sound = True
    for found in asyncio.run(examine(parse_spec(player), say)).findings():
        mark = {True: "ok", False: "FAULT", None: "-"}[found.ok]
        click.echo(f"{mark:<6}{found.rule:<15} {found.what}")
        sound = sound and found.ok is not False
    if not sound:
        raise click.ClickException(f"{player} does not keep the players' contract")


@click.group()
def model() -> None:
    """Models that run inside the program."""


@model.command("list")
@clear_errors
def model_list() -> None:
    """List the models that are here, and those that can be had by name."""
    from tianhei.agents.embedded import catalogue, installed, recommended
    from tianhei.agents.embedded.hub import reachable

    here = {found.name: found for found in installed()}
    for found in here.values():
        click.echo(f"here   {found.name}  {found.licence}  {found.path}")
    for offer in catalogue():
        if offer.name not in here:
            click.echo(f"to add {offer.name}  {offer.licence}  {offer.size / 1e6:,.0f} MB  {offer.note}")
    click.echo(f"for this machine: {recommended(hub=reachable()).name}")


@model.command("add")
@click.argument("name_or_path")
@click.option("--name", help="What to call it here.")
@clear_errors
def model_add(name_or_path: str, name: str | None) -> None:
    """Add a model: a name of the list, a .gguf file of one's own, or OWNER/REPO:FILE.gguf of the hub."""
    from tianhei.agents.embedded import add

    found = add(name_or_path, name=name, report=say)
    click.echo(f"{found.name}: {found.path}")


@model.command("path")
@click.argument("name", required=False)
@clear_errors
def model_path(name: str | None) -> None:
    """Print where a model's weights are; without a name, the folder of all."""
    from tianhei.agents.embedded import find, models_folder

    click.echo(str(find(name).path if name else models_folder()))
