"""What a seat may be called: names in any script, none that cannot be seen, none that passes for another."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from tianhei.arena.tables.refused import Refused

LONGEST = 24
_RESERVED = re.compile(
    r"judge|moderator|host|system|server|admin|all|everyone|nobody|tianhei|bot|(?:player|seat|no\.?|#)? ?\d+"
    r"|法官|系统|主持人?|管理员|所有人|大家|无人|机器人|第?\d+[号號]?(?:玩家)?"
)
"""Names of whoever runs the table, and what seats are called anyway."""
_PAIRS = "0o 1i li |i !i аa вb еe кk мm нh оo рp сc тt уy хx іi ѕs јj ӏi αa βb εe ιi κk νv οo ρp τt υu χx ωw"
_ALIKE = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()})
"""Letters of other scripts, and numbers, that look like Latin ones."""


def clean_name(name: str) -> str:
    """The name as it is kept. Refused says why it cannot be one; letters of any script are left as they are."""
    found = " ".join(unicodedata.normalize("NFC", name).split())
    for letter in found:
        if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
            raise Refused(409, "bad_name", f"a name has no invisible letters (U+{ord(letter):04X})")
    if not any(unicodedata.category(letter)[0] in "LNS" for letter in found):
        raise Refused(409, "bad_name", "a name has at least one letter that can be seen")
    if len(found) > LONGEST:
        raise Refused(409, "bad_name", f"a name has at most {LONGEST} letters")
    if _RESERVED.fullmatch(unicodedata.normalize("NFKC", found).casefold()):
        raise Refused(409, "bad_name", f"{found!r} is what the table calls somebody else; choose another name")
    return found


def looks(name: str) -> str:
    """What is left of a name when it is only glanced at: two that come to the same are mistaken for each other."""
    plain = unicodedata.normalize("NFKD", name.replace("I", "l")).casefold()
    plain = "".join(letter for letter in plain if unicodedata.category(letter)[0] in "LNS" or letter in "|!")
    return plain.translate(_ALIKE).replace("rn", "m").replace("vv", "w")


def check_apart(name: str, others: Iterable[str]) -> None:
    """Refused where the name could be taken for one that is at the table already."""
    if any(looks(name) == looks(other) for other in others):
        raise Refused(409, "name_alike", f"{name!r} looks like another name at this table; choose another")
