"""Benchmarks: many games by a plan, and what can be said of the players afterwards.

plan       the plan as a file: tables, players, tracks, how many boards        boards    which games that makes
power      what so many games can and cannot show                              run       plays them, goes on with them
cluster    the same on many machines                                           adding    another player
results    one row a game, folded from the transcripts                         ratings   strengths with intervals
shares     who won how often, and who sat where                                levels    floor and ceiling
controls   one thing changed on the same boards                                minimum   what is to be published
figures    all numbers of a report                                             sections  the report in words
"""
