"""The kinds of votes and how they are decided, as pure functions without database or Discord.

Who may vote is not stored: voters are the people who hold seats when the votes are counted.
Players who have left no longer count, and those who have joined do. Not answering never helps a
vote pass, except a vote to resume a paused match.

KINDS lists the votes that every match has. Other features register further kinds with
Votes.register. Open votes are stored with the name of their kind and its options, so renaming one
needs a migration.
"""

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.features.reminders.rules import REMIND
from bot.kernel import post_rules
from bot.kernel.change import Change
from bot.kernel.room import SILENCE_SECONDS, Room
from bot.model import COMPUTER, Job, Person, SeatChange, Status, Vote
from bot.posts.places import RENAME
from bot.runtime.base import DAY, Refused
from bot.text import say
from engine import Seat

VOTE_SECONDS = 3 * DAY
"""How long a vote stays open."""
ASK_AGAIN_SECONDS = DAY
"""How long a player whose vote failed has to wait before starting the same one again."""

# The options of votes.
YES, NO = "yes", "no"
GO_ON, PAUSE, END = "on", "pause", "end"
VOID = "void"
"""The outcome of a vote that was closed without a decision because it no longer applies."""
TAKE, WITHDRAW = "take", "withdraw"
"""The buttons of an offer: one for newcomers, one for the person who made it."""

ABSENT, ANSWERED, BACK = "absent", "answered", "back"
"""Keys of the facts of a vote about an absent player.

Why they seem absent, how many questions they had answered when the vote began, and whether they
have said that they are back.
"""

Rule = Callable[[Counter[str], int, bool], str]
"""Takes the number of votes for each option, the number of voters, and whether time is up.

Returns the option that has won, or '' while the vote is undecided.
"""
VoteEffect = Callable[[Change, Vote], Change]
"""Applies the result of a vote to its match."""


# When a vote is decided. The name of each rule is also the key of its explanation in [vote.rule].


def majority(votes: Counter[str], voter_count: int, is_time_up: bool) -> str:
    """Pass if more than half of the voters say yes; a tie fails."""
    if votes[YES] * 2 > voter_count:
        return YES
    return NO if is_time_up or votes[NO] * 2 >= voter_count else ""


def everybody(votes: Counter[str], voter_count: int, is_time_up: bool) -> str:
    """Pass only if every voter says yes."""
    if voter_count and votes[YES] == voter_count:
        return YES
    return NO if is_time_up or votes[NO] else ""


def to_go_on(votes: Counter[str], voter_count: int, is_time_up: bool) -> str:
    """Pass unless more than half say no: only a majority can keep a match paused."""
    if votes[NO] * 2 > voter_count:
        return NO
    has_everyone_voted = votes[YES] + votes[NO] == voter_count
    return YES if is_time_up or has_everyone_voted or votes[YES] * 2 > voter_count else ""


def on_a_person(votes: Counter[str], voter_count: int, is_time_up: bool) -> str:
    """Pass with a majority of the other players, or when time is up if there is only one.

    A single voter cannot remove an opponent on a whim: until time is up, the absent player only
    has to come back.
    """
    if voter_count > 1:
        return majority(votes, voter_count, is_time_up)
    if votes[NO]:
        return NO
    if not is_time_up:
        return ""
    return YES if votes[YES] else NO


def consent(votes: Counter[str], voter_count: int, is_time_up: bool) -> str:
    """Pass if more than half of the voters say yes, or if there are no voters."""
    return majority(votes, voter_count, is_time_up) if voter_count else YES


def until_taken(votes: Counter[str], voter_count: int, is_time_up: bool) -> str:
    """Never pass: an offer stays open until it is taken, withdrawn, or time is up."""
    return NO if is_time_up else ""


