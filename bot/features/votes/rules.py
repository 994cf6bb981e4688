"""The kinds of votes and the rules by which they are decided: plain values and pure functions.

Who is asked is not stored: it is everyone who holds a seat when the votes are counted. A player who has left no longer
counts, and one who has joined is asked too. Silence agrees to nothing except going on.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.kernel.change import Change
from bot.kernel.room import Room
from bot.model.match import COMPUTER
from bot.model.votes import Vote
from bot.runtime.clock import DAY

LASTS = 3 * DAY
"""Seconds that a vote is open."""
AGAIN_AFTER = DAY
"""Seconds before somebody may ask again after the table said no."""

YES, NO = "yes", "no"
GO_ON, PAUSE, END = "on", "pause", "end"
VOID = "void"
"""The outcome of a vote that has become pointless."""
TAKE, WITHDRAW = "take", "withdraw"
"""The buttons of an offer: one for newcomers, one for the person who made it."""

ABSENT, BACK = "absent", "back"
"""Facts of a vote about an absent player: why they seem absent, and whether they have said that they are back."""

Rule = Callable[[Mapping[str, int], int, bool], str]
"""Takes the number of voters per option, the number asked, and whether the time is over.

Returns the option that was decided on, '' if none is yet."""


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
    """Yes, unless more than half say no: a match stays paused only while most of the table want it to."""
    if said.get(NO, 0) * 2 > asked:
        return NO
    all_have_said = said.get(YES, 0) + said.get(NO, 0) == asked
    return YES if over or all_have_said or said.get(YES, 0) * 2 > asked else ""


def on_a_person(said: Mapping[str, int], asked: int, over: bool) -> str:
    """A majority of the others, if there are at least two: nobody is removed on one person's whim.

    A single voter can only outwait somebody who is absent: their yes counts when the time is over, and until then the
    absent player only has to come back.
    """
    if asked > 1:
        return majority(said, asked, over)
    if said.get(NO, 0):
        return NO
    return (YES if said.get(YES, 0) else NO) if over else ""


def consent(said: Mapping[str, int], asked: int, over: bool) -> str:
    """More than half of those asked must say yes; with nobody to ask, it passes."""
    return majority(said, asked, over) if asked else YES


def until_taken(said: Mapping[str, int], asked: int, over: bool) -> str:
    """Never passes: an offer stands until somebody takes it up or its time is over."""
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
    """A kind of vote. Table [vote.<name>] words its question and, by option, its result."""

    name: str
    rule: Rule
    carry_out: Callable[[Change, Vote, Any], Change] = lambda change, vote, loaded: change
    """Does what was decided, unless that is to go on as before. If it is refused, the vote is void."""
    load: Callable[[Room, Vote], Awaitable[Any]] | None = None
    """Reads what `carry_out` needs to know besides the match."""
    opens: Callable[[Room, Vote], tuple[Vote, ...]] = lambda room, vote: ()
    """Returns further votes and offers that it leads to; they are numbered when they are written."""
    prepare: Callable[[Room, Vote], Vote] = lambda room, vote: vote
    """Adds to a new vote what has to be known of the moment at which it is asked."""
    check: Callable[[Room, Vote], None] = lambda room, vote: None
    """Refuses what cannot be asked; an open vote that would be refused has become pointless."""
    among: Callable[[Room, Vote, list[Vote]], None] = lambda room, vote, others: None
    """Refuses, as `check` does, what cannot be asked given the other open votes of the match."""
    words: Callable[[Room, Vote], dict[str, Any]] = lambda room, vote: vote.facts
    """Returns the facts that its texts fill in; what people wrote must be escaped."""
    board: Callable[[Room, Vote], Awaitable[Room]] | None = None
    """Finds the position whose board its message shows."""
    options: tuple[str, ...] = (YES, NO)
    lasts: int = LASTS
    """In seconds."""
    for_strangers: bool = False
    """Whether it is somebody without a seat who asks, for one."""
    is_offer: bool = False
    """Whether it is open to anybody to take up, and nobody at the table is asked anything."""


def voters(room: Room, vote: Vote) -> list[int]:
    """Return who is asked: everyone who holds a seat, except the one whom it is about.

    A player for whom a computer plays until they come back still holds their seat.
    """
    gone = room.match.resigned if room.match else frozenset()
    chairs = enumerate(room.record.chairs)
    about = vote.facts.get("seat")
    return [person.id for seat, person in chairs if person.id != COMPUTER and seat not in gone and seat != about]


def decided(kind: Kind, vote: Vote, asked: list[int], now: float) -> str:
    """Return what those who are asked have decided by now; '' if nothing yet."""
    said = Counter(option for user, option in vote.said.items() if user in asked)
    return kind.rule(said, len(asked), now >= vote.ends)


def cast(vote: Vote, user: int, option: str) -> Vote:
    """Return a vote with what somebody says, whatever they said before."""
    return replace(vote, said={**vote.said, user: option})


def is_same(vote: Vote, other: Vote) -> bool:
    """Return whether two votes are about the same thing: only one such vote is open at a time."""
    return all(vote.facts.get(key) == other.facts.get(key) for key in ("seat", "subject")) and vote.kind == other.kind
