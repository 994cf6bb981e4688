"""Whole matches agree with a second version of the rules, question by question."""

from random import Random

import pytest

from engine import Answer, Match, Seat
from engine.polynesia.board import tide_cards
from tests.contract.games import new_match
from tests.engine.polynesia.reading import TYPES, Reading

CARDS = [(seats, card.id) for card in tide_cards().values() for seats in card.players]


@pytest.mark.parametrize(("seats", "card"), CARDS)
def test_a_second_reading_of_the_rules_agrees_on_every_question_and_on_the_score(
    seats: int, card: str
) -> None:
    rng = Random(f"reading {seats} {card}")
    match = new_match("polynesia", seats, {f"tide{card[0]}": card}, seed=f"reading {card}")
    reading, rounds = Reading(match.view(None)), 0
    first = match.view(None).first
    while match.outcome is None:
        rounds += 1
        match = one_round(match, reading, Seat((first + rounds - 1) % seats), rounds, rng)
    lava = match.view(None).lava
    assert lava.count("red") == 6 and lava[-1] == "red" and 5 <= rounds <= 9
    results = reading.erupt()
    islands = [number for ((_, number),) in match.outcome.tiebreak]
    assert list(zip(match.outcome.scores, islands, strict=True)) == results
    places = [
        tuple(s for s in range(seats) if results[s] == place)
        for place in sorted(set(results), reverse=True)
    ]
    assert match.outcome.ranking == tuple(places)


def one_round(match: Match, reading: Reading, first: Seat, number: int, rng: Random) -> Match:
    """Play a round: three actions each and the maintenance."""
    order = [Seat((first + place) % match.seats) for place in range(match.seats)]
    view = match.view(None)
    assert (view.round, view.first) == (number, first)
    for marker in (3, 2, 1):
        for seat in order:
            assert match.waiting_for() == (seat,)
            assert match.view(None).marker == str(marker)
            match = one_turn(match, reading, seat, marker, rng)
    if match.outcome is None and any(sum(held.values()) for held in reading.held):
        assert match.waiting_for() == (first,)
        match = answered(match, first, "decline", TYPES, rng.choice(TYPES))
        reading.decline(match.draft(first).answers[0].keys[0])
        match = match.confirm(first)
    if match.outcome is None:
        reading.gather(TYPES)
        reading.agrees(match.view(None))
    return match


def one_turn(match: Match, reading: Reading, seat: Seat, marker: int, rng: Random) -> Match:
    """Play an action; each of its questions must be the one that the second version asks."""
    turn = reading.turn(seat, marker)
    kind, keys = next(turn)
    while True:
        key = liked(reading, seat, kind, keys, rng)
        if kind == "take_action" or len(keys) > 1:
            match = answered(match, seat, kind, keys, key)
        try:
            kind, keys = turn.send(key)
        except StopIteration:
            break
    assert match.is_complete(seat)
    reading.agrees(match.view(seat))
    return match.confirm(seat)


def answered(match: Match, seat: Seat, kind: str, keys: list[str], key: str) -> Match:
    (decision,) = match.decisions(seat)
    assert (decision.kind, [option.key for option in decision.options]) == (kind, keys)
    return match.pick(Answer(seat, kind, (key,)))


def liked(reading: Reading, seat: Seat, kind: str, keys: list[str], rng: Random) -> str:
    """Choose a random answer, preferably one that leads to tokens and to others' members.

    Random play seldom leaves the volcano.
    """

    def weight(key: str) -> int:
        ends = key.split("-")
        if kind == "take_action":
            return 6 if key in ("travel", "explore") else 1
        if kind == "move_member" and len(ends) == 2:
            return 1 + 8 * (ends[1] in reading.lying) + 3 * (not reading.members[seat][ends[1]])
        if kind == "explore_route":
            here = [reading.members[seat][end] > 0 for end in ends]
            return 1 + 6 * (here[0] != here[1]) + 3 * bool(reading.owners[key])
        return 1

    return rng.choices(keys, [weight(key) for key in keys])[0]
