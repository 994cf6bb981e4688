"""Custom positions of Reef, and short ways to play them."""

from msgspec.structs import replace

from engine import Answer, Match, Seat, begin
from engine.core.steps import push
from tests.toy import TOY
from tests.toy.rules import CARDS, Dive, EndRound, React, SettleReactions, Side, State, without

P1, P2, P3, P4 = (Seat(seat) for seat in range(4))


def bidding(*hands: str, **settings: str) -> Match:
    """Return a match at its first bid with these hands, written 'c1 storm'."""
    match = begin(TOY, len(hands), settings, seed="scene")
    held = [tuple(sorted(hand.split())) for hand in hands]
    deck = without(CARDS, *(card for hand in held for card in hand))
    return replace(
        match, base=replace(match.base, sides=tuple(Side(hand) for hand in held), deck=deck)
    )


def reacting(*hands: str, diver: Seat = P1, dives: int = 3) -> Match:
    """Return a match after the tide roll, when everybody but the diver may react."""
    return _at(
        bidding(*hands), React(diver), SettleReactions(), Dive(diver, fresh=True), dives=dives
    )


def diving(*hands: str, dives: int = 3, **side: object) -> Match:
    """Return a match in which the first seat dives in reef a."""
    match = _at(bidding(*hands), Dive(P1, fresh=True), dives=dives)
    return replace(match, base=match.base.with_side(P1, **side))


def _at(match: Match, *steps: object, dives: int) -> Match:
    state: State = replace(match.base, agenda=(), dives=dives, reef="a")
    return replace(match, base=push(state, *steps, EndRound()))


def pick(match: Match, seat: Seat, *words: str) -> Match:
    """Answer one question after another; `+` joins the keys of an answer, offers are 'kind/key'."""
    for word in words:
        kind, _, keys = word.rpartition("/")
        asked = kind or match.question(seat).kind
        match = match.pick(Answer(seat, asked, tuple(keys.split("+"))))
    return match


def play_turn(match: Match, seat: Seat, *words: str) -> Match:
    """Play and confirm a whole turn."""
    return pick(match, seat, *words).confirm(seat)


def draft_text(match: Match, seat: Seat) -> str:
    """Return the draft as a transcript would write it."""
    answers = match.draft(seat).answers
    return " ".join(f"({'+'.join(a.keys)})" if a.forced else "+".join(a.keys) for a in answers)


def kinds_asked(match: Match, seat: Seat) -> list[str]:
    """Return the kinds that the seat is asked, offers last."""
    return [decision.kind for decision in match.decisions(seat)]


def offered_keys(match: Match, seat: Seat) -> list[str]:
    """Return the keys of the seat's first question."""
    return [option.key for option in match.decisions(seat)[0].options]
