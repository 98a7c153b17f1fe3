"""Table manners: the slips that language models make at the table, counted in any transcript.

`manners` folds each game once and asks every measure for its counts. A measure is a pure function of a game (and of
another game, against which chance is reckoned); docs/manners.md says what each counts and how to read it.
"""

from tianhei.transcripts.manners.measure import Count, Measure
from tianhei.transcripts.manners.rows import BY, MEASURES, By, Group, Row, manners

__all__ = ["BY", "MEASURES", "By", "Count", "Group", "Measure", "Row", "manners"]
