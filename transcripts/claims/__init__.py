"""What was claimed in public, by whom and in which words; whether it was true, and whether the speaker knew.

ledger     every claim of a game, declared or read from the words       extractor  the claims in one speech
truth      lie, mistake, truth or lucky                                 grounding  statements about the public record
knowledge  what a speaker knew                                          words      the patterns, by language
docs/claims.md has the definitions and how well the words are read.
"""

from tianhei.transcripts.claims.extractor import extract
from tianhei.transcripts.claims.grounding import Statement, grounding, statements
from tianhei.transcripts.claims.ledger import Entry, Withheld, ledger, withheld
from tianhei.transcripts.claims.truth import LieType, Truth
from tianhei.transcripts.claims.words.reading import Found, Stated

__all__ = [
    "Entry", "Found", "LieType", "Stated", "Statement", "Truth", "Withheld",
    "extract", "grounding", "ledger", "statements", "withheld",
]  # fmt: skip
