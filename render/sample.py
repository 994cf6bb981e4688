"""Positions of sample matches, to look at, to train palettes on and to test with."""

import random
from collections.abc import Iterator
from typing import Any

from engine import GAMES, Answer, Commit, Match, Seat, begin, visible
from engine.players.levels import think
from render import Scene

MARKED_COMMITS = 3
"""How many of the last commits a sample marks, as if two computers had moved after a player."""
LIKED_WEIGHT = 4
"""How much likelier a random player picks a spot where there is something to gain."""
NAMES = ("Moana", "Tāne", "Keʻala", "Sina", "Rangi")


def play_randomly(
    game_id: str, seats: int, seed: int, settings: dict[str, Any] | None = None
) -> Iterator[Match]:
    """Yield the positions of a random match, the first one included."""
    rng = random.Random(seed)
    match = begin(GAMES[game_id], seats, settings, seed)
    yield match
    while waiting := match.waiting_for():
        match = play_random_turn(match, waiting[0], rng)
        yield match


def play_random_turn(match: Match, seat: Seat, rng: random.Random) -> Match:
    """Play a whole turn of a seat, preferring spots where there is something to gain."""
    while decision := match.question(seat):
        view = match.view(seat)
        options = decision.options
        weights = []
        for option in options:
            is_liked = option.spot and view.note(option.spot)
            weights.append(LIKED_WEIGHT if is_liked else 1)
        # A question may have nothing to choose: an answer without keys closes it.
        picks = rng.choices(options, weights, k=decision.at_least) if options else []
        # An option may be drawn twice: then options that were not drawn fill up the answer.
        keys = list(dict.fromkeys(option.key for option in picks))
        keys += [option.key for option in options if option.key not in keys]
        match = match.pick(Answer(seat, decision.kind, tuple(keys[: decision.at_least])))
    return match.confirm(seat)


def scene_of(match: Match, private: bool = True) -> Scene:
    """Return the scene for the seat to move, or the one that everyone sees."""
    names = NAMES[: match.seats]
    events = [event for commit in match.commits[-MARKED_COMMITS:] for event in commit.events]
    waiting = match.waiting_for()
    if not private or not waiting:
        return Scene(names, events=visible(events, None))
    seat = waiting[0]
    events += match.draft(seat).events
    return Scene(names, _find_legal_spots(match, seat), events=visible(events, seat))


def _find_legal_spots(match: Match, seat: Seat) -> tuple[str, ...]:
    """Return the spots that a seat may choose now, or after it answered the present question."""
    spots = _spots_asked_for(match, seat)
    decision = match.question(seat)
    if spots or decision is None or decision.at_least != 1:
        return spots
    # Each position begins with another option, or only the first action would ever be seen.
    first = match.number % len(decision.options)
    for option in (*decision.options[first:], *decision.options[:first]):
        answered = match.pick(Answer(seat, decision.kind, (option.key,)))
        if spots := _spots_asked_for(answered, seat):
            return spots
    return ()


def _spots_asked_for(match: Match, seat: Seat) -> tuple[str, ...]:
    """Return the spots among the options of a seat's open questions, each once."""
    options = [option for decision in match.decisions(seat) for option in decision.options]
    return tuple(dict.fromkeys(option.spot for option in options if option.spot))


def play_computers(game_id: str, seats: int, seed: int) -> Iterator[Match]:
    """Yield the positions of a match that steady computers play, the first one included."""
    match = begin(GAMES[game_id], seats, {}, seed)
    yield match
    while waiting := match.waiting_for():
        seat = waiting[0]
        thought = think(match.game, match.base, seat, f"sample {seat} {match.number}", "steady")
        if thought.offer is not None:
            match = match.pick(thought.offer)
        else:
            match = match.replay(Commit(seat, thought.answers))
        yield match
