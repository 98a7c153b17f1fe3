"""How many tokens each layout of a prompt makes a server evaluate over a whole game: ``python -m bench.layouts``.

A game of scripted players is played, every question is written out in each layout, and the tokens that a prefix cache
would not hold are counted with the embedded model's own tokenizer. Three caches: one that remembers every prompt of
the game, one for each seat, and one slot that holds the last prompt alone.
"""

from __future__ import annotations

import argparse
import json
import urllib.request
from collections.abc import Callable, Iterator, Sequence

from tianhei.agents.embedded import EmbeddedServer, ensure_default
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.chance import Keyed, deal
from tianhei.arena.player import Completion, Prompt
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Request
from tianhei.arena.rules.presets import read_rules
from tianhei.arena.rules.setups import written
from tianhei.arena.view import Record, View, Views
from tianhei.prompts.compose import compose
from tianhei.prompts.pack import load
from tianhei.prompts.record import RecordWords
from tianhei.prompts.vocabulary import Lang
from tianhei.prompts.words import Words

Tokens = tuple[int, ...]


def shared(prompt: Prompt, view: View, words: Words) -> str:
    """Public first, private last: the layout of the packs."""
    return prompt.system + prompt.public + prompt.private


def private_first(prompt: Prompt, view: View, words: Words) -> str:
    """The seat's own block before the record, written anew each time."""
    return prompt.system + prompt.private + "\n" + prompt.public


def own_story(prompt: Prompt, view: View, words: Words) -> str:
    """Each seat's view as it came to it, public and private mixed, then the question."""
    record = view.record
    seen = Record(record.rules, record.players, record.counts, tuple(range(1, record.players + 1)))
    lines = []
    for place, event in enumerate(view.events):
        if event.audience == "public":
            seen.add(place, event)
        lines.append(words.line(event, seen))
    return prompt.system + "\n".join(filter(None, lines)) + prompt.private


LAYOUTS: dict[str, Callable[[Prompt, View, Words], str]] = {
    "public first (shared prefix)": shared,
    "own story, append-only": own_story,
    "private block before the record": private_first,
}


async def _no_model(prompt: Prompt) -> Completion:
    raise AssertionError("a scripted player asks nobody")


def questions(game: str, players: int, lang: Lang, seed: int) -> Iterator[tuple[Request, View]]:
    """Every question of a game of scripted players, with the view as it was then."""
    rules, _ = read_rules(game)
    counts = written(rules, players)[0]
    referee = Referee(rules, deal(counts, seed), Keyed(seed))
    views = Views(rules, counts, seed)
    views.add(referee.waves[0].events)
    player = ScriptedPlayer(lang)
    while referee.outcome is None:
        for request in referee.pending:
            view = views.of(request.seat)
            yield request, view
            try:
                player.act(view, request, _no_model).send(None)
            except StopIteration as stop:
                wave = referee.answer(request.id, stop.value.answer)
            else:
                raise AssertionError("a scripted player waits for nothing")
            if wave is not None:
                views.add(wave.events)


class Tokenizer:
    """The embedded server's."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._url = server.base_url.removesuffix("/v1") + "/tokenize"
        self._key = server.api_key

    def __call__(self, text: str) -> Tokens:
        request = urllib.request.Request(
            self._url,
            json.dumps({"content": text}).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"},
        )
        with urllib.request.urlopen(request) as answer:
            return tuple(json.load(answer)["tokens"])


def uncached(
    prompts: Sequence[tuple[int, Tokens]], kept: Callable[[list[tuple[int, Tokens]], int], list[Tokens]]
) -> int:
    """Tokens left to evaluate where a prompt may begin like any of those that ``kept`` remembers for its seat."""
    total = 0
    before: list[tuple[int, Tokens]] = []
    for seat, tokens in prompts:
        best = max((_common(tokens, old) for old in kept(before, seat)), default=0)
        total += len(tokens) - min(best, len(tokens) - 1)
        before.append((seat, tokens))
    return total


def _common(one: Tokens, other: Tokens) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:  # the prefixes agree up to some place: find it by halves
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


CACHES: dict[str, Callable[[list[tuple[int, Tokens]], int], list[Tokens]]] = {
    "whole game": lambda before, seat: [tokens for _, tokens in before],
    "each seat": lambda before, seat: [tokens for one, tokens in before if one == seat],
    "one slot": lambda before, seat: [tokens for _, tokens in before[-1:]],
}


def measure(game: str, players: int, lang: Lang, seed: int) -> list[tuple[str, int, dict[str, int]]]:
    """For each layout: tokens sent, and tokens evaluated under each cache."""
    pack, words = load("official", lang), RecordWords(lang, "plain")
    texts: dict[str, list[tuple[int, str]]] = {name: [] for name in LAYOUTS}
    for request, view in questions(game, players, lang, seed):
        prompt = compose(pack, view, request).prompt
        for name, layout in LAYOUTS.items():
            texts[name].append((request.seat, layout(prompt, view, words)))
    rows = []
    with EmbeddedServer(ensure_default(print), context=512) as server:
        tokenize = Tokenizer(server)
        for name, written_out in texts.items():
            prompts = [(seat, tokenize(text)) for seat, text in written_out]
            sent = sum(len(tokens) for _, tokens in prompts)
            rows.append((name, sent, {cache: uncached(prompts, kept) for cache, kept in CACHES.items()}))
    return rows


def main() -> None:
    """Print one table a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lang", choices=("en", "zh"), default="en")
    chosen = parser.parse_args()
    for game, players in (("classic-arena", 8), ("classic-arena", 12), ("butterfly", 13)):
        rows = measure(game, players, chosen.lang, chosen.seed)
        print(f"\n{game}, {players} players, {chosen.lang}, seed {chosen.seed}")
        print(f"| layout | sent | {' | '.join(CACHES)} |\n|---|--:|{'--:|' * len(CACHES)}")
        for name, sent, left in rows:
            print(f"| {name} | {sent:,} | {' | '.join(f'{left[cache]:,}' for cache in CACHES)} |")


if __name__ == "__main__":
    main()
