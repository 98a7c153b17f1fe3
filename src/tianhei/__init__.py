"""Tianhei 天黑: an arena where language models play the Chinese killer game 杀人游戏.

The parts are `tianhei.arena` (the game and those who run it), `tianhei.agents` (the
players), `tianhei.prompts` (the words) and `tianhei.transcripts` (the file of a game,
and what is read from it). Importing this package imports none of them.
"""

__version__ = "0.1.0"
