"""Secrecy as a theorem: what a seat is shown is a function of what it may know, and of nothing else.

`knowledge` says what each seat may know (R-KNOW, R-PUBLIC), from the cards and the answers alone; `watch` plays a game
and takes down every byte that each seat is shown; `ledger` asks over all games that equal knowledge saw equal bytes,
and unequal knowledge unequal views; `leaks` plants faults that this must find.
"""
