"""Examination questions on the rules: a position, a question, four or fewer answers, of which the referee gives one.

Every question is drawn from a seed. About half are asked under rules of which one option has been drawn by lot, so that
the text of the rules has to be read; the answer is always what `arena.rulings` says under those rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Literal

from tianhei.arena import rulings
from tianhei.arena.forms import ACTORS
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Rules, RulesError, options
from tianhei.arena.rules.presets import read_rules
from tianhei.arena.rules.setups import written
from tianhei.prompts.rulebook import rule_text
from tianhei.prompts.vocabulary import Lang, texts_of
from tianhei.prompts.words import Words

Kind = Literal["night", "check", "order", "tally", "council", "victory"]
GAMES: Mapping[str, tuple[Kind, ...]] = {
    "bench-10": ("order", "tally", "council", "victory", "check"),
    "bench-13b": ("night", "order", "tally", "council", "victory", "check"),
}
LOTTERY: Mapping[Kind, tuple[str, ...]] = {
    "night": ("double_hit_needled", "needle_on_carried", "carried_killer", "voided_attack", "carried_doctor"),
    "check": ("carried_police",),
    "order": ("seat_numbering",),
    "tally": ("tie",),
    "council": ("killers_tie",),
    "victory": ("parity", "victory"),
}
"""Options that bear on a kind of question, one of which may be drawn by lot."""
LETTERS = "ABCD"
TRIES = 200


@dataclass(frozen=True, slots=True)
class Question:
    """One question as it is put. ``rules`` are the rules' words; ``answer`` is the letter of the right option."""

    id: str
    game: str
    lang: Lang
    kind: Kind
    rules: str
    situation: str
    question: str
    options: tuple[str, ...]
    answer: str

    @property
    def chance(self) -> float:
        """How often a lot would hit."""
        return 1 / len(self.options)

    @property
    def text(self) -> str:
        """The question with its options, in a line each."""
        listed = "\n".join(f"{letter}. {option}" for letter, option in zip(LETTERS, self.options, strict=False))
        return f"{self.situation}\n\n{self.question}\n{listed}"

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def questions(count: int, seed: int | str, langs: Sequence[Lang] = ("en", "zh")) -> Iterator[Question]:
    """So many questions: games and languages in turn, the kinds of each game in turn."""
    kinds: list[tuple[str, Kind]] = [
        (game, kind) for place in range(6) for game, of in GAMES.items() for kind in of[place : place + 1]
    ]
    for number in range(count):
        lang = langs[number % len(langs)]
        game, kind = kinds[number // len(langs) % len(kinds)]
        yield _question(f"{number + 1:03}-{game}-{kind}-{lang}", game, kind, lang, Random(f"{seed} {number}"))


def _question(name: str, game: str, kind: Kind, lang: Lang, random: Random) -> Question:
    """Positions are drawn until one has a single right answer and others that are not."""
    rules, players = read_rules(game)
    assert players is not None
    rules = _drawn_rules(rules, kind, random)
    asker = _Asker(rules, players, lang, random)
    for _ in range(TRIES):
        found = asker.ask(kind)
        wrong = [option for option in dict.fromkeys(found.wrong) if option != found.right]
        if len(wrong) < 2:
            continue
        shown = [found.right, *random.sample(wrong, min(3, len(wrong)))]
        random.shuffle(shown)
        text = rule_text(rules, lang, asker.counts)
        answer = LETTERS[shown.index(found.right)]
        said = _said(lang)
        return Question(name, game, lang, kind, text, found.situation, said[f"ask.{kind}"], tuple(shown), answer)
    raise AssertionError(f"{name}: no position with several answers in {TRIES} tries")


def _drawn_rules(rules: Rules, kind: Kind, random: Random) -> Rules:
    """These rules, or with one option that bears on the question drawn by lot."""
    known = {info.name: info for info in options(rules.game)}
    names = [name for name in LOTTERY[kind] if name in known]
    if not names or random.random() < 0.5:
        return rules
    info = known[random.choice(names)]
    assert not isinstance(info.allowed, range)
    for value in random.sample(list(info.allowed), len(info.allowed)):
        try:
            return rules.replace({info.name: value})
        except RulesError:  # beside the other options it makes no sense
            continue
    return rules


@cache
def _said(lang: Lang) -> Mapping[str, str]:
    return texts_of(lang, "exam")


@dataclass(frozen=True, slots=True)
class _Found:
    """A position in words, what the referee says of it, and answers that are wrong."""

    situation: str
    right: str
    wrong: Sequence[str]


class _Asker:
    """Draws positions of one table and puts them into words."""

    def __init__(self, rules: Rules, players: int, lang: Lang, random: Random) -> None:
        self.rules = rules
        self.players = players
        self.random = random
        self.counts = written(rules, players)[0]
        self.words = Words(lang)
        self.said = _said(lang)
        self._data = {"rules": {"preset": rules.game, **rules.to_dict()}, "players": players}

    def ask(self, kind: Kind) -> _Found:
        """One position of that kind."""
        kinds: Mapping[Kind, Callable[[], _Found]] = {
            "night": self._night, "check": self._check, "order": self._order, "tally": self._tally,
            "council": self._council, "victory": self._victory,
        }  # fmt: skip
        return kinds[kind]()

    def _ruled(self, command: str, **data: Any) -> dict[str, Any]:
        return rulings.RULINGS[command]({**self._data, **data})

    def _say(self, key: str, **slots: object) -> str:
        return self.said[key].format(**slots)

    def _seats(self, seats: Sequence[Seat]) -> str:
        return self.words.seats(seats) if seats else self.said["say.nobody"]

    def _alive(self, least: int) -> list[Seat]:
        number = self.random.randint(least, self.players - 1)
        return sorted(self.random.sample(range(1, self.players + 1), number))

    def _victory(self) -> _Found:
        alive = {role: self.random.randint(1, count) for role, count in self.counts.items()}
        specials = [role for role in self.counts if role not in (Role.KILLER, Role.CIVILIAN)]
        gone = self.random.choice(([], [Role.KILLER], [Role.CIVILIAN], specials, specials[:1]))
        alive |= dict.fromkeys(gone, 0)
        found = self._ruled("victory", alive_counts=alive, dealt_counts=dict(self.counts))
        listed = [self.words.listed(f"{self.words.role(role)} {count}" for role, count in of.items())
                  for of in (self.counts, alive)]  # fmt: skip
        situation = self._say("situation.victory", dealt=listed[0], alive=listed[1])
        options = {name: self.said[f"victory.{name}"] for name in ("good", "killers", "draw", "none")}
        right = options[found["winner"] or "none"]
        return _Found(situation, right, list(options.values()))

    def _order(self) -> _Found:
        alive, day = self._alive(5), self.random.randint(1, 4)
        dead = [seat for seat in range(1, self.players + 1) if seat not in alive]
        victims = self.random.sample(dead, self.random.choice((0, 1, 1, 1)))
        speeches = self._ruled("order", alive=alive, dead_tonight=victims, round=day)["speeches"]
        turned = [tuple(speeches[by:] + speeches[:by]) for by in range(1, len(speeches))]
        wrong = [tuple(speeches[::-1]), *turned, *(each[::-1] for each in turned)]
        self.random.shuffle(wrong)
        situation = self._say("situation.order", players=self.players, alive=self._seats(alive),
                              dead=self._seats(victims), day=day)  # fmt: skip
        return _Found(situation, self.words.numbers(speeches), [self.words.numbers(each) for each in wrong])

    def _tally(self) -> _Found:
        alive = self._alive(6)
        suspects = self.random.sample(alive, 3)
        ballots = {str(voter): self.random.choice(suspects) for voter in alive}
        if self.random.random() < 0.5:  # as many for two of them
            half = len(alive) // 2
            ballots = {str(voter): suspects[min(place // half, 2)] for place, voter in enumerate(alive)}
        found = self._ruled("tally", alive=alive, ballots=ballots)
        by_target = {seat: [int(voter) for voter, target in ballots.items() if target == seat] for seat in suspects}
        cast = [self._say("say.votes_for", voters=self.words.numbers(voters), target=self.words.seat(seat))
                for seat, voters in sorted(by_target.items()) if voters]  # fmt: skip
        situation = self._say("situation.tally", alive=self._seats(alive), ballots="\n".join(cast))
        pairs = [sorted(self.random.sample(suspects, 2)) for _ in range(3)]
        wrong = [*(self._out([seat], []) for seat in suspects), *(self._out([], pair) for pair in pairs),
                 self._out(sorted(suspects[:2]), [])]  # fmt: skip
        return _Found(situation, self._out(found["out"], found["tied"]), wrong)

    def _out(self, out: Sequence[Seat], tied: Sequence[Seat]) -> str:
        """Who is out by a vote; of a tie what becomes of it by the rules."""
        if out:
            return self._say("tally.out", seats=self._seats(out))
        rule = self.rules.to_dict()["tie"]
        return self._say(f"tally.{rule}" if rule in ("lot", "chain", "revote") else "tally.nobody",
                         seats=self._seats(tied))  # fmt: skip

    def _council(self) -> _Found:
        named = self.random.sample(range(1, self.players + 1), 3)
        size = self.counts[Role.KILLER]
        stated = [self.random.choice((*named, *named, None)) for _ in range(size)]
        found = self._ruled("council", stated=stated)
        each = [self._say("say.states", number=number, target=self._seats([seat] if seat else []))
                for number, seat in enumerate(stated, start=1)]  # fmt: skip
        situation = self._say("situation.council", number=size, stated="\n".join(each))
        lot = found["target"] is None and bool(found["tied"]) and self.rules.killers_tie == "lot"
        pairs = [sorted(self.random.sample(named, 2)) for _ in range(2)]
        right = self._chosen(found["target"], found["tied"] if lot else [])
        wrong = [*(self._chosen(seat, []) for seat in named), self._chosen(None, []),
                 *(self._chosen(None, pair) for pair in pairs)]  # fmt: skip
        return _Found(situation, right, wrong)

    def _chosen(self, target: Seat | None, tied: Sequence[Seat]) -> str:
        if tied:
            return self._say("council.lot", seats=self._seats(sorted(tied)))
        return self._say("council.target", seat=self.words.seat(target)) if target else self.said["council.none"]

    def _dealt(self) -> list[Role]:
        cards = [role for role, count in self.counts.items() for _ in range(count)]
        return self.random.sample(cards, len(cards))

    def _actions(self, roles: Sequence[Role], focus: Seat) -> dict[str, Seat | None]:
        """A night in which some seats are named by several."""
        others = self.random.sample(range(1, self.players + 1), 2)
        found: dict[str, Seat | None] = {}
        for name, role in ACTORS.items():
            if role in roles and (self.rules.game == "butterfly" or name in ("kill", "check")):
                found[name] = self.random.choice((focus, focus, *others, None))
        if "carry" in found:
            hers = roles.index(Role.BUTTERFLY) + 1
            workers = [place for place, role in enumerate(roles, start=1) if role is not Role.CIVILIAN]
            carried = self.random.choice((*workers, focus, None))
            found["carry"] = None if carried == hers else carried
        return found

    def _night_in_words(self, roles: Sequence[Role], actions: Mapping[str, Seat | None], needled: Seat | None) -> str:
        acts = [self._say(f"act.{name}", seat=self._seats([seat] if seat else [])) for name, seat in actions.items()]
        earlier = self._say("say.needled", seat=self.words.seat(needled)) if needled else self.said["say.no_needles"]
        if "needle" not in actions:
            earlier = ""
        return self._say("situation.night", cards=self.words.cards([str(role) for role in roles]),
                         acts="\n".join(acts), earlier=earlier).strip()  # fmt: skip

    def _night(self) -> _Found:
        roles, everybody = self._dealt(), list(range(1, self.players + 1))
        focus = self.random.choice(everybody)
        needled = self.random.choice((focus, None))
        actions = self._actions(roles, focus)
        needles = {str(needled): 1} if needled else {}

        def dead(of: Mapping[str, Seat | None], marks: Mapping[str, int]) -> str:
            deaths = self._ruled("night", roles=[str(role) for role in roles], alive=everybody, actions=of,
                                 needles=marks)["deaths"]  # fmt: skip
            return self._seats(sorted(map(int, deaths)))

        right = dead(actions, needles)
        hit = sorted({seat for name in ("kill", "shoot") if (seat := actions.get(name))})
        wrong = [self._seats(hit), *(self._seats([seat]) for seat in hit), self._seats([]),
                 *(dead({**actions, name: None}, needles) for name in actions), dead(actions, {})]  # fmt: skip
        self.random.shuffle(wrong)
        return _Found(self._night_in_words(roles, actions, needled), right, wrong)

    def _check(self) -> _Found:
        roles, everybody = self._dealt(), list(range(1, self.players + 1))
        focus = self.random.choice([place for place, role in enumerate(roles, start=1) if role is not Role.BUTTERFLY])
        actions = self._actions(roles, focus)
        actions["check"] = actions["check"] or focus
        found = self._ruled("night", roles=[str(role) for role in roles], alive=everybody, actions=actions)
        signs = {name: self.said[f"check.{name}"] for name in ("nod", "shake", "no_check")}
        sign = found["police"] if found["police"] in signs else "no_check"
        return _Found(self._night_in_words(roles, actions, None), signs[sign], list(signs.values()))
