"""Reading a model's reply: in stages, strictly, and never a guess from prose.

1. How the completion ended: refused, filtered.
2. Reasoning that stands inside the text is taken out; where its tags do not balance, nothing is read.
3. The fields: of one JSON object, or of labelled lines where the reply was asked for as lines.
4. The choice, from its field or not at all: one label, exactly.
5. The words, cut at the end of a sentence where they are too long.
6. Legality, as the request says.

What cannot be read is a `Fault` with its cause, so that the model can be asked once more and told why. A fault's detail
is, for a choice, the value itself, in no language: a retry repeats it.
"""

from tianhei.agents.reading.fault import Fault
from tianhei.agents.reading.reasoning import Parts, without_reasoning
from tianhei.agents.reading.reply import read
from tianhei.agents.reading.speech import shortened

__all__ = ["Fault", "Parts", "read", "shortened", "without_reasoning"]
