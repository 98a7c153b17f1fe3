"""Choices: votes against words, by the place in the list, by the number."""

from __future__ import annotations

import pytest

from manners.tables import counts, hits, said, table
from tianhei.arena.claims import Claim
from tianhei.arena.roles import Seat
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.manners.sitting import Ballot, Choice, Sitting, Spoken

OTHERS = (2, 3, 5, 7, 8)


def vote(choice: Seat | None, *speeches: Spoken, options: tuple[Seat, ...] = OTHERS, heard: int = 9) -> Sitting:
    return table(speeches, ballots=(Ballot(2, 4, choice, options, heard),))


@pytest.mark.parametrize(("lang", "text"), [("en", "I will vote for Player 3."), ("zh", "我投3号。")])
def test_a_vote_follows_the_words_or_not(lang: Lang, text: str) -> None:
    """A pair in words, for speeches without claims."""
    assert hits("votes_otherwise", vote(3, said(text, lang))) == [False]
    assert hits("votes_otherwise", vote(8, said(text, lang))) == [True]
    assert hits("votes_otherwise", vote(None, said(text, lang))) == [True]


AIMS: dict[str, tuple[tuple[Claim, ...], Seat | None]] = {
    "an accusation": ((Claim("accuse", 3, "killer"),), 3),
    "a vote before an accusation": ((Claim("vote", 5), Claim("accuse", 3, "killer")), 5),
    "the last vote": ((Claim("vote", 5), Claim("vote", 3)), 3),
    "a question": ((Claim("ask", 3),), None),
    "the dead": ((Claim("vote", 6),), None),
    "oneself": ((Claim("accuse", 4, "killer"),), None),
}


@pytest.mark.parametrize("name", AIMS)
def test_the_aim_is_read_from_claims(name: str) -> None:
    claims, aim = AIMS[name]
    found = counts("votes_otherwise", vote(3, said("", claims=claims)))
    assert [(count.hits, count.chance) for count in found] == ([] if aim is None else [(aim != 3, 0.8)])


def test_only_the_last_word_of_the_day_before_the_vote_counts() -> None:
    aims = [said("", claims=(Claim("vote", seat),), day=day) for seat, day in ((8, 1), (5, 2), (3, 2))]
    assert hits("votes_otherwise", vote(3, *aims)) == [False]
    assert hits("votes_otherwise", vote(3, *aims, heard=2)) == [True]
    assert hits("votes_otherwise", vote(3, *aims, heard=1)) == []
    back = said("", claims=(Claim("retract", 3),))
    assert hits("votes_otherwise", vote(3, *aims, back)) == []


def test_in_a_pk_an_aim_counts_where_it_can_be_chosen() -> None:
    aim = said("", claims=(Claim("vote", 3),))
    assert [count.chance for count in counts("votes_otherwise", vote(7, aim, options=(3, 7)))] == [0.5]
    assert hits("votes_otherwise", vote(7, aim, options=(5, 7))) == []
    assert hits("votes_otherwise", vote(3, aim, options=(3,))) == []


def test_the_place_in_the_list() -> None:
    game = table(choices=(Choice(4, (7, 2, None), 7), Choice(4, (7, 2, None), None), Choice(4, (5, 2), 2)))
    assert hits("chooses_first_listed", game) == [True, False, False]
    assert hits("chooses_last_listed", game) == [False, True, True]
    assert [count.chance for count in counts("chooses_first_listed", game)] == [1 / 3, 1 / 3, 1 / 2]


def test_the_number() -> None:
    ballots = (Ballot(1, 4, 2, (7, 2, 8), 0), Ballot(1, 4, 8, (7, 2, 8), 0), Ballot(1, 4, None, (7, 2), 0))
    game = table(ballots=(*ballots, Ballot(1, 4, 7, (7,), 0)))
    assert hits("votes_lowest_number", game) == [True, False]
    assert hits("votes_highest_number", game) == [False, True]
    assert [count.chance for count in counts("votes_lowest_number", game)] == [1 / 3, 1 / 3]
