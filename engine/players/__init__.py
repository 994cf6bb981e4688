"""Computer players, for seats that no person holds.

`think` is handed a game, a state as `dealt_for` makes it for the seat, a seed of the player's own
and a level; it never sees a match, whose seed would tell the dice to come. The same three give the
same thought.

mind.py     what a player knows of a game, and what it makes of one of which it knows nothing
search.py   the look-ahead of the strong level, the same for all games
<game>.py   what makes a player good at that game
levels.py   easy, steady and strong
review.py   a match looked at again, once it is over
simple.py   the plain player that knows no game
advice.py   what of a thought is worth telling somebody: good choices, and what they gain
plans.py    a turn planned before it comes, read with the plain player in the others' seats
"""

from engine.players.levels import LEVELS, Level, Thought, dealt_for, think
from engine.players.search import Candidate

__all__ = ["LEVELS", "Candidate", "Level", "Thought", "dealt_for", "think"]