def what_now(votes: Counter[str], voter_count: int, is_time_up: bool) -> str:
    """Choose between playing on, pausing and ending the match.

    Ending must be unanimous, pausing needs more than half; otherwise the match goes on.
    """
    if voter_count and votes[END] == voter_count:
        return END
    if votes[PAUSE] * 2 > voter_count:
        return PAUSE
    if is_time_up:
        return GO_ON
    # Undecided only while the missing votes could still bring about a pause or the end.
    undecided = voter_count - votes.total()
    may_pause = (votes[PAUSE] + undecided) * 2 > voter_count
    may_end = votes[END] + undecided == voter_count
    return "" if may_pause or may_end else GO_ON


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of vote. Its texts, the question and a result for each option, are [vote.<name>]."""

    name: str
    rule: Rule
    """Decides whether it has passed."""
    apply: VoteEffect = lambda change, vote: change
    """Applies the result, unless that is to leave everything as it is.

    If it raises Refused, the vote becomes void.
    """
    load_effect: Callable[[Room, Vote], Awaitable[VoteEffect]] | None = None
    """Loads data beyond the match and returns the function to use instead of `apply`."""
    follow_up: Callable[[Room, Vote], Vote] | None = None
    """Returns the vote or offer that starts when this one passes.

    It gets its number when it is saved.
    """
    check: Callable[[Room, Vote], None] = lambda room, vote: None
    """Raises Refused if such a vote cannot be started now.

    Also called after each change to the match: if it raises then, the open vote becomes void.
    """
    check_others: Callable[[Room, Vote, list[Vote]], None] = lambda room, vote, others: None
    """Like `check`, but against the other open votes of the match."""
    text_facts: Callable[[Room, Vote], dict[str, Any]] = lambda room, vote: vote.facts
    """Returns the facts for its texts. Anything people typed must be escaped."""
    find_board: Callable[[Room, Vote], Awaitable[Room]] | None = None
    """Loads the position whose board is shown in its message."""
    options: tuple[str, ...] = (YES, NO)
    duration_seconds: int = VOTE_SECONDS
    """How long it stays open."""
    notes_absence: bool = False
    """Whether to record the facts ABSENT and ANSWERED about the player it concerns."""
    for_strangers: bool = False
    """Whether it is started by somebody without a seat who wants one."""
    is_offer: bool = False
    """Whether it is an offer that anybody may take up, without voters."""


def voters(room: Room, vote: Vote) -> list[int]:
    """Return the users who may vote: all who have not resigned, except the player it is about."""
    # These include players for whom a computer plays until they come back.
    seats = range(len(room.record.chairs))
    return room.people(Seat(seat) for seat in seats if seat != vote.facts.get("seat"))


def missing_voters(room: Room, vote: Vote, kind: Kind) -> list[int]:
    """Return the voters who have not answered yet."""
    if not vote.is_open or kind.is_offer:
        return []
    return [user for user in voters(room, vote) if user not in vote.said]


def outcome(room: Room, vote: Vote, kind: Kind, now: float) -> str:
    """Return the option that has won by now, or '' if the vote is undecided."""
    # A vote cast by somebody who has since lost their seat does not count.
    entitled = voters(room, vote)
    counted = Counter(option for user, option in vote.said.items() if user in entitled)
    return kind.rule(counted, len(entitled), now >= vote.ends)


def asks_same(vote: Vote, other: Vote) -> bool:
    """Return whether two votes ask the same question; only one of them may be open at a time."""
    if vote.kind != other.kind:
        return False
    return all(vote.facts.get(key) == other.facts.get(key) for key in ("seat", "subject"))


# Checks whether a vote can be started


def must_not_be_on_hold(room: Room, vote: Vote) -> None:
    """Refuse to pause a match that is already on hold."""
    if room.record.status is Status.ON_HOLD:
        raise Refused("vote.paused_already")


def must_be_on_hold(room: Room, vote: Vote) -> None:
    """Refuse to resume a match that is not on hold."""
    if room.record.status is not Status.ON_HOLD:
        raise Refused("vote.not_paused")


def must_be_about_person(room: Room, vote: Vote) -> None:
    """Refuse a vote about a computer, a player who has resigned, or the person starting it."""
    seat, match = vote.facts.get("seat"), room.playing()
    if not isinstance(seat, int) or not 0 <= seat < match.seats or seat in match.resigned:
        raise Refused("vote.no_player")
    user = room.record.chairs[seat].id
    if user == COMPUTER:
        raise Refused("vote.no_player")
    if user == vote.by.id:
        raise Refused("vote.yourself")


def note_absence(room: Room, vote: Vote, silent_seconds: int) -> Vote:
    """Return the vote with the facts ABSENT and ANSWERED: why a player seems absent, and how many
    questions they have answered so far."""
    must_be_about_person(room, vote)
    seat, match = Seat(vote.facts["seat"]), room.playing()
    reason = vote.facts.get(ABSENT, "")
    owes_decision = room.record.status is Status.RUNNING and seat in match.waiting_for()
    # The fact is set already if Discord says that they have left the server.
    if not reason:
        if seat in match.away:
            reason = "away"
        elif room.is_expired(seat):
            reason = "expired"
        elif owes_decision and silent_seconds >= SILENCE_SECONDS:
            reason = "silent"
    return replace(vote, facts={**vote.facts, ABSENT: reason, ANSWERED: match.answered[seat]})


def must_be_absent(room: Room, vote: Vote) -> None:
    """Refuse a vote about a player who is not absent, or who has come back since it began."""
    must_be_about_person(room, vote)
    if not vote.facts[ABSENT]:
        raise Refused("vote.not_absent")
    has_acted = room.playing().answered[vote.facts["seat"]] > vote.facts[ANSWERED]
    if has_acted or vote.facts.get(BACK):
        raise Refused("vote.back")


def must_be_removable(room: Room, vote: Vote) -> None:
    """Refuse to let a single opponent remove a player, unless that player is absent."""
    must_be_about_person(room, vote)
    if len(voters(room, vote)) > 1:
        return
    if not vote.facts[ABSENT]:
        raise Refused("vote.one_alone")
    must_be_absent(room, vote)


def absence_facts(room: Room, vote: Vote) -> dict[str, Any]:
    """Return the text facts of a vote about a player who may be absent."""
    absent = vote.facts[ABSENT]
    return {"seat": vote.facts["seat"], "absent": say(f"vote.absent.{absent}") if absent else ""}


# The effects of votes that pass


def pause(change: Change, vote: Vote) -> Change:
    """Put the match on hold until the players vote to resume it."""
    return change.update(status=Status.ON_HOLD)


def resume(change: Change, vote: Vote) -> Change:
    """Resume the match, and post its board again for the players to move."""
    # The bot may have lost access to the channel while the match was on hold.
    status = Status.PAUSED if change.after.record.paused_for else Status.RUNNING
    awaited = change.after.people(post_rules.people_to_move(change.after.playing()))
    change = change.update(status=status, last_activity_at=vote.closed)
    # The new post schedules reminders of its own.
    return change.cancel_jobs(*((REMIND, user) for user in awaited)).post_again()


def call_off(change: Change, vote: Vote) -> Change:
    """End the match without a result."""
    return change.update(status=Status.CALLED_OFF, result_unannounced=True)


def hand_to_computer(change: Change, vote: Vote) -> Change:
    """Let a computer play a seat until its owner comes back or somebody takes it over."""
    seat, match = Seat(vote.facts["seat"]), change.after.playing()
    if seat not in match.humans():
        return change
    handed = match.hand_over(seat, to_computer=True)
    # Announce it at once. Otherwise the post would wait until a person is to move.
    return replace(change.play(handed), announce_up_to=handed.number)


def remove(change: Change, vote: Vote) -> Change:
    """Replace a player with a computer of the same name.

    To return, the player has to ask for a seat like anybody else.
    """
    seat, record = Seat(vote.facts["seat"]), change.after.record
    since = change.after.playing().number + 1
    computer = replace(record.chairs[seat], id=COMPUTER, level=record.terms.stand_in)
    return seat_person(hand_to_computer(change, vote), seat, computer, since, "removed")


def seat_person(change: Change, seat: Seat, person: Person, since: int, why: str) -> Change:
    """Give a seat to somebody else, starting with commit `since`, and rename the thread.

    If the host loses their seat, the first other person in seat order becomes host.
    """
    record = change.after.record
    former = record.chairs[seat]
    chairs = (*record.chairs[:seat], person, *record.chairs[seat + 1 :])
    people = [chair.id for chair in chairs if chair.id != COMPUTER]
    seat_change = SeatChange(seat, since, person.id, person.name, former.id, former.name, why)
    return change.update(
        chairs=chairs,
        host=record.host if record.host in people or not people else people[0],
        # Plans are secret: the new player must not see those of the former one.
        plans=tuple(plan for plan in record.plans if plan.seat != seat),
        seat_changes=(*record.seat_changes, seat_change),
    ).schedule(Job(RENAME, change.now, change.match_id))


KINDS = (
    Kind(name="pause", rule=majority, check=must_not_be_on_hold, apply=pause),
    Kind(name="resume", rule=to_go_on, check=must_be_on_hold, apply=resume),
    Kind(name="end", rule=everybody, apply=call_off),
    Kind(
        name="remove",
        rule=on_a_person,
        notes_absence=True,
        check=must_be_removable,
        apply=remove,
        text_facts=absence_facts,
    ),
)
