"""Custom ids: all that a component knows when it is pressed, so that a restart loses nothing.

p:<match>:<seat>:<turn>:<decision>:<key>     pick that option; keys of several picks are joined by +
g:<match>:<seat>:<turn>:<decision>:          a menu of options of which several may be chosen; its values are keys
m:<match>:<seat>:<turn>:<decision>:<page>    another page of the options: a group, or '_2'; none: the first
o:<match>:<seat>:<turn>:<decision>:<key>     More…: the offers, then one of them, perhaps a page of it, then 'now?'
u: undo (key 'all': start over)   c: confirm   v: the panel afresh   x: resign
h: a hint (key 'take': its turn drafted); each of these with the same six parts
e:<match>:<seat>:<turn>::<key>               the end of a lesson: 'end' the match too, or play 'on'
l:<match>:<what>   a lobby's buttons and menus
t:<match>:<what>:<post>   the buttons under a turn; <post> is the announcement that the message is, if it is one, or
                          when the call was wanted that it is
b:<match>:<vote>:<what>   what somebody says to a vote
a:<match>:<moment>:<what>:<m>   the buttons under a moment of the past; m if it is seen from one's own seat
z:<match>:<to>:<at>   the table asked to go back to a commit, from where the match stands
k:<match>:<plan>:<what>   a plan kept or dropped
q:<what>:<game>    /help: a way to begin, and with which game
r:<game>:<topic>   a page of the rules
n:<what>:<page>:<match>   /games: a page of one's own matches or of open tables, the next match, a table to join
me:<what>:<call>   the menus and buttons of /me settings and /me delete, and 'all my matches', under a digest with when
                   that was wanted
s:<what>:<page>    the settings of the server in which it is pressed: one to change, or a choice for it
w:<command>:<match>:<options>   a command given again, now that it is said which match was meant; options in JSON
"""

import re

from msgspec import Struct

MATCH = r"(?P<match>[A-Za-z0-9_-]{1,32})"
CONTROL = (
    rf"(?P<sort>[pgmoucvxhe]):{MATCH}:(?P<seat>\d{{1,2}}):(?P<turn>\d{{1,7}})"
    r":(?P<kind>[a-z0-9_]{0,40}):(?P<key>[a-z0-9+_-]{0,60})"
)
LOBBY = rf"l:{MATCH}:(?P<what>[a-z_]{{1,16}})(?::(?P<key>[a-z0-9_]{{1,40}}))?"
TURN = rf"t:{MATCH}:(?P<what>[a-z_]{{1,16}})(?::(?P<post>\d{{1,18}}))?"
AGAIN = rf"w:(?P<command>[a-z-]{{1,24}}):{MATCH}:(?P<given>.*)"
GAMES = rf"n:(?P<what>[a-z]{{1,8}}):(?P<page>\d{{1,3}})(?::{MATCH})?"
ME = r"me:(?P<what>[a-z]{1,16})(?::(?P<call>\d{1,18}))?"
SERVER = r"s:(?P<what>[a-z_]{1,16}):(?P<page>\d{1,3})(?::(?P<key>[a-z0-9_]{1,40}))?"
PAST = rf"a:{MATCH}:(?P<moment>\d{{1,6}}):(?P<what>[a-z]{{1,8}}):(?P<mine>m?)"
VOTE = rf"b:{MATCH}:(?P<vote>\d{{1,6}}):(?P<what>[a-z_]{{1,16}})"
REWIND = rf"z:{MATCH}:(?P<to>\d{{1,6}}):(?P<at>[0-9a-f]{{16}})"
PLAN = rf"k:{MATCH}:(?P<plan>\d{{1,20}}):(?P<what>keep|drop)"
HELP = r"q:(?P<what>[a-z]{1,8})(?::(?P<game>[a-z0-9_]{1,40}))?"
RULES = r"r:(?P<game>[a-z0-9_]{1,40}):(?P<topic>[a-z0-9_-]{0,40})"

PICK, GROUP, GROUPS, OFFER, UNDO, CONFIRM, VIEW, RESIGN, HINT, LESSON = "pgmoucvxhe"
ALL = "all"
TAKE = "take"
PAGE = "page-"
"""What stands in the place of a match for a page of those that a command may mean: no match has a hyphen."""
END, PLAY_ON = "end", "on"
OFFER_PAGE = "_"
"""What stands before the name of a page of an offer's options: no option's key begins with it."""

KEY = re.compile(r"[a-z0-9_-]{1,40}")
"""What the value of a menu may be."""


class Control(Struct, frozen=True):
    """A control of a private panel, made for one seat at one turn of it."""

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


def lobby(match: str, what: str, key: str = "") -> str:
    """The id of a lobby's button or menu."""
    return f"l:{match}:{what}:{key}" if key else f"l:{match}:{what}"


def turn(match: str, what: str, post: int | None = None) -> str:
    """The id of a button under a turn's public message; `post` tells the posts of a match apart."""
    return f"t:{match}:{what}" if post is None else f"t:{match}:{what}:{post}"


def me(what: str, call: int | None = None) -> str:
    """The id of a menu or button about the person who presses it; `call` tells the digests apart."""
    return f"me:{what}" if call is None else f"me:{what}:{call}"


def vote(match: str, number: int, what: str) -> str:
    """The id of a button under a vote."""
    return f"b:{match}:{number}:{what}"


def rewind(match: str, to: int, at: str) -> str:
    """The id of a button that asks the table to go back."""
    return f"z:{match}:{to}:{at}"


def plan(match: str, number: int, what: str) -> str:
    """The id of a button that keeps or drops a plan."""
    return f"k:{match}:{number}:{what}"


def help(what: str, game: str = "") -> str:
    """The id of a button of /help."""
    return f"q:{what}:{game}" if game else f"q:{what}"


def rules(game: str, topic: str = "") -> str:
    """The id of a rules menu."""
    return f"r:{game}:{topic}"


def games(what: str, page: int = 0, match: str = "") -> str:
    """The id of a control of /games."""
    return f"n:{what}:{page}:{match}" if match else f"n:{what}:{page}"


def server(what: str, page: int = 0, key: str = "") -> str:
    """The id of a control of a server's settings."""
    return f"s:{what}:{page}:{key}" if key else f"s:{what}:{page}"


def again(command: str, match: str, given: str) -> str:
    """The id of a button that gives a command again, for that match."""
    return f"w:{command}:{match}:{given}"


def past(match: str, moment: int, what: str, mine: bool) -> str:
    """The id of a button under a moment of the past."""
    return f"a:{match}:{moment}:{what}:{'m' if mine else ''}"
