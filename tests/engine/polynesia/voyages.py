"""Matches whose players sail far, so that guides and masks come up as they rarely do at random."""

from random import Random

from engine import Answer, Match
from engine.polynesia.board import tide_cards
from tests.transcripts.polynesia.aims import far_islands

AT_RANDOM = 0.15
"""The share of answers that are random, and not chosen to sail far."""
CARDS = [(seats, card.id) for card in tide_cards().values() for seats in card.players][::2]
"""Every Tide card, with every second number of seats that it may be used with."""


def voyage(match: Match, rng: Random) -> list[Match]:
    """Return a match between seafarers, draft by draft."""
    stood = [match]
    while match.outcome is None:
        (seat,) = match.waiting_for()
        decision = next((d for d in match.decisions(seat) if d.blocking), None)
        if decision is None:
            match = match.confirm(seat)
        else:
            judge = far_islands(match)
            best = min(map(judge, decision.options)) if rng.random() > AT_RANDOM else None
            liked = [o for o in decision.options if best is None or judge(o) == best]
            match = match.pick(Answer(seat, decision.kind, (rng.choice(liked).key,)))
        stood.append(match)
    return stood
