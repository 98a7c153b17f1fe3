"""The words: what the players are told and how their replies are read, in English and Chinese.

Texts are plain files with named slots and no logic, in one folder per language: the judge's
words, the rules sentence by sentence, prompt packs, personas. The rule text is generated
from the rules that the referee runs.
"""

if not __name__.startswith("tianhei."):
    raise ImportError("Import tianhei.prompts: the folder prompts is a package of tianhei.")
