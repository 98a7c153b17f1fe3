"""Benchmarks: many games by a plan, and what can be said of the players afterwards.

plan       the plan as a file: tables, players, tracks, how many boards        boards    which games that makes
power      what so many games can and cannot show                              run       plays them, resumes, adds
results    one row a game, folded from the transcripts                         ratings   strengths with intervals
"""
