"""A turn can be taken back exactly if nobody has learned anything from it.

The tests establish that without asking the engine. They deal again what a viewer cannot know, and
play the same turn in that lookalike. They also change what another seat answered earlier, unless
the viewer saw it. If the viewer then sees a difference, the turn has revealed something. More
commits or lookalikes find more, and take longer.
"""

from collections import Counter
from random import Random

import pytest

from engine import EngineError, Match, Seat, visible
from engine.core.secrecy import Disclosure, find_disclosure, has_secrets
from tests.contract.checks import complete, viewers
from tests.contract.games import ALL, every_size, new_match
from tests.contract.lookalikes import (
    Leak,
    check_alike,
    commits,
    follow_move,
    lookalike_of,
    start_match,
)
from tests.contract.player import random_answer

COMMITS = 16
"""How many commits of a match to check."""
LOOKALIKES = 3
"""How many redeals to try per viewer for a turn that may be taken back."""
MOST_LOOKALIKES = 40
"""How many redeals to try for a turn that may not be taken back, to find what it has revealed."""
LATER = 12
"""For how many commits after a secret answer it may still be hidden."""
CHANGES = 4
"""How many other answers to try in its place."""

History = list[tuple[Match, Match]]
"""Commits of a match, each as the match before and after it."""


def sight(match: Match, viewer: Seat | None) -> tuple[object, ...]:
    """Return everything that a viewer sees of a position."""
    asked = [(question.seat, question.kind) for question in match.asked()]
    return match.view(viewer), asked, () if viewer is None else match.decisions(viewer)


def visible_events(match: Match, viewer: Seat | None) -> tuple[object, ...]:
    """Return the events of the last commit that a viewer sees."""
    assert match.last is not None
    return visible(match.last.events, viewer)


def is_secret_offer(before: Match, after: Match) -> bool:
    """Return whether a commit is an order that only its own seat ever knows."""
    assert after.last is not None
    kind = after.last.answers[0].kind
    seat = after.last.seat
    return any(offer.secret and offer.kind == kind for offer in before.offers(seat))


def is_partly_secret(before: Match, after: Match) -> bool:
    """Return whether a turn has open and secret choices, such as moving hidden pieces."""
    assert after.last is not None
    match = before
    secret = set()
    for answer in after.last.answers:
        question = match.question(answer.seat)
        if question is None or question.kind != answer.kind:
            # An offer is always a separate turn.
            return False
        secret.add(question.secret)
        match = match._add_to_draft(answer)
    return len(secret) == 2


def randomize_orders(match: Match, viewer: Seat | None, rng: Random) -> Match:
    """Return the match with random standing orders for all seats except the viewer's."""
    for seat in (Seat(seat) for seat in range(match.seats) if seat != viewer):
        for kind in sorted(set(match.game.standing.values())):
            offer = next((offer for offer in match.offers(seat) if offer.kind == kind), None)
            if offer is not None and rng.random() < 0.5:
                match = match.pick(random_answer(offer, rng))
    return match


def find_by_dealing(
    before: Match, after: Match, rng: Random, deals: int, with_orders: bool = False
) -> str:
    """Say who sees a difference if everything they cannot know is redealt; '' if nobody does."""
    assert after.last is not None
    for _ in range(deals):
        for viewer in viewers(before):
            if is_secret_offer(before, after) and viewer != after.last.seat:
                if visible_events(after, viewer) or sight(after, viewer) != sight(before, viewer):
                    return f"{viewer} notices a secret order"
                continue
            lookalike = lookalike_of(before, viewer, rng)
            if lookalike is None:
                continue
            if with_orders:
                lookalike = randomize_orders(lookalike, viewer, rng)
            try:
                moved = follow_move(before, after, lookalike, viewer)
                if moved is None:
                    return f"{viewer} could not know that the turn is possible"
                if not check_alike(before, after, lookalike, moved, viewer):
                    return f"{viewer} could not know what is told"
            except Leak as leak:
                return str(leak)
    return ""


def find_by_changing(history: History, rng: Random) -> str:
    """Say who learns from the last commit what another seat has answered; '' if nobody does."""
    before, after = history[-1]
    assert after.last is not None
    for other in (Seat(seat) for seat in range(before.seats) if seat != after.last.seat):
        places = [
            place
            for place, (_, made) in enumerate(history[:-1])
            if made.last and made.last.seat == other
        ]
        if not places or len(history) - places[-1] > LATER:
            continue
        real = history[places[-1] :]
        for _ in range(CHANGES):
            changed = change_history(real, rng)
            for viewer in (viewer for viewer in viewers(before) if viewer != other):
                same = [
                    visible_events(one, viewer) == visible_events(two, viewer)
                    and sight(one, viewer) == sight(two, viewer)
                    for (_, one), two in zip(real, changed, strict=False)
                ]
                if len(same) == len(real) and all(same[:-1]) and not same[-1]:
                    return f"{viewer} learns what {other} has answered"
    return ""


def change_history(real: History, rng: Random) -> list[Match]:
    """Return the matches after each commit if the first one had been another.

    It ends before the first commit that is not possible any more.
    """
    start, made = real[0]
    assert made.last is not None
    seat, answers = made.last.seat, made.last.answers
    offer = next(
        (offer for offer in start.offers(seat) if answers and offer.kind == answers[0].kind), None
    )
    if offer is not None:
        changed = [start.pick(random_answer(offer, rng))]
    elif answers:
        changed = [complete(start, seat, rng).confirm(seat)]
    else:
        return []
    for _, later in real[1:]:
        assert later.last is not None
        try:
            changed.append(changed[-1].replay(later.last))
        except EngineError:
            break
    return changed


@pytest.mark.parametrize(("game_id", "seats"), every_size())
def test_a_turn_can_be_taken_back_only_if_nobody_learnt_from_it(game_id: str, seats: int) -> None:
    verdicts = Counter[Disclosure | None]()
    for match in (new_match(game_id, seats, seed="undo"), start_match(game_id, seats, 0)):
        history: History = []
        for before, after in commits(match, Random(f"undo {seats}")):
            history.append((before, after))
            rng = Random(f"undo {after.number}")
            if len(history) > COMMITS or after.outcome is not None:
                break
            assert after.last is not None
            if not after.last.answers:
                continue
            verdict = find_disclosure(before, after.last)
            verdicts[verdict] += 1
            if verdict is None:
                found = find_by_dealing(before, after, rng, LOOKALIKES) or find_by_changing(
                    history, rng
                )
                assert after.draws == before.draws
                assert not found, f"{after.last.answers} is taken back, but {found}"
            elif verdict is Disclosure.DRAWN:
                assert after.draws != before.draws
            elif any(event.discloses for event in after.last.events):
                # So likely that no deal may have been without it; it was hidden all the same.
                assert (
                    verdict in tuple(event.discloses for event in after.last.events)
                    or verdict is Disclosure.OPENED
                )
            elif verdict is not Disclosure.OPENED and not is_partly_secret(before, after):
                found = find_by_dealing(before, after, rng, MOST_LOOKALIKES, with_orders=True)
                found = found or find_by_changing(history, rng)
                assert found, f"{after.last.answers} stands, but nobody has learnt anything from it"
    assert verdicts[None]
    if not has_secrets(ALL[game_id]):
        assert verdicts.keys() <= {None, Disclosure.DRAWN}
