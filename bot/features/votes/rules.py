"""The kinds of votes and the rules by which they are decided: plain values and pure functions.

Who may vote is not stored: it is the people who hold seats when the votes are counted. Players who
have left no longer count, and those who have joined do. Not answering never helps a vote pass,
except a vote to go on.

KINDS lists what a table can always vote on. Other features register further kinds: see
Votes.register.
"""

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.features.reminders.rules import REMIND
from bot.kernel import post_rules
from bot.kernel.change import Change
from bot.kernel.room import SILENT, Room
from bot.model import COMPUTER, Job, Person, SeatChange, Status, Vote
from bot.posts.places import RENAME
from bot.runtime.base import DAY, Refused
from bot.text import say
from engine import Seat

VOTE_SECONDS = 3 * DAY
"""How long a vote stays open."""
ASK_AGAIN_SECONDS = DAY
"""How long to wait before asking again after the table said no."""

YES, NO = "yes", "no"
GO_ON, PAUSE, END = "on", "pause", "end"
VOID = "void"
"""The outcome of a vote that has become pointless."""
TAKE, WITHDRAW = "take", "withdraw"
"""The buttons of an offer: one for newcomers, one for the person who made it."""

ABSENT, ANSWERED, BACK = "absent", "answered", "back"
"""Facts of a vote about an absent player.

Why they seem absent, how much they had answered when it was asked, and whether they say that they
are back.
"""

Rule = Callable[[Counter[str], int, bool], str]
"""Takes the number of voters per option, the number asked, and whether the time is over.

Returns the option that was decided on, '' if none is yet."""
CarryOut = Callable[[Change, Vote], Change]
"""Does what a vote has decided."""


# When a vote is decided.


def majority(said: Counter[str], asked: int, over: bool) -> str:
    """More than half of those asked must say yes; a tie means go on as before."""
    if said[YES] * 2 > asked:
        return YES
    return NO if over or said[NO] * 2 >= asked else ""


def everybody(said: Counter[str], asked: int, over: bool) -> str:
    """Pass only if everyone asked says yes."""
    if asked and said[YES] == asked:
        return YES
    return NO if over or said[NO] else ""


def to_go_on(said: Counter[str], asked: int, over: bool) -> str:
    """Pass unless more than half say no: only a majority keeps a match paused."""
    if said[NO] * 2 > asked:
        return NO
    all_have_said = said[YES] + said[NO] == asked
    return YES if over or all_have_said or said[YES] * 2 > asked else ""


def on_a_person(said: Counter[str], asked: int, over: bool) -> str:
    """Pass with a majority of the other players, if there are at least two of them.

    A single voter cannot remove somebody on a whim: their yes counts only when the time is up, and
    until then the absent player just has to come back.
    """
    if asked > 1:
        return majority(said, asked, over)
    if said[NO]:
        return NO
    if not over:
        return ""
    return YES if said[YES] else NO


def consent(said: Counter[str], asked: int, over: bool) -> str:
    """More than half of those asked must say yes; with nobody to ask, it passes."""
    return majority(said, asked, over) if asked else YES


def until_taken(said: Counter[str], asked: int, over: bool) -> str:
    """Never pass: an offer stays open until somebody takes it or time runs out."""
    return NO if over else ""


