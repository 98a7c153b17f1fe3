"""Transcripts as tables: one row for each game, seat, request, speech, vote, death, night action, check, claim, belief.

schema    every table and column      game      one transcript to rows      gather    many files, in bounded memory
"""
