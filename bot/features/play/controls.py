"""The custom ids of a private panel's buttons and menus.

Each is `<sort>:<match>:<seat>:<turn>:<decision>:<key>`, made for one seat at one turn of it:

p  pick that option; the keys of several are joined by +
g  a menu of options of which several may be chosen; its values are the keys
m  another page of the options: a group, or '_2'; without a key the first
o  More…: the offers, then one of them, perhaps a page of it, then whether to take it now
u  undo; with the key 'all', start over
c  confirm
v  the panel afresh
x  resign
h  a hint; with the key 'take', draft its turn
e  the end of a lesson: 'end' the match too, or play 'on'
"""

import re

from msgspec import Struct

from bot.ui.components import MATCH

CONTROL = (
    rf"(?P<sort>[pgmoucvxhe]):{MATCH}:(?P<seat>\d{{1,2}}):(?P<turn>\d{{1,7}})"
    r":(?P<kind>[a-z0-9_]{0,40}):(?P<key>[a-z0-9+_-]{0,60})"
)
KEY = re.compile(r"[a-z0-9_-]{1,40}")
"""What the value of a menu may be."""

PICK, GROUP, GROUPS, OFFER, UNDO, CONFIRM, VIEW, RESIGN, HINT, LESSON = "pgmoucvxhe"
ALL = "all"
TAKE = "take"
END, PLAY_ON = "end", "on"
OFFER_PAGE = "_"
"""What stands before the name of a page of an offer's options: no option's key begins with it."""


class Control(Struct, frozen=True):
    """The parts of a control's id."""

    sort: str
    match: str
    seat: int
    turn: int
    kind: str = ""
    key: str = ""

    def __str__(self) -> str:
        return f"{self.sort}:{self.match}:{self.seat}:{self.turn}:{self.kind}:{self.key}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of a pick; none for an empty one."""
        return tuple(self.key.split("+")) if self.key else ()