def what_now(said: Counter[str], asked: int, over: bool) -> str:
    """Choose between carrying on, pausing and ending.

    Ending must be unanimous, pausing needs more than half; otherwise the match carries on.
    """
    if asked and said[END] == asked:
        return END
    if said[PAUSE] * 2 > asked:
        return PAUSE
    undecided = asked - said.total()
    may_pause = (said[PAUSE] + undecided) * 2 > asked
    may_end = said[END] + undecided == asked
    return "" if (may_pause or may_end) and not over else GO_ON


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of vote. Table [vote.<name>] words its question and, by option, its result."""

    name: str
    rule: Rule
    """What it needs to pass."""
    carry_out: CarryOut = lambda change, vote: change
    """Does what was decided, unless that is to go on as before.

    If it is refused, the vote is void.
    """
    load_carry_out: Callable[[Room, Vote], Awaitable[CarryOut]] | None = None
    """Loads data beyond the match and returns the function to use instead of `carry_out`."""
    follow_up: Callable[[Room, Vote], Vote] | None = None
    """Returns another vote or offer that this one leads to.

    It gets its number when it is written.
    """
    check: Callable[[Room, Vote], None] = lambda room, vote: None
    """Refuses what cannot be asked; an open vote that would be refused has become pointless."""
    check_others: Callable[[Room, Vote, list[Vote]], None] = lambda room, vote, others: None
    """Like `check`, but against the other open votes of the match."""
    text_facts: Callable[[Room, Vote], dict[str, Any]] = lambda room, vote: vote.facts
    """Returns the facts for its texts. Anything people typed must be escaped."""
    find_board: Callable[[Room, Vote], Awaitable[Room]] | None = None
    """Finds the position to show in its message."""
    options: tuple[str, ...] = (YES, NO)
    lasts: int = VOTE_SECONDS
    """In seconds."""
    notes_absence: bool = False
    """Whether it is about a player who may be absent: the reason, and how much they have
    answered, become facts.
    """
    for_strangers: bool = False
    """Whether the person asking has no seat and wants one."""
    is_offer: bool = False
    """Whether it is open to anybody to take up, and nobody at the table is asked anything."""


def voters(room: Room, vote: Vote) -> list[int]:
    """Return who is asked: everyone who holds a seat, except the one whom it is about.

    A player for whom a computer plays until they come back still holds their seat.
    """
    seats = range(len(room.record.chairs))
    return room.people(Seat(seat) for seat in seats if seat != vote.facts.get("seat"))


def missing_voters(room: Room, vote: Vote, kind: Kind) -> list[int]:
    """Return the voters who have not answered yet."""
    if not vote.is_open or kind.is_offer:
        return []
    return [user for user in voters(room, vote) if user not in vote.said]


def outcome(room: Room, vote: Vote, kind: Kind, now: float) -> str:
    """Return what those who are asked have decided by now; '' if nothing yet."""
    asked = voters(room, vote)
    said = Counter(option for user, option in vote.said.items() if user in asked)
    return kind.rule(said, len(asked), now >= vote.ends)


def is_same(vote: Vote, other: Vote) -> bool:
    """Return whether two votes are about the same thing: only one such vote is open at a time."""
    if vote.kind != other.kind:
        return False
    return all(vote.facts.get(key) == other.facts.get(key) for key in ("seat", "subject"))


# What may be asked.


def must_not_be_on_hold(room: Room, vote: Vote) -> None:
    """Refuse to pause a match that is paused."""
    if room.record.status is Status.ON_HOLD:
        raise Refused("vote.paused_already")


def must_be_on_hold(room: Room, vote: Vote) -> None:
    """Refuse to resume a match that is not paused."""
    if room.record.status is not Status.ON_HOLD:
        raise Refused("vote.not_paused")


def must_be_about_person(room: Room, vote: Vote) -> None:
    """Refuse a vote about a seat without a person, or about the asker's own."""
    seat, match = vote.facts.get("seat"), room.playing()
    if not isinstance(seat, int) or not 0 <= seat < match.seats or seat in match.resigned:
        raise Refused("vote.no_player")
    user = room.record.chairs[seat].id
    if user == COMPUTER:
        raise Refused("vote.no_player")
    if user == vote.by.id:
        raise Refused("vote.yourself")


def note_absence(room: Room, vote: Vote, silent_seconds: int) -> Vote:
    """Note why a player may be thought absent, and how much they have answered so far."""
    must_be_about_person(room, vote)
    seat, match = Seat(vote.facts["seat"]), room.playing()
    absent = vote.facts.get(ABSENT, "")
    owes_decision = room.record.status is Status.RUNNING and seat in match.waiting_for()
    if absent:
        # Discord has said that they left.
        pass
    elif seat in match.away:
        absent = "away"
    elif room.is_expired(seat):
        absent = "expired"
    elif owes_decision and silent_seconds >= SILENT:
        absent = "silent"
    return replace(vote, facts={**vote.facts, ABSENT: absent, ANSWERED: match.answered[seat]})


