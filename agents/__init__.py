"""The players: one contract (`tianhei.arena.player`), and each kind of player in a file.

A player is a function of its view, the request and a keyed draw; it keeps no memory of
its own and holds no client.
"""

if not __name__.startswith("tianhei."):
    raise ImportError("Import tianhei.agents: the folder agents is a package of tianhei.")
