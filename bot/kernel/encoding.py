"""Encode matches for the store, decode them again, and replay the commits of their logs.

Data that cannot be decoded raises Malformed. A commit that no longer has the same result, because
the rules have changed since, raises Refused: nothing is damaged, and the player who wanted to see
the old position is told why they can't.

What is encoded here is saved, so a change to it must still be able to decode what older versions
have saved.
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
"""The reason for pausing a match that cannot be decoded: a key of [pause] in the texts."""


def encode_commit(match: Match) -> StoredCommit:
    """Encode a match's newest commit, or its set-up if it has no commits yet."""
    # Drafts are private and change with every press, so they are stored beside the commits.
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
        # The events have a column of their own, in an encoding that survives changes of the rules.
        commit=msgspec.json.encode(replace(match.last, events=())),
        events=encode_events(match.last.events),
        snapshot=position,
    )


def encode_drafts(match: Match) -> tuple[StoredDraft, ...]:
    """Encode all drafts; those that the last commit has shortened, even to nothing, are marked."""
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
    # Drafts are stored as answers, and drafted again by the current rules.
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


def decode_position(encoded: bytes, games: Games) -> Match:
    """Decode a position: a match without log and drafts."""
    try:
        return load(encoded, games, ours=True)
    except EngineError as error:
        raise _damaged_error() from error


def replay_positions(
    stored_commits: Sequence[StoredCommit], games: Games, past: Mapping[int, Match]
) -> dict[int, Match]:
    """Return the position after each of these commits, by number.

    Positions that were thinned out are replayed from the one before, so the first commit must have
    its position stored. `past` holds earlier positions that one of the commits goes back to.
    """
    positions = dict(past)
    for stored in stored_commits:
        number = stored.number
        if stored.snapshot:
            positions[number] = decode_position(stored.snapshot, games)
        else:
            positions[number] = replay_commit(positions[number - 1], stored, positions)
    return positions


def replay_from_seed(
    stored_commits: Sequence[StoredCommit], games: Games, trusts_older_rules: bool = False
) -> Iterator[tuple[int, Match, Match | None]]:
    """Replay a whole log from its seed, to compare it with the stored positions.

    Yields for each commit its number, the replayed position, and the stored one, if any. Refuses if
    a commit no longer has the same events. With `trusts_older_rules`, positions that were stored
    under older rules are taken as they are, not replayed.
    """
    positions: dict[int, Match] = {}
    for stored in stored_commits:
        number = stored.number
        stored_position = decode_position(stored.snapshot, games) if stored.snapshot else None
        if (
            stored_position is not None
            and trusts_older_rules
            and stored.rules != stored_position.game.version
        ):
            replayed = stored_position
        elif stored_position is None or number:
            replayed = replay_commit(positions[number - 1], stored, positions)
        else:
            set_up = begin(
                stored_position.game,
                stored_position.seats,
                dict(stored_position.settings),
                stored_position.seed,
                stored_position.computers,
            )
            if set_up.prologue != decode_commit(stored, stored_position.game).events:
                raise Refused("refusal.rules_changed")
            replayed = set_up.without_log()
        yield number, replayed, stored_position
        # Continue from the stored position, so that one difference is not reported again for every
        # later commit.
        positions[number] = stored_position or replayed


def replay_commit(before: Match, stored: StoredCommit, known: Mapping[int, Match]) -> Match:
    """Return the position after a commit; refuse if it no longer has the same events.

    `known` holds earlier positions by number, in case the commit goes back to one.
    """
    commit = decode_commit(stored, before.game)
    try:
        after = before.replay(commit, known)
    except EngineError as error:
        raise Refused("refusal.rules_changed") from error
    if after.last is None or after.last.events != commit.events:
        raise Refused("refusal.rules_changed")
    return after.without_log()


def decode_commit(stored: StoredCommit, game: Game[Any]) -> Commit:
    """Decode a commit with its events. The set-up is decoded as an empty commit of seat 0."""
    commit = _decode(stored.commit, Commit) if stored.commit else Commit(Seat(0), ())
    try:
        return replace(commit, events=decode_events(game, stored.events, stored.rules))
    except EngineError as error:
        raise _damaged_error() from error


def without_undone(commits: Mapping[int, Commit]) -> list[Commit]:
    """Return the commits that later ones have not undone, in order."""
    undone = find_undone(commits)
    return [commit for number, commit in commits.items() if number not in undone]


def main_line(stored_commits: Sequence[StoredCommit], game: Game[Any]) -> list[StoredCommit]:
    """Return the commits that led to the current position, the set-up first.

    What was undone is left out, and so are the commits that only go back.
    """
    numbered = {stored.number: decode_commit(stored, game) for stored in stored_commits}
    undone = find_undone(numbered)
    return [
        stored
        for stored in stored_commits
        if stored.number not in undone and numbered[stored.number].back_to is None
    ]


def find_undone(numbered: Mapping[int, Commit]) -> set[int]:
    """Return the numbers of the commits that later ones have undone."""
    undone: set[int] = set()
    for number, commit in numbered.items():
        if commit.back_to is not None:
            undone |= set(range(commit.back_to + 1, number))
    return undone


def visible_events(commits: Iterable[Commit], viewer: Seat | None) -> tuple[Event, ...]:
    """Return the events of some commits that the viewer may know; None stands for a spectator.

    They include events that no game emits, such as that somebody resigned.
    """
    return visible([event for commit in commits for event in all_events(commit)], viewer)


def redact_commit(commit: Commit, viewer: Seat | None, is_over: bool) -> Commit:
    """Return a commit without what the viewer must not know; None stands for a spectator.

    Once the match is over, answers and seeds are public.
    """
    answers = commit.answers if is_over or commit.seat == viewer else ()
    return replace(
        commit,
        answers=answers,
        events=visible_events([commit], viewer),
        seed=commit.seed if is_over else "",
    )


def _is_consistent(match: Match) -> bool:
    """Whether a position has either ended or waits only for seats that exist."""
    try:
        awaited = match.waiting_for()
    except Exception:
        return False
    return all(0 <= seat < match.seats for seat in awaited) and (
        bool(awaited) or match.outcome is not None
    )


def _decode(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise _damaged_error() from error


def _damaged_error() -> Malformed:
    # No details: a decoder's message might quote a secret.
    return Malformed(say("refusal.damaged"))
