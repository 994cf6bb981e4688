"""Computer players, for seats that no person holds, and for hints and reviews.

`think` is given a game, a state as `deal_for` makes it for the seat, a seed of the player's own,
and a level; it never sees a match, whose seed would tell the dice to come. The same arguments give
the same thought. `continue_turn` does the same for a person who is in the middle of a turn.

mind.py        what a player knows of a game, and a plain mind for games without any knowledge
search.py      the look-ahead of the strong level, the same for all games
<game>.py      what makes a player good at that game
levels.py      first steps, easy, steady and strong
characters.py  raider, gardener, trader and hermit, who play alike well and differ in taste
review.py      the deciding turns of a finished match
simple.py      the plain player that needs no knowledge of the game
advice.py      good choices for a person, and what they gain
lesson.py      what a coach tells a newcomer, and when
plans.py       a turn planned before it comes, tried out with the plain player in the others' seats
"""

from engine.players.characters import CHARACTERS, Character
from engine.players.levels import LEVELS, Level, Thought, continue_turn, deal_for, think
from engine.players.search import Candidate

__all__ = [
    "CHARACTERS",
    "LEVELS",
    "Candidate",
    "Character",
    "Level",
    "Thought",
    "continue_turn",
    "deal_for",
    "think",
]
