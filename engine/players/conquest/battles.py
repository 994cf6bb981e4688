"""What comes of a Battle: each roll hits either side alike, until one has nobody left to hit."""

from functools import lru_cache
from math import comb

from msgspec import Struct

from engine.conquest.pieces import Kinds

REMOVED_SHARE = 1 / 3
"""Of three dice that hit a side one removes a piece, and two make one panic."""


class Prospect(Struct, frozen=True):
    """What an attack is expected to bring, on average."""

    win: float
    """The chance to win."""
    saved: float
    """Villages that brave pieces could save."""
    hits: float
    """Hits on the attacker."""
    hits_given: float
    """Hits on the defender."""


class Defence(Struct, frozen=True):
    """What an attack would meet: Battle Pieces in sight, and others that may fight."""

    sure: int
    """Local Warriors."""
    hidden: int = 0
    """Pieces face down, without those that surely do not fight."""
    share: float = 0.0
    """The chance that one of them fights."""

    @property
    def expected(self) -> float:
        """Return how many pieces fight on average."""
        return self.sure + self.hidden * self.share


@lru_cache(maxsize=4096)
def chance_to_win(attackers: int, defenders: int) -> float:
    """Return the chance to win a Battle in which each roll takes a piece from either side alike."""
    if not defenders:
        return 1.0
    chance = 0.0
    for lost in range(attackers):
        # The last roll takes the last defender; the others may come in any order.
        chance += comb(defenders - 1 + lost, lost) / 2.0 ** (defenders + lost)
    return chance


@lru_cache(maxsize=8192)
def expect_battle(attackers: int, defenders: int, villages: int) -> Prospect:
    """Return what comes of an attack on a known defence, with Villages that could be saved."""
    if not defenders:
        return Prospect(1.0, min(attackers, villages), 0.0, 0.0)
    win = saved = hits = 0.0
    for lost in range(attackers):
        chance = comb(defenders - 1 + lost, lost) / 2.0 ** (defenders + lost)
        win += chance
        saved += chance * min(attackers - lost, villages)
        hits += chance * lost
    hits_given = win * defenders
    for lost in range(defenders):
        hits_given += lost * comb(attackers - 1 + lost, lost) / 2.0 ** (attackers + lost)
    return Prospect(win, saved, hits + (1 - win) * attackers, hits_given)


@lru_cache(maxsize=8192)
def expect_attack(attackers: int, defence: Defence, villages: int) -> Prospect:
    """Return what comes of an attack on a defence that is only known by its odds."""
    win = saved = hits = hits_given = 0.0
    for fighting in range(defence.hidden + 1):
        idle = defence.hidden - fighting
        weight = (
            comb(defence.hidden, fighting) * defence.share**fighting * (1 - defence.share) ** idle
        )
        if not weight:
            continue
        one = expect_battle(attackers, defence.sure + fighting, villages)
        win += weight * one.win
        saved += weight * one.saved
        hits += weight * one.hits
        hits_given += weight * one.hits_given
    return Prospect(win, saved, hits, hits_given)


def chance_against(attackers: float, defenders: int) -> float:
    """Return the chance to win with a number of attackers that is only expected."""
    low = int(attackers)
    share = attackers - low
    return (1 - share) * chance_to_win(low, defenders) + share * chance_to_win(low + 1, defenders)


def count_fighters(kinds: Kinds) -> int:
    """Return how many pieces fight in an attack: War Canoes, and the Bands that they carry."""
    return kinds.w + min(kinds.b, kinds.w)
