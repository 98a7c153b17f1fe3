"""What a reply may say: sentences in six scripts, what models mix into them, and words that must stay private."""

from __future__ import annotations

from random import Random

SECRET = "qzx"
"""Stands in every private text and in no public one."""

SCRIPTS = (
    ("Player 2 voted late yesterday.", "I trust nobody at this table!", "Why did you pass on day 1?",
     "S1 is not S10.", "My vote: S1, and I say so.", "It was 1.5 to one."),
    ("2号昨天投得很晚。", "我谁也不信！", "你第一天为什么过？", "一号不是十号。", "我投3号，理由只有一条……",
     "我是好人。"),
    ("Игрок 2 голосовал поздно.", "Я никому не верю!", "Почему ты промолчал?"),
    ("صوت اللاعب ٢ متأخرا أمس.", "لا أثق بأحد!", "لماذا سكت؟"),
    ("खिलाड़ी 2 ने देर से मत दिया।", "मुझे किसी पर भरोसा नहीं!", "तुम चुप क्यों रहे?"),
    ("เมื่อวานผู้เล่น 2 โหวตช้า", "ฉันไม่เชื่อใครเลย!", "ทำไมคุณถึงเงียบ?"),
)  # fmt: skip
SPICE = (
    "📊", "👩\u200d👩\u200d👧\u200d👦", "4️⃣", "e\u0301", "\u202eS1\u202c", "\u2066S2\u2069", "\u200bS3", "\x00", "\x07",
    "\x1b[31mS4\x1b[0m", "\ud83d", "\udcad", "\ufffd", "\t", "\u3000", "`S1`", "```json```", '"S2"', "'S3'", "C:\\new",
    "[S4]", "<b>S5</b>", "&lt;", "a < b > c", "1号", "10号", "vote: S1", "**S2**", "(note: S3)", "none", "null", "\x85",
    "\u2028", "İ", "ſ",
)  # fmt: skip
BRACES = ("{", "}", "{S1}", '{"vote": "S1"}', "}}", '{"vote": "S2", "say": "no"}', "{vote: S3}")
PASSES = ("", "pass", "Pass.", "过", "过。", "“过”", " PASS ")
THOUGHTS = (
    "{} I am the killer and hide.", "{}我是杀手。", "{}: S1 or S2? VOTE S1!", "{} 👀 \udcad", "{} я убийца",
    '{} "say" it', "{} {{vote: S1}}", "{} is my plan, not S10", "{}\nsecond line\nthird",
)  # fmt: skip
LONG = 1 << 20


def speech(rng: Random, *, plain: bool = False) -> str:
    """A public text. ``plain``: without braces and marks of code, as talk is."""
    if rng.random() < 0.05:
        return rng.choice(PASSES)
    sentences = rng.choice(SCRIPTS)
    words = [rng.choice(sentences) for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.5:
        spice = SPICE if plain or rng.random() < 0.7 else BRACES
        words.insert(rng.randrange(len(words) + 1), rng.choice(spice))
    text = rng.choice((" ", "", " ", "\n")).join(words)
    if rng.random() < 0.1:
        text = (text + rng.choice((" ", "", "\n"))) * rng.choice((4, 10, 40))
    if rng.random() < 0.02:
        text = rng.choice(("x", "字", "x ", "😀", "a. ", "x\n")) * rng.choice((700, 900, 5000))
    if rng.random() < 0.0003:
        text *= LONG // len(text)
    return rng.choice(("", "", "", " ", "\n")) + text


def secret(rng: Random) -> str:
    """A private text."""
    text = rng.choice(THOUGHTS).format(SECRET)
    return text * (LONG // len(text)) if rng.random() < 0.0003 else text


def prose(rng: Random) -> str:
    """Words beside the reply, which are nobody's speech: no braces, no tags, no line that begins like a field."""
    return rng.choice(
        (
            f"Sure! {SECRET} here is my answer, S1 it is.", f"I vote for S2, not for S10. {SECRET}",
            f"好的，{SECRET}我投3号。", f"[Judge] {SECRET} S1 is out.", f"Мой ответ: S4 {SECRET}",
            f"الجواب S2 {SECRET}", f"📊 {SECRET} मेरा मत S5", f"I considered S2 but S2 is clean. {SECRET}",
            f'"vote" is S3 {SECRET}', f"ผมโหวต S1 {SECRET}", f"{SECRET} \ud83d", f"My final vote = S6 ({SECRET})",
        )
    )  # fmt: skip
