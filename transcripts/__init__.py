"""The file of a game, and what is read from it.

Writing, reading, verifying and forking the append-only file; above that the study of
recorded games: metrics, reports, the viewer, imports, exports and the golden games.
"""

if not __name__.startswith("tianhei."):
    raise ImportError("Import tianhei.transcripts: the folder transcripts is a package of tianhei.")
