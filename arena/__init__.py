"""The game and those who run it.

The rules, the pure referee and what one seat may view; above them the host, which asks
the players and keeps time, and the command. The lower modules do no I/O and read no clock.
"""

if not __name__.startswith("tianhei."):
    raise ImportError("Import tianhei.arena: the folder arena is a package of tianhei.")
