"""Matches encoded for the store, and decoded again."""

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
from engine.core.story import happenings

Games = Mapping[str, Game[Any]]

T = TypeVar("T")

DAMAGED = "damaged"
"""Why a match is paused that cannot be read."""


def encode_commit(match: Match) -> StoredCommit:
    """Encode the match's newest commit, or its set-up."""
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
    """Encode all drafts, and which of them the last commit shortened, perhaps to nothing."""
    return tuple(
        StoredDraft(
            seat=seat, answers=msgspec.json.encode(match.draft(seat).answers), cut=seat in match.cut
        )
        for seat in sorted(match.drafts.keys() | match.cut)
    )


def decode_match(stored: StoredMatch, games: Games) -> Room:
    """Decode a match with its people."""
    if not stored.snapshot:
        return Room(stored.record, last_post=stored.last_post)
    match = decode_position(stored.snapshot, games)
    if (match.game.id, match.seats) != (
        stored.record.game,
        len(stored.record.chairs),
    ) or not _makes_sense(match):
        raise _damaged()
    cut = set()
    for draft in stored.drafts:
        seat, answers = Seat(draft.seat), _decoded(draft.answers, tuple[Answer, ...])
        match = match.redrafted(seat, answers)
        # Rules that have changed since may not take all of its answers any more.
        if draft.cut or len(match.draft(seat).answers) < len(answers):
            cut.add(seat)
    if cut:
        match = replace(match, cut=frozenset(cut))
    return Room(stored.record, match, stored.last_post)


def decode_position(kept: bytes, games: Games) -> Match:
    """Decode a position: a match without its log and its drafts."""
    try:
        return load(kept, games, ours=True)
    except EngineError as error:
        raise _damaged() from error


def replay(
    kept: Sequence[StoredCommit], games: Games, past: Mapping[int, Match]
) -> dict[int, Match]:
    """The match after each of these commits. Those that were thinned out are found by playing on
    from the one before.

    The position after the first is kept; `past` has those before it that a later one goes back to.
    """
    stood = dict(past)
    for stored in kept:
        number = stored.number
        kept_so = decode_position(stored.snapshot, games) if stored.snapshot else None
        stood[number] = kept_so or played_on(stood[number - 1], stored, stood)
    return stood


def play_again(
    kept: Sequence[StoredCommit], games: Games, trusts_older_rules: bool = False
) -> Iterator[tuple[int, Match, Match | None]]:
    """Play a whole log again from its seed.

    Yields the number of each commit, and the match after it as played and, if it is kept, as kept.
    Refuses where that leads elsewhere than it did. What was played by older rules may be trusted:
    then it is not played again where it is kept.
    """
    stood: dict[int, Match] = {}
    for stored in kept:
        number = stored.number
        there = decode_position(stored.snapshot, games) if stored.snapshot else None
        if there is not None and trusts_older_rules and stored.rules != there.game.version:
            again = there
        elif there is None or number:
            again = played_on(stood[number - 1], stored, stood)
        else:
            begun = begin(
                there.game, there.seats, dict(there.settings), there.seed, there.computers
            )
            if begun.prologue != decode_commit(stored, there.game).events:
                raise Refused("refusal.rules_changed")
            again = begun.without_log()
        yield number, again, there
        stood[number] = there or again


def played_on(before: Match, stored: StoredCommit, known: Mapping[int, Match]) -> Match:
    """Replay a commit; refuse if the rules have changed so much since that it leads elsewhere."""
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
    made = _decoded(stored.commit, Commit) if stored.commit else Commit(Seat(0), ())
    try:
        return replace(made, events=decode_events(game, stored.events, stored.rules))
    except EngineError as error:
        raise _damaged() from error


def without_undone(commits: Mapping[int, Commit]) -> list[Commit]:
    """Return commits in order, without those that later ones have undone."""
    gone = undone(commits)
    return [made for number, made in commits.items() if number not in gone]


def line(kept: Sequence[StoredCommit], game: Game[Any]) -> list[StoredCommit]:
    """Return the commits that led to where the match stands, without detours; the set-up first."""
    numbered = {stored.number: decode_commit(stored, game) for stored in kept}
    gone = undone(numbered)
    return [
        stored
        for stored in kept
        if stored.number not in gone and numbered[stored.number].back_to is None
    ]


def undone(numbered: Mapping[int, Commit]) -> set[int]:
    """Return the numbers of commits that later ones have undone."""
    gone: set[int] = set()
    for number, made in numbered.items():
        if made.back_to is not None:
            gone |= set(range(made.back_to + 1, number))
    return gone


def facts(commits: Iterable[Commit], viewer: Seat | None) -> tuple[Event, ...]:
    """What a seat, or everyone, may know of all that commits tell: also who resigned
    and the like, of which a game knows nothing."""
    return visible([event for made in commits for event in happenings(made)], viewer)


def as_known(made: Commit, viewer: Seat | None, is_over: bool) -> Commit:
    """Return a commit as a seat, or everyone, may know it: until the end, others' answers stay
    secret.
    """
    answers = made.answers if is_over or made.seat == viewer else ()
    return replace(
        made, answers=answers, events=facts([made], viewer), seed=made.seed if is_over else ""
    )


def _makes_sense(match: Match) -> bool:
    """Return whether a position asks somebody who is there, or has ended."""
    try:
        asked = match.waiting_for()
    except Exception:
        return False
    return all(0 <= seat < match.seats for seat in asked) and (
        bool(asked) or match.outcome is not None
    )


def _decoded(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise _damaged() from error


def _damaged() -> Malformed:
    # How it is damaged is nobody's business: the words might hold a secret.
    return Malformed(say("refusal.damaged"))
