"""Arts & Culture Cards shown, and the Battle cards: on which rolls each can act, and when a standing order plays it."""

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from engine.conquest.events import CardRevealed, CardsRevealed
from engine.conquest.hexes import land_at
from engine.conquest.pieces import NOBODY, Battle, HandCard
from engine.core.decision import Seat
from engine.core.event import Tell

if TYPE_CHECKING:
    from engine.conquest.state import State

BATTLE_CARDS: Final = ("clubs", "slings", "mana", "fort", "haka", "cannibals")
"""In the order in which a standing order plays them."""
DEFENCE: Final = ("slings", "fort")
"""For the defender alone."""
MODES: Final = ("each", "hurt", "all", "shown", "none")
"""Ask me after each roll, after one against me; play all my cards, those shown, or none."""
PAUSING: Final = ("each", "hurt")
PANIC: Final = "panic"
REMOVED: Final = "removed"
IGNORED: Final = "ignored"


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
    return state.with_nation(seat, hand=tuple(replace(card, up=card.up or card.key in keys) for card in hand))


def turn_up(state: "State", seat: int, key: str, used: bool = False) -> "State":
    """A card face up without a word: whoever plays it tells more."""
    hand = state.nations[seat].hand
    shown = tuple(HandCard(key, True, card.used or used) if card.key == key else card for card in hand)
    return state.with_nation(seat, hand=shown)


def reading(die: int) -> tuple[int, str]:
    """Which side a die hits, and how: 1 removes an attacker, 2-3 panic one, 4-5 panic a defender, 6 removes one."""
    return (0 if die <= 3 else 1), (REMOVED if die in (1, 6) else PANIC)


def shifted(die: int, side: int) -> int:
    """A die moved by one in a side's favour."""
    return max(1, min(6, die + (1 if side == 0 else -1)))


def suits_role(state: "State", battle: Battle, side: int, card: str) -> bool:
    """Slings are for the defender, the Pa Fort for one who defends an Island Group."""
    if card not in BATTLE_CARDS:
        return False
    if card == "fort" and land_at(state, battle.spot) is None:
        return False
    return side == 1 or card not in DEFENCE


def could_hold(state: "State", battle: Battle, side: int) -> bool:
    """Whether everybody must reckon with a card of that side: a face-down one, or a fitting one face up."""
    seat = battle.seat(side)
    if seat == NOBODY:
        return False
    return any(not card.up or suits_role(state, battle, side, card.key) for card in state.nations[seat].hand)


def can_act(state: "State", battle: Battle, side: int, card: str) -> bool:
    """Whether a card changes the roll just made."""
    die = battle.rolls[-1].die
    hit, result = reading(die)
    if not suits_role(state, battle, side, card) or card in battle.used[side]:
        return False
    match card:
        case "haka":
            return True
        case "clubs" | "slings":
            return reading(shifted(die, side)) != (hit, result)
        case "cannibals":
            return hit != side and result == PANIC
        case "mana":
            return hit == side and result == REMOVED
    return hit == side


def playable(state: "State", battle: Battle, side: int, face_down: bool = True) -> tuple[str, ...]:
    """The side's cards that can act on the roll just made."""
    hand = state.nations[battle.seat(side)].hand
    held = {card.key for card in hand if card.up or face_down}
    return tuple(card for card in BATTLE_CARDS if card in held and can_act(state, battle, side, card))


def by_order(state: "State", battle: Battle, side: int) -> str:
    """The card a standing order plays on this roll: on one against the side, or Cannibalism on an enemy's Panic."""
    mode = battle.modes[side]
    if mode not in ("all", "shown"):
        return ""
    hit = battle.rolls[-1].hit
    cards = playable(state, battle, side, face_down=mode == "all")
    wanted = [card for card in cards if (hit == side) != (card == "cannibals")]
    return next(iter(wanted), "")