def must_be_absent(room: Room, vote: Vote) -> None:
    """Refuse a vote about a player who is there."""
    must_be_about_person(room, vote)
    if not vote.facts[ABSENT]:
        raise Refused("vote.not_absent")
    has_acted = room.playing().answered[vote.facts["seat"]] > vote.facts[ANSWERED]
    if has_acted or vote.facts.get(BACK):
        raise Refused("vote.back")


def must_be_removable(room: Room, vote: Vote) -> None:
    """Refuse a removal that one person alone would decide, unless the player is absent."""
    must_be_about_person(room, vote)
    if len(voters(room, vote)) > 1:
        return
    if not vote.facts[ABSENT]:
        raise Refused("vote.one_alone")
    must_be_absent(room, vote)


def absence_words(room: Room, vote: Vote) -> dict[str, Any]:
    """Return the facts for the words of a vote about a player who may be absent."""
    absent = vote.facts[ABSENT]
    return {"seat": vote.facts["seat"], "absent": say(f"vote.absent.{absent}") if absent else ""}


# What is done when a vote passes.


def pause(change: Change, vote: Vote) -> Change:
    """Put the match on hold until the table wants to go on."""
    return change.update(status=Status.ON_HOLD)


def resume(change: Change, vote: Vote) -> Change:
    """Let the match go on, and tell those who are to move again."""
    # It may have lost its place meanwhile.
    status = Status.PAUSED if change.after.record.paused_for else Status.RUNNING
    awaited = change.after.people(post_rules.people_to_move(change.after.playing()))
    change = change.update(status=status, last_activity_at=vote.closed)
    return change.cancel_jobs(*((REMIND, user) for user in awaited)).post_again()


def call_off(change: Change, vote: Vote) -> Change:
    """End the match without a result."""
    return change.update(status=Status.CALLED_OFF, result_unannounced=True)


def hand_to_computer(change: Change, vote: Vote) -> Change:
    """Have a computer play a seat until its owner is back or somebody takes it over."""
    seat, match = Seat(vote.facts["seat"]), change.after.playing()
    if seat not in match.humans():
        return change
    handed = match.hand_over(seat, to_computer=True)
    # A post tells of it, even if a computer moves next.
    return replace(change.play(handed), announce_up_to=handed.number)


def remove(change: Change, vote: Vote) -> Change:
    """Have a computer take over a player's seat, under their name.

    To return, the player has to take a seat like anybody else.
    """
    seat, record = Seat(vote.facts["seat"]), change.after.record
    since = change.after.playing().number + 1
    computer = replace(record.chairs[seat], id=COMPUTER, level=record.terms.stand_in)
    return seat_person(hand_to_computer(change, vote), seat, computer, since, "removed")


def seat_person(change: Change, seat: Seat, person: Person, since: int, why: str) -> Change:
    """Put somebody else into a seat from commit `since` on, and have the thread renamed.

    If the host leaves, the next person in seat order becomes host.
    """
    record = change.after.record
    was = record.chairs[seat]
    chairs = (*record.chairs[:seat], person, *record.chairs[seat + 1 :])
    people = [chair.id for chair in chairs if chair.id != COMPUTER]
    note = SeatChange(seat, since, person.id, person.name, was.id, was.name, why)
    return change.update(
        chairs=chairs,
        host=record.host if record.host in people or not people else people[0],
        # The next player must not see what the one before has planned.
        plans=tuple(plan for plan in record.plans if plan.seat != seat),
        seat_changes=(*record.seat_changes, note),
    ).schedule(Job(RENAME, change.now, change.match_id))


KINDS = (
    Kind(name="pause", rule=majority, check=must_not_be_on_hold, carry_out=pause),
    Kind(name="resume", rule=to_go_on, check=must_be_on_hold, carry_out=resume),
    Kind(name="end", rule=everybody, carry_out=call_off),
    Kind(
        name="remove",
        rule=on_a_person,
        notes_absence=True,
        check=must_be_removable,
        carry_out=remove,
        text_facts=absence_words,
    ),
)
