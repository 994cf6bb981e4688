"""The naive scripts: they take the most visible points at once, as a first-timer would.

The weakest levels are measured against them. In three games a script looks at its whole turns and
takes one after which its panel shows the most points for it; which of several, the lot decides. In
Conquest points come from what was set in motion turns ago, so there the script is the plain player,
who builds a Village wherever there is room, else a Colony for the nearest land, and never fights.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random

from engine import Answer, Commit, Match, Seat
from engine.players.mind import Turn, ignore_event, question_for, walk_turns
from engine.players.simple import stand_in

MAX_TURNS_PER_ANSWER = 200
"""Whole turns that are looked at for each first answer."""


def naive_turn(match: Match, seat: Seat, seed: str) -> Match:
    """Return the match after the naive script's turn for a seat that is asked."""
    if match.game.id == "conquest":
        return stand_in(match, seat)
    chance = Random(seed)
    best: dict[tuple[str, ...], list[Turn]] = {}
    most = float("-inf")
    for turn in list_turns(match, seat):
        points = match.game.view(turn.tip, seat).scores[seat]
        if points > most:
            most = points
            best.clear()
        if points == most:
            best.setdefault(turn.answers[0].keys, []).append(turn)
    # The first answer is drawn first: a journey has many endings, and fishing has one.
    turns = chance.choice(list(best.values()))
    return match.replay(Commit(seat, chance.choice(turns).answers))


def list_turns(match: Match, seat: Seat) -> Iterator[Turn]:
    """Yield the whole turns of a seat, not too many for each first answer."""
    question = question_for(match.game, match.base, seat)
    assert question is not None
    for option in question.options:
        answer = Answer(seat, question.kind, (option.key,))
        begun = match.game.apply(match.base, answer, ignore_event)
        whole = walk_turns(match.game, begun, seat, (answer,))
        yield from islice(whole, MAX_TURNS_PER_ANSWER)
