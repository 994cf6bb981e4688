"""One seat of a match: what it sees, how its game words it, what it has drafted, and the ids of its
controls.

Panels, hints, lessons and typed moves are built from it.

The custom id of a button or menu in a panel is `<sort>:<match>:<seat>:<turn>:<decision>:<key>`,
made for one seat at one turn of it. The sorts:

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
from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from bot.kernel.room import Room
from bot.ui import MATCH, describe, marked_names, plain_names
from engine import Answer, Decision, Draft, Match, Option, Seat, View
from engine.core.words import Words

CONTROL = (
    rf"(?P<sort>[pgmoucvxhe]):{MATCH}:(?P<seat>[0-9]{{1,2}}):(?P<turn>[0-9]{{1,7}})"
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

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of a pick; none for an empty one."""
        return tuple(self.key.split("+")) if self.key else ()


class SeatContext(Struct, frozen=True, dict=True):
    """One seat of a match that has begun."""

    room: Room
    match: Match
    seat: Seat
    words: Words
    """The wording of the game."""
    players: tuple[str, ...]
    """Everybody's names without markdown, in seat order: for labels, which Discord shows as is."""

    @classmethod
    def of(cls, room: Room, seat: Seat) -> "SeatContext":
        """Gather the context of a seat."""
        return cls(room, room.playing(), seat, describe.words(room), plain_names(room))

    def at(self, match: Match) -> "SeatContext":
        """Return the seat's context at another position of its match."""
        return replace(self, match=match)

    @cached_property
    def view(self) -> View:
        """What the seat sees."""
        # Made when it is needed: of many positions that a typed turn passes through, few are shown.
        return self.match.view(self.seat)

    @cached_property
    def marked(self) -> tuple[str, ...]:
        """Everybody's names for messages, in which markdown is escaped."""
        return marked_names(self.room)

    @property
    def question(self) -> Decision | None:
        """What the seat must answer next."""
        return self.match.question(self.seat)

    @property
    def draft(self) -> Draft:
        """What the seat has drafted, perhaps nothing."""
        return self.match.draft(self.seat)

    def make_custom_id(self, sort: str, kind: str = "", key: str = "") -> str:
        """Return the custom id of a control that is valid for this turn of the seat."""
        return f"{sort}:{self.room.record.id}:{self.seat}:{self.match.turn(self.seat)}:{kind}:{key}"

    def ask(self, decision: Decision) -> str:
        """Return a question or an offer in words, for a message."""
        return self.words.question(decision, self.marked, self.view)

    def name_offer(self, offer: Decision) -> str:
        """Return what an offer is called on a button."""
        return self.words.question(offer, self.players)

    def label(self, decision: Decision, option: Option, brief: bool = False) -> str:
        """Return an option in words; `brief` for a button."""
        return self.words.option(decision, option, self.view, self.players, brief)


class DraftStep(Struct, frozen=True):
    """One answer of a draft."""

    before: Draft
    """The draft without this answer and those after it."""
    question: Decision
    answer: Answer


def list_draft_steps(match: Match, seat: Seat) -> list[DraftStep]:
    """Return the answers of a seat's draft in order."""
    empty = Draft((), (), match.position, match.position.question(seat), None)
    steps: list[DraftStep] = []
    draft = match.draft(seat)
    while draft.answers:
        before = draft.before or empty
        assert before.question is not None  # The answer was given to it.
        steps.insert(0, DraftStep(before, before.question, draft.answers[-1]))
        draft = before
    return steps


def finish_draft(match: Match, seat: Seat) -> Match | None:
    """End every optional sequence that the seat's draft leaves open, as a confirm would.

    Returns None if the seat still has to choose something, or has chosen nothing.
    """
    if not match.draft(seat).answers and not match.has_one_answer(seat):
        return None
    while question := match.question(seat):
        ending = question.ending()
        if ending is None:
            return None
        match = match.pick(Answer(seat, question.kind, (ending.key,)))
    return match


def find_spots(options: Iterable[Option]) -> tuple[str, ...]:
    """Return the spots of the board that options are about, each once."""
    return tuple(dict.fromkeys(option.spot for option in options if option.spot))
