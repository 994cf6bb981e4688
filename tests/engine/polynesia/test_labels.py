"""Buttons fit on a phone in every position, however long the names of the players are."""

from random import Random

import pytest

from engine import Answer, Match
from engine.core.perspective import Perspective
from engine.core.words import words_of
from engine.polynesia.board import tide_cards
from tests.contract.games import new_match
from tests.transcripts.polynesia.aims import far_islands

MAX_CHARACTERS = 38
"""What a phone shows of a button."""
NAMES = ("M" * 32, "W" * 32, "K" * 32, "S" * 32)
"""Discord's longest names."""
KINDS = {
    "take_action",
    "explore_route",
    "pay_route",
    "explore_free",
    "mark_route",
    "populate",
    "populate_now",
    "add_member",
    "move_member",
    "hire_guide",
    "use_mask",
    "decline",
}


def play_and_measure(match: Match, rng: Random, longest: dict[str, str]) -> None:
    """Play a match, and keep the longest button of each kind of question.

    Half of the choices lead to the far islands: random play seldom leaves the volcano.
    """
    words = words_of("polynesia")
    names = NAMES[: match.seats]
    while match.outcome is None:
        (seat,) = match.waiting_for()
        while decision := match.question(seat):
            seen = Perspective(match, seat, words, names, names)
            labels = [seen.label(decision, option, brief=True) for option in decision.options]
            longest[decision.kind] = max([longest.get(decision.kind, ""), *labels], key=len)
            options = decision.options
            if rng.random() < 0.5:
                judge = far_islands(match)
                best = min(map(judge, options))
                options = tuple(option for option in options if judge(option) == best)
            match = match.pick(Answer(seat, decision.kind, (rng.choice(options).key,)))
        match = match.confirm(seat)


def test_no_button_is_longer_than_a_phone_shows() -> None:
    longest: dict[str, str] = {}
    for card in tide_cards().values():
        for seats in card.players:
            rng = Random(f"labels {seats} {card.id}")
            match = new_match("polynesia", seats, {f"tide{card.id[0]}": card.id}, "labels")
            play_and_measure(match, rng, longest)
    assert set(longest) == KINDS
    for label in longest.values():
        assert len(label) <= MAX_CHARACTERS, label


@pytest.mark.parametrize("group", ["in-a", "by-n1", "turtles", "others", "from-i12"])
def test_every_folder_of_options_has_a_name(group: str) -> None:
    name = words_of("polynesia").group(group)
    assert name != group and len(name) <= MAX_CHARACTERS
