"""The result of a Battle roll, and Battle cards: when each one acts, and which an order plays.

A refusal key is the key of a [why] text that says why a card cannot be played, or '' if it can.
"""

from typing import TYPE_CHECKING, Final

from engine.conquest.hexes import land_at
from engine.conquest.pieces import NOBODY, Battle

if TYPE_CHECKING:
    from engine.conquest.state import State

BATTLE_CARDS: Final = ("clubs", "slings", "mana", "fort", "haka", "cannibals")
"""In the order in which a standing order plays them."""
DEFENDER_CARDS: Final = ("slings", "fort")
"""Cards for the defender only."""
MODES: Final = ("each", "hurt", "all", "shown", "none")
"""Ask me after each roll, or after one against me; play all my cards, those face up, or none."""
PAUSING_MODES: Final = ("each", "hurt")
"""Modes that make the match wait after a roll."""
PANIC: Final = "panic"
REMOVED: Final = "removed"
IGNORED: Final = "ignored"

ATTACKER: Final = 0
"""The attacker's index in a Battle's pairs."""
DEFENDER: Final = 1
"""The defender's index in a Battle's pairs."""


def read_die(die: int) -> tuple[int, str]:
    """Return which side a die hits, and how."""
    match die:
        case 1:
            return ATTACKER, REMOVED
        case 2 | 3:
            return ATTACKER, PANIC
        case 4 | 5:
            return DEFENDER, PANIC
    return DEFENDER, REMOVED


def shift_die(die: int, side: int) -> int:
    """Return a die moved by one in a side's favour: up for the attacker, down for the defender."""
    shifted = die + 1 if side == ATTACKER else die - 1
    return max(1, min(6, shifted))


def role_refusal_key(state: "State", battle: Battle, side: int, card: str) -> str:
    """Return the refusal key of a card that is not for this side of the Battle; '' if it is.

    Slings are for the defender, the Pa Fort for the defender of an Island Group.
    """
    if card not in BATTLE_CARDS:
        return "no_battle_card"
    if side == ATTACKER and card in DEFENDER_CARDS:
        return "for_defenders"
    if card == "fort" and land_at(state, battle.spot) is None:
        return "fort_on_land"
    return ""


def suits_role(state: "State", battle: Battle, side: int, card: str) -> bool:
    """Return whether a card is for this side of the Battle."""
    return not role_refusal_key(state, battle, side, card)


def could_hold_battle_card(state: "State", battle: Battle, side: int) -> bool:
    """Return whether a side might play a card, by what everybody can see of its hand."""
    seat = battle.seat(side)
    if seat == NOBODY:
        return False
    hand = state.nations[seat].hand
    return any(not card.up or suits_role(state, battle, side, card.key) for card in hand)


def card_refusal_key(state: "State", battle: Battle, side: int, card: str) -> str:
    """Return the refusal key of a card that cannot change the roll just made; '' if it can.

    A Battle card may be used in every Battle; ruling: once in each.
    """
    if refusal_key := role_refusal_key(state, battle, side, card):
        return refusal_key
    if card in battle.used[side]:
        return "used_in_battle"
    die = battle.rolls[-1].die
    hit, result = read_die(die)
    match card:
        case "haka":
            # The die is rolled again.
            return ""
        case "clubs" | "slings":
            # The die is shifted by one, which does not always change its result.
            return "" if read_die(shift_die(die, side)) != (hit, result) else "idle_clubs"
        case "cannibals":
            # An enemy piece that would panic is Removed.
            return "" if hit != side and result == PANIC else "idle_cannibals"
        case "mana":
            # A piece of this side that would be Removed panics.
            return "" if hit == side and result == REMOVED else "idle_mana"
    # The Pa Fort: a roll against this side is ignored.
    return "" if hit == side else "idle_fort"


def changes_roll(state: "State", battle: Battle, side: int, card: str) -> bool:
    """Return whether a card changes the roll just made."""
    return not card_refusal_key(state, battle, side, card)


def playable_cards(
    state: "State", battle: Battle, side: int, face_down: bool = True
) -> tuple[str, ...]:
    """Return a side's cards that change the roll just made."""
    hand = state.nations[battle.seat(side)].hand
    keys = {card.key for card in hand if card.up or face_down}
    return tuple(
        card for card in BATTLE_CARDS if card in keys and changes_roll(state, battle, side, card)
    )


def card_by_standing_order(state: "State", battle: Battle, side: int) -> str:
    """Return the card that a standing order plays on this roll; '' for none.

    It plays cards on rolls against its side, and Cannibalism on an enemy's Panic.
    """
    mode = battle.modes[side]
    if mode not in ("all", "shown"):
        return ""
    is_hit = battle.rolls[-1].hit == side
    for card in playable_cards(state, battle, side, face_down=mode == "all"):
        if is_hit or card == "cannibals":
            return card
    return ""
