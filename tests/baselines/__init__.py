"""The baseline players, what follows from facts and claims, and the check that every player can be put to."""
