"""A second, independent statement of the rules, to compare the engine with.

Nothing here imports the engine. Single rulings are pure functions over sets and
orders; a whole game is read from the start at every question (see `game.py`).
"""
