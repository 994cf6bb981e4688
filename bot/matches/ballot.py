"""A vote of a table and the rules by which it is decided: plain values and pure functions.

Who is asked is not kept: it is whoever holds a seat when the votes are counted. Somebody who has left counts no more,
and somebody who has come is asked as well. Silence is no consent to anything but to go on.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from bot.clock import DAY
from bot.matches.room import COMPUTER, Person, Room

LASTS = 3 * DAY
"""Seconds that a vote is open."""
AGAIN_AFTER = DAY
"""Seconds before somebody may ask once more what was refused."""

YES, NO = "yes", "no"
GO_ON, PAUSE, END = "on", "pause", "end"
VOID = "void"
"""How a vote ends that has lost its point."""

ABSENT, BACK = "absent", "back"
"""Facts of a vote on somebody who is away: why one may think so, and whether they have said that they are not."""

Rule = Callable[[Mapping[str, int], int, bool], str]
"""Given how many said what, how many are asked and whether the time is over: what was decided, '' if nothing yet."""


class Vote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question to the people of a table, with what they have said so far."""

    match: str
    number: int
    """Counts the votes of a match from 1."""
    kind: str
    by: Person
    """Who asks; the bot itself has the id of a computer."""
    chairs: tuple[Person, ...]
    """Who sat where when it was asked: once it is decided somebody else may."""
    opened: int
    ends: int
    """In seconds since 1970."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What it is about. `seat` is the seat whose owner it is about, who is not asked; `subject` is any other seat."""
    said: dict[int, str] = field(default_factory=dict)
    outcome: str = ""
    """What was decided: an option, or VOID; '' while it is open."""
    why: str = ""
    """Why it has lost its point, in words."""
    closed: int = 0
    message: int = 0
    place: int = 0
    """The channel or thread that the message is in."""
    told: bool = False
    """It is decided, and its message says so."""

    @property
    def is_open(self) -> bool:
        """Whether there is still something to say to it."""
        return not self.outcome


class Carried(Struct, frozen=True):
    """What a vote has led to: the room after it, and what else the same transaction writes."""

    room: Room
    written: dict[str, Any] = field(default_factory=dict)
    then: tuple[Vote, ...] = ()
    """Further votes and offers that it opens; they are numbered when they are written."""


def majority(said: Mapping[str, int], asked: int, over: bool) -> str:
    """More than half of those asked must say yes; a tie means go on as before."""
    if said.get(YES, 0) * 2 > asked:
        return YES
    return NO if over or said.get(NO, 0) * 2 >= asked else ""


def everybody(said: Mapping[str, int], asked: int, over: bool) -> str:
    """All must say yes."""
    if asked and said.get(YES, 0) == asked:
        return YES
    return NO if over or said.get(NO, 0) else ""


def to_go_on(said: Mapping[str, int], asked: int, over: bool) -> str:
    """Yes, unless more than half say no: play rests only as long as most of the table want it to."""
    if said.get(NO, 0) * 2 > asked:
        return NO
    all_have_said = said.get(YES, 0) + said.get(NO, 0) == asked
    return YES if over or all_have_said or said.get(YES, 0) * 2 > asked else ""


def on_a_person(said: Mapping[str, int], asked: int, over: bool) -> str:
    """A majority of the others, of whom there are two at least: nobody is sent away by one person's whim.

    One person alone can only wait for somebody who is absent anyway: their yes counts when the time is over, and until
    then the other need do no more than come back.
    """
    if asked > 1:
        return majority(said, asked, over)
    if said.get(NO, 0):
        return NO
    return (YES if said.get(YES, 0) else NO) if over else ""


def consent(said: Mapping[str, int], asked: int, over: bool) -> str:
    """More than half of those asked must say yes; where there is nobody to ask, nobody need."""
    return majority(said, asked, over) if asked else YES


def until_taken(said: Mapping[str, int], asked: int, over: bool) -> str:
    """Nothing is decided: an offer stands until somebody takes it up, or for its time."""
    return NO if over else ""


def what_now(said: Mapping[str, int], asked: int, over: bool) -> str:
    """Go on, pause or end: all must agree to end, more than half to pause; a tie or silence means go on."""
    if asked and said.get(END, 0) == asked:
        return END
    if said.get(PAUSE, 0) * 2 > asked:
        return PAUSE
    undecided = asked - sum(said.values())
    may_pause = (said.get(PAUSE, 0) + undecided) * 2 > asked
    may_end = said.get(END, 0) + undecided == asked
    return "" if (may_pause or may_end) and not over else GO_ON


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of vote. Table [vote.<name>] words its question and, by option, what has come of it."""

    name: str
    rule: Rule
    carry: Callable[[Room, Vote], Awaitable[Carried]]
    """What happens once it is decided for anything but to go on as before. If that is refused, the vote is void."""
    prepare: Callable[[Room, Vote], Vote] = lambda room, vote: vote
    """With what has to be known of the time when it was asked."""
    check: Callable[[Room, Vote], None] = lambda room, vote: None
    """Refuses what cannot be asked; a vote that is open and would be refused has lost its point."""
    words: Callable[[Room, Vote], dict[str, Any]] = lambda room, vote: vote.facts
    """The facts that its texts fill in; what people wrote must be escaped."""
    among: Callable[[Room, Vote, list[Vote]], None] = lambda room, vote, others: None
    """Refuses, as `check` does, what cannot be asked beside the other open votes of the match, or only beside them."""
    shows: Callable[[Vote], int] | None = None
    """The commit whose board its message shows."""
    options: tuple[str, ...] = (YES, NO)
    lasts: int = LASTS
    for_strangers: bool = False
    """Whether somebody who holds no seat may ask it."""
    is_offer: bool = False
    """Whether it is for anybody to take up, and nobody at the table is asked anything."""


def voters(room: Room, vote: Vote) -> list[int]:
    """Who is asked: all people who hold a seat, but for the one whom it is about.

    Somebody for whom a computer plays until they come back still holds their seat.
    """
    gone = room.match.resigned if room.match else frozenset()
    chairs = enumerate(room.info.chairs)
    about = vote.facts.get("seat")
    return [person.id for seat, person in chairs if person.id != COMPUTER and seat not in gone and seat != about]


def decided(kind: Kind, vote: Vote, asked: list[int], now: float) -> str:
    """What those who are asked have decided by now; '' if nothing yet."""
    said = Counter(option for user, option in vote.said.items() if user in asked)
    return kind.rule(said, len(asked), now >= vote.ends)


def cast(vote: Vote, user: int, option: str) -> Vote:
    """With what somebody says, whatever they said before."""
    return replace(vote, said={**vote.said, user: option})


def is_same(vote: Vote, other: Vote) -> bool:
    """Whether two votes are about the same thing: of such only one is open at a time."""
    return all(vote.facts.get(key) == other.facts.get(key) for key in ("seat", "subject")) and vote.kind == other.kind
