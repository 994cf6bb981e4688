"""Arts & Culture Cards: drawing them and turning them face up.

"You may reveal it at any time": that offer is made in offers.py. A card's effect is implemented
where it matters, for a seat that shows the card (`Nation.shows`); Battle cards are in
battle_rolls.py, single-use cards for the Building Step in build_list.py. A card works from the
moment it is shown, and never changes what has already happened.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import CARD_KEYS, CARDS
from engine.conquest.events import CardDrawn, CardMissed, CardRevealed, CardsRevealed
from engine.conquest.pieces import HandCard
from engine.conquest.refusals import Refusal
from engine.core.decision import Seat
from engine.core.event import Tell
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State


SHOWN_ONLY_BY_USE = ("tapu", "forest")
"""Cards that can be revealed only by playing them: Tapu and Deforestation."""


def card_refusal(state: "State", seat: int, key: str) -> Refusal:
    """Return why a seat cannot simply reveal a card."""
    if key not in CARDS:
        return None
    card = next((card for card in state.nations[seat].hand if card.key == key), None)
    reason = ""
    if card is None:
        reason = "no_such_card"
    elif card.up:
        reason = "card_is_up"
    elif key in SHOWN_ONLY_BY_USE:
        reason = "shown_by_use"
    return (reason, {"card": key}) if reason else None


def revealable_cards(state: "State", seat: int) -> tuple[str, ...]:
    """Return the face-down cards that the seat may reveal at any time."""
    hidden = state.nations[seat].hidden
    return tuple(key for key in CARD_KEYS if key in hidden and not card_refusal(state, seat, key))


def draw_card(state: "State", seat: Seat, table: Table) -> "State":
    """Draw a card for a seat; nobody else sees it.

    The deck has no order, so that a saved match does not reveal the cards to come: the table
    picks one at random.
    """
    if not state.deck:
        table.tell(CardMissed(seat))
        return state
    card = table.choose(state.deck)
    table.tell(CardDrawn(seat, card))
    hand = (*state.nations[seat].hand, HandCard(card))
    deck = tuple(key for key in state.deck if key != card)
    return state.with_changes(deck=deck).with_nation(seat, hand=hand)


def show_card(state: "State", seat: int, key: str, tell: Tell, used: bool = False) -> "State":
    """Turn a card face up, and mark it as used if it is played now and works once."""
    hand = state.nations[seat].hand
    if any(card.key == key and not card.up for card in hand):
        tell(CardRevealed(Seat(seat), key))
    return turn_card_up(state, seat, key, used)


def show_cards(state: "State", seat: int, keys: tuple[str, ...], tell: Tell) -> "State":
    """Turn several cards face up together."""
    if not keys:
        return state
    tell(CardsRevealed(Seat(seat), keys))
    hand = state.nations[seat].hand
    shown = tuple(replace(card, up=card.up or card.key in keys) for card in hand)
    return state.with_nation(seat, hand=shown)


def turn_card_up(state: "State", seat: int, key: str, used: bool = False) -> "State":
    """Turn a card face up without an event, where playing it already has one."""
    hand = []
    for card in state.nations[seat].hand:
        if card.key == key:
            hand.append(HandCard(key, up=True, used=card.used or used))
        else:
            hand.append(card)
    return state.with_nation(seat, hand=tuple(hand))
