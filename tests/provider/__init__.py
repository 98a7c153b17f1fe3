"""A provider that misbehaves on purpose: a server on loopback, the faults that it commits, and what must come of each.

server    answers by script or by rule, and breaks off as told
ledger    what it was asked, and what it said
model     a model of few words, whose every answer can be told from any other
faults    the 48 faults, and what must come of each
game      the small game in which they are committed, and one beside it
cells     one fault, at one place, so many times
books     the server's ledger beside the transcript
matrix    all cells, in several processes
page      docs/providers.md, written from them
"""
