"""The computer players of 0.9.0, kept as they were, for measuring newer ones against them.

Nothing here is improved: a player that changed would no longer be a fixed mark. Only a change of
the rules' interface is followed.
"""

from tests.bench.earlier_players.levels import deal_for, think

__all__ = ["deal_for", "think"]
