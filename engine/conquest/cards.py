"""Arts & Culture Cards drawn and turned up.

"You may reveal it at any time": the offer to do so is in offers.py. What a card does is done where
it matters, for whoever shows it (`Nation.shows`); the Battle cards are in battle_rolls.py, those
for one use in Building in build_list.py. A card works from the moment it is shown and changes
nothing that has been told before.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import CARD_KEYS, CARDS
from engine.conquest.events import CardDrawn, CardMissed, CardRevealed, CardsRevealed
from engine.conquest.pieces import HandCard
from engine.conquest.reasons import Objection
from engine.core.decision import Seat
from engine.core.event import Tell
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State


REACTING = ("tapu", "forest")
"""Cards that are shown by their use alone."""


def card_objection(state: "State", seat: int, key: str) -> Objection:
    """Return why a seat cannot show that card just so: it must hold it face down, and not show
    it by its use alone.
    """
    if key not in CARDS:
        return None
    card = next((card for card in state.nations[seat].hand if card.key == key), None)
    reason = ""
    if card is None:
        reason = "no_such_card"
    elif card.up:
        reason = "card_is_up"
    elif key in REACTING:
        reason = "shown_by_use"
    return (reason, {"card": key}) if reason else None


def revealable(state: "State", seat: int) -> tuple[str, ...]:
    """Face-down cards that the seat may show at any time."""
    hidden = state.nations[seat].hidden
    return tuple(key for key in CARD_KEYS if key in hidden and not card_objection(state, seat, key))


def draw_card(state: "State", seat: Seat, table: Table) -> "State":
    """The top card of the deck, seen by nobody else; the table draws from a deck that has no
    order.
    """
    if not state.deck:
        table.tell(CardMissed(seat))
        return state
    card = table.choose(state.deck)
    table.tell(CardDrawn(seat, card))
    hand = (*state.nations[seat].hand, HandCard(card))
    deck = tuple(key for key in state.deck if key != card)
    return state.changed(deck=deck).with_nation(seat, hand=hand)


def show_card(state: "State", seat: int, key: str, tell: Tell, used: bool = False) -> "State":
    """A card turned up, and marked as used if it works once and does so now."""
    hand = state.nations[seat].hand
    if any(card.key == key and not card.up for card in hand):
        tell(CardRevealed(Seat(seat), key))
    return turn_up(state, seat, key, used)


def show_cards(state: "State", seat: int, keys: tuple[str, ...], tell: Tell) -> "State":
    """Several cards turned up together."""
    if not keys:
        return state
    tell(CardsRevealed(Seat(seat), keys))
    hand = state.nations[seat].hand
    shown = tuple(replace(card, up=card.up or card.key in keys) for card in hand)
    return state.with_nation(seat, hand=shown)


def turn_up(state: "State", seat: int, key: str, used: bool = False) -> "State":
    """Turn a card face up without an event: playing it tells more."""
    hand = []
    for card in state.nations[seat].hand:
        if card.key == key:
            hand.append(HandCard(key, up=True, used=card.used or used))
        else:
            hand.append(card)
    return state.with_nation(seat, hand=tuple(hand))
