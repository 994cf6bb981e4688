"""Encode matches for the store, decode them again, and replay the commits of their logs.

Data that cannot be decoded raises Malformed. A commit that no longer leads where it did, because
the rules have changed since, raises Refused.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from bot.kernel.room import Room
from bot.model import StoredCommit, StoredDraft, StoredMatch
from bot.runtime.base import Refused
from bot.text import say
from engine import (
    Answer,
    Commit,
    EngineError,
    Event,
    Game,
    Malformed,
    Match,
    Seat,
    begin,
    load,
    snapshot,
    visible,
)
from engine.core.save import decode_events, encode_events
from engine.core.story import all_events

Games = Mapping[str, Game[Any]]

T = TypeVar("T")

DAMAGED = "damaged"
"""The reason for pausing a match that cannot be decoded: a key of [pause]."""


def encode_commit(match: Match) -> StoredCommit:
    """Encode a match's newest commit; its set-up if it has none."""
    position = snapshot(match.without_drafts())
    rules = match.game.version
    if match.last is None:
        return StoredCommit(
            number=0, rules=rules, events=encode_events(match.prologue), snapshot=position
        )
    return StoredCommit(
        number=match.number,
        rules=rules,
        seat=match.last.seat,
        back_to=match.last.back_to,
        commit=msgspec.json.encode(replace(match.last, events=())),
        events=encode_events(match.last.events),
        snapshot=position,
    )


def encode_drafts(match: Match) -> tuple[StoredDraft, ...]:
    """Encode all drafts, and mark those that the last commit has shortened, even to nothing."""
    return tuple(
        StoredDraft(
            seat=seat, answers=msgspec.json.encode(match.draft(seat).answers), cut=seat in match.cut
        )
        for seat in sorted(match.drafts.keys() | match.cut)
    )


def decode_match(stored: StoredMatch, games: Games) -> Room:
    """Decode a match from the store."""
    if not stored.snapshot:
        return Room(stored.record, last_post=stored.last_post)
    match = decode_position(stored.snapshot, games)
    has_same_game = match.game.id == stored.record.game
    has_same_seats = match.seats == len(stored.record.chairs)
    if not (has_same_game and has_same_seats and _is_consistent(match)):
        raise _damaged_error()
    cut = set()
    for draft in stored.drafts:
        seat, answers = Seat(draft.seat), _decode(draft.answers, tuple[Answer, ...])
        match = match.replay_draft(seat, answers)
        # If the rules have changed since, some answers may not be legal any more.
        if draft.cut or len(match.draft(seat).answers) < len(answers):
            cut.add(seat)
    if cut:
        match = replace(match, cut=frozenset(cut))
    return Room(stored.record, match, stored.last_post)


def decode_position(kept: bytes, games: Games) -> Match:
    """Decode a position: a match without log and drafts."""
    try:
        return load(kept, games, ours=True)
    except EngineError as error:
        raise _damaged_error() from error


def replay_positions(
    kept: Sequence[StoredCommit], games: Games, past: Mapping[int, Match]
) -> dict[int, Match]:
    """Return the position after each of these commits, by number.

    Positions that were thinned out are replayed from the one before; that of the first commit must
    be stored. `past` holds earlier positions that one of the commits goes back to.
    """
    positions = dict(past)
    for stored in kept:
        number = stored.number
        if stored.snapshot:
            positions[number] = decode_position(stored.snapshot, games)
        else:
            positions[number] = replay_commit(positions[number - 1], stored, positions)
    return positions


def replay_from_seed(
    kept: Sequence[StoredCommit], games: Games, trusts_older_rules: bool = False
) -> Iterator[tuple[int, Match, Match | None]]:
    """Replay a whole log from its seed, to compare it with the stored positions.

    Yields for each commit its number, the replayed position, and the stored one, if any. Refuses if
    a commit no longer leads to the events it did. With `trusts_older_rules`, stored positions from
    older rules are taken as they are, not replayed.
    """
    positions: dict[int, Match] = {}
    for stored in kept:
        number = stored.number
        there = decode_position(stored.snapshot, games) if stored.snapshot else None
        if there is not None and trusts_older_rules and stored.rules != there.game.version:
            again = there
        elif there is None or number:
            again = replay_commit(positions[number - 1], stored, positions)
        else:
            begun = begin(
                there.game, there.seats, dict(there.settings), there.seed, there.computers
            )
            if begun.prologue != decode_commit(stored, there.game).events:
                raise Refused("refusal.rules_changed")
            again = begun.without_log()
        yield number, again, there
        # Go on from the stored position, so that one difference is not reported for every later
        # commit.
        positions[number] = there or again


def replay_commit(before: Match, stored: StoredCommit, known: Mapping[int, Match]) -> Match:
    """Return the position after a commit; refuse if it no longer leads to the events it did."""
    made = decode_commit(stored, before.game)
    try:
        after = before.replay(made, known)
    except EngineError as error:
        raise Refused("refusal.rules_changed") from error
    if after.last is None or after.last.events != made.events:
        raise Refused("refusal.rules_changed")
    return after.without_log()


def decode_commit(stored: StoredCommit, game: Game[Any]) -> Commit:
    """Decode a commit with its events. The set-up is a commit that nobody made."""
    made = _decode(stored.commit, Commit) if stored.commit else Commit(Seat(0), ())
    try:
        return replace(made, events=decode_events(game, stored.events, stored.rules))
    except EngineError as error:
        raise _damaged_error() from error


def without_undone(commits: Mapping[int, Commit]) -> list[Commit]:
    """Return the commits that later ones have not undone, in order."""
    gone = find_undone(commits)
    return [made for number, made in commits.items() if number not in gone]


def main_line(kept: Sequence[StoredCommit], game: Game[Any]) -> list[StoredCommit]:
    """Return the commits that led to the current position, without what was undone; set-up first.

    Commits that only go back are left out as well.
    """
    numbered = {stored.number: decode_commit(stored, game) for stored in kept}
    gone = find_undone(numbered)
    return [
        stored
        for stored in kept
        if stored.number not in gone and numbered[stored.number].back_to is None
    ]


def find_undone(numbered: Mapping[int, Commit]) -> set[int]:
    """Return the numbers of the commits that later ones have undone."""
    gone: set[int] = set()
    for number, made in numbered.items():
        if made.back_to is not None:
            gone |= set(range(made.back_to + 1, number))
    return gone


def visible_events(commits: Iterable[Commit], viewer: Seat | None) -> tuple[Event, ...]:
    """Return the events of some commits that a seat, or everyone, may know.

    They include events that no game emits, such as that somebody resigned.
    """
    return visible([event for made in commits for event in all_events(made)], viewer)


def redact_commit(made: Commit, viewer: Seat | None, is_over: bool) -> Commit:
    """Return a commit without what a seat, or everyone, must not know before the match is over."""
    answers = made.answers if is_over or made.seat == viewer else ()
    return replace(
        made,
        answers=answers,
        events=visible_events([made], viewer),
        seed=made.seed if is_over else "",
    )


def _is_consistent(match: Match) -> bool:
    """Whether a position has ended, or waits for seats that exist."""
    try:
        asked = match.waiting_for()
    except Exception:
        return False
    return all(0 <= seat < match.seats for seat in asked) and (
        bool(asked) or match.outcome is not None
    )


def _decode(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise _damaged_error() from error


def _damaged_error() -> Malformed:
    # No details: a decoder's message might quote a secret.
    return Malformed(say("refusal.damaged"))
