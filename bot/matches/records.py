"""Between a match and what is kept of it."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from bot.matches.room import Entry, Room, Status
from bot.store.base import StoredCommit, StoredDraft, StoredMatch
from engine import Answer, Commit, EngineError, Event, Game, Malformed, Match, Seat, load, snapshot, visible
from engine.core.event import Resigned
from engine.core.save import decode_events, encode_events
from engine.core.transcript import write

Games = Mapping[str, Game[Any]]

T = TypeVar("T")

DAMAGED = "what was kept of it is damaged, and whoever runs this bot has to restore it"


def stored_commit(match: Match) -> StoredCommit:
    """The match's newest commit, or its set-up."""
    position = snapshot(match.without_drafts())
    rules = match.game.version
    if match.last is None:
        return StoredCommit(number=0, rules=rules, events=encode_events(match.prologue), snapshot=position)
    return StoredCommit(
        number=match.number,
        rules=rules,
        seat=match.last.seat,
        commit=msgspec.json.encode(replace(match.last, events=())),
        events=encode_events(match.last.events),
        snapshot=position,
    )


def without_log(match: Match) -> Match:
    """The match as a reload would give it: its past is in the store."""
    return match.without_log()


def stored_drafts(match: Match) -> tuple[StoredDraft, ...]:
    """All drafts, and which of them the last commit shortened, perhaps to nothing."""
    return tuple(
        StoredDraft(seat=seat, answers=msgspec.json.encode(match.draft(seat).answers), cut=seat in match.cut)
        for seat in sorted(match.drafts.keys() | match.cut)
    )


def room(stored: StoredMatch, games: Games) -> Room:
    """The room that was kept."""
    if not stored.snapshot:
        return Room(stored.info)
    match = position(stored.snapshot, games)
    if (match.game.id, match.seats) != (stored.info.game, len(stored.info.chairs)) or not _makes_sense(match):
        raise _damaged()
    cut = set()
    for draft in stored.drafts:
        seat, answers = Seat(draft.seat), _decoded(draft.answers, tuple[Answer, ...])
        match = match.redrafted(seat, answers)
        if draft.cut or len(match.draft(seat).answers) < len(answers):
            cut.add(seat)
    return Room(stored.info, replace(match, cut=frozenset(cut)))


def position(kept: bytes, games: Games) -> Match:
    """A position that was kept. How one is damaged is nobody's business: the words might hold a secret."""
    try:
        return load(kept, games, ours=True)
    except EngineError as error:
        raise _damaged() from error


def _makes_sense(match: Match) -> bool:
    """Whether a position asks somebody who is there, or has ended."""
    try:
        asked = match.waiting_for()
    except Exception:
        return False
    return all(0 <= seat < match.seats for seat in asked) and (bool(asked) or match.outcome is not None)


def events(kept: Sequence[StoredCommit], game: Game[Any]) -> tuple[Event, ...]:
    """All that the commits tell: also who resigned, which a game knows nothing of."""
    return tuple(event for stored in kept for event in facts(_commit(stored), _told(stored, game)))


def facts(commit: Commit, told: tuple[Event, ...]) -> tuple[Event, ...]:
    """What a commit tells people."""
    return (Resigned(commit.seat), *told) if commit.resigned else told


def _told(stored: StoredCommit, game: Game[Any]) -> tuple[Event, ...]:
    try:
        return decode_events(game, stored.events, stored.rules)
    except EngineError as error:
        raise _damaged() from error


def commits(kept: Sequence[StoredCommit]) -> list[Commit]:
    """What was committed."""
    return [_commit(stored) for stored in kept]


def entries(room: Room, kept: Sequence[StoredCommit], game: Game[Any], viewer: Seat | None) -> list[Entry]:
    """The commits as a seat, or everyone, may know them: until the end, others' answers stay their secret."""
    return [
        Entry(stored.number, _seen(_commit(stored), room, viewer), visible(events([stored], game), viewer))
        for stored in kept
    ]


def transcript(kept: Sequence[StoredCommit], games: Games) -> str:
    """The whole match as text, from the positions that were kept: a later change of the rules leaves it as it was."""
    stood = [position(stored.snapshot, games) for stored in kept]
    game = stood[-1].game
    commits = tuple(replace(_commit(stored), events=_told(stored, game)) for stored in kept[1:])
    whole = replace(stood[-1], prologue=_told(kept[0], game), commits=commits)
    return write(whole, before=stood[:-1], version=kept[0].rules)


def _commit(stored: StoredCommit) -> Commit:
    return _decoded(stored.commit, Commit) if stored.commit else Commit(Seat(0), ())


def _decoded(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise _damaged() from error


def _damaged() -> Malformed:
    return Malformed(f"This match cannot go on: {DAMAGED}.")


def _seen(commit: Commit, room: Room, viewer: Seat | None) -> Commit:
    if room.info.status is Status.FINISHED or commit.seat == viewer:
        return commit
    return replace(commit, answers=())
