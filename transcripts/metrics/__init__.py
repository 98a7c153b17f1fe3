"""Figures of players from columnar tables: outcome, votes, beliefs, deception, persuasion, nights, integrity."""
