"""What a roll of a Battle means, and the Battle cards: on which rolls each can act, which a
standing order plays.
"""

from typing import TYPE_CHECKING, Final

from engine.conquest.hexes import land_at
from engine.conquest.pieces import NOBODY, Battle

if TYPE_CHECKING:
    from engine.conquest.state import State

BATTLE_CARDS: Final = ("clubs", "slings", "mana", "fort", "haka", "cannibals")
"""In the order in which a standing order plays them."""
DEFENCE: Final = ("slings", "fort")
"""For the defender alone."""
MODES: Final = ("each", "hurt", "all", "shown", "none")
"""Ask me after each roll, after one against me; play all my cards, those shown, or none."""
PAUSING: Final = ("each", "hurt")
"""The modes that make the match wait after a roll."""
PANIC: Final = "panic"
REMOVED: Final = "removed"
IGNORED: Final = "ignored"


ATTACKER: Final = 0
DEFENDER: Final = 1
"""The two sides of a Battle."""


def reading(die: int) -> tuple[int, str]:
    """Which side a die hits, and how."""
    match die:
        case 1:
            return ATTACKER, REMOVED
        case 2 | 3:
            return ATTACKER, PANIC
        case 4 | 5:
            return DEFENDER, PANIC
    return DEFENDER, REMOVED


def shifted(die: int, side: int) -> int:
    """A die moved by one in a side's favour: up for the attacker, down for the defender."""
    moved = die + 1 if side == ATTACKER else die - 1
    return max(1, min(6, moved))


def role_obstacle(state: "State", battle: Battle, side: int, card: str) -> str:
    """Return the rule by which a card is not for that side of this Battle: a line of [why]; '' if
    it is.

    Slings are for the defender, the Pa Fort for one who defends an Island Group.
    """
    if card not in BATTLE_CARDS:
        return "no_battle_card"
    if side == ATTACKER and card in DEFENCE:
        return "for_defenders"
    return "fort_on_land" if card == "fort" and land_at(state, battle.spot) is None else ""


def suits_role(state: "State", battle: Battle, side: int, card: str) -> bool:
    """Return whether a card is for that side of this Battle."""
    return not role_obstacle(state, battle, side, card)


def could_hold(state: "State", battle: Battle, side: int) -> bool:
    """Whether everybody must reckon with a card of that side: a face-down one, or a fitting one
    face up.
    """
    seat = battle.seat(side)
    if seat == NOBODY:
        return False
    hand = state.nations[seat].hand
    return any(not card.up or suits_role(state, battle, side, card.key) for card in hand)


def card_obstacle(state: "State", battle: Battle, side: int, card: str) -> str:
    """Return the rule by which a card cannot change the roll just made: a line of [why]; '' if it
    can.

    A card may be used in every Battle; once in each, by a ruling.
    """
    if obstacle := role_obstacle(state, battle, side, card):
        return obstacle
    if card in battle.used[side]:
        return "used_in_battle"
    die = battle.rolls[-1].die
    hit, result = reading(die)
    match card:
        case "haka":  # a new roll
            return ""
        case "clubs" | "slings":  # the die moves by one
            return "" if reading(shifted(die, side)) != (hit, result) else "idle_clubs"
        case "cannibals":  # an enemy's Panic becomes a Removal
            return "" if hit != side and result == PANIC else "idle_cannibals"
        case "mana":  # an own Removal becomes a Panic
            return "" if hit == side and result == REMOVED else "idle_mana"
    # The Pa Fort: a roll against the side is ignored.
    return "" if hit == side else "idle_fort"


def can_act(state: "State", battle: Battle, side: int, card: str) -> bool:
    """Return whether a card changes the roll just made."""
    return not card_obstacle(state, battle, side, card)


def playable(state: "State", battle: Battle, side: int, face_down: bool = True) -> tuple[str, ...]:
    """The side's cards that can act on the roll just made."""
    hand = state.nations[battle.seat(side)].hand
    held = {card.key for card in hand if card.up or face_down}
    return tuple(
        card for card in BATTLE_CARDS if card in held and can_act(state, battle, side, card)
    )


def by_order(state: "State", battle: Battle, side: int) -> str:
    """The card a standing order plays on this roll: on one against the side, or Cannibalism on
    an enemy's Panic.
    """
    mode = battle.modes[side]
    if mode not in ("all", "shown"):
        return ""
    is_hit = battle.rolls[-1].hit == side
    for card in playable(state, battle, side, face_down=mode == "all"):
        if is_hit or card == "cannibals":
            return card
    return ""
