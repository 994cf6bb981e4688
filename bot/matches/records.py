"""Between a match and what is kept of it."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from bot.matches.room import Entry, Room, Status
from bot.store.base import Page, Sketch, Stored
from engine import Answer, Commit, EngineError, Event, Game, Malformed, Match, Seat, load, snapshot, visible
from engine.core.event import Resigned
from engine.core.save import decode_events, encode_events
from engine.core.transcript import write

Games = Mapping[str, Game[Any]]

T = TypeVar("T")

DAMAGED = "what was kept of it is damaged, and whoever runs this bot has to restore it"


def page(match: Match) -> Page:
    """The match's newest commit, or its set-up."""
    position = snapshot(match.without_drafts())
    rules = match.game.version
    if match.last is None:
        return Page(number=0, rules=rules, events=encode_events(match.prologue), snapshot=position)
    return Page(
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


def sketches(match: Match) -> tuple[Sketch, ...]:
    """All drafts, and which of them the last commit shortened, perhaps to nothing."""
    return tuple(
        Sketch(seat=seat, answers=msgspec.json.encode(match.draft(seat).answers), cut=seat in match.cut)
        for seat in sorted(match.drafts.keys() | match.cut)
    )


def room(stored: Stored, games: Games) -> Room:
    """The room that was kept."""
    if not stored.snapshot:
        return Room(stored.info)
    match = position(stored.snapshot, games)
    if (match.game.id, match.seats) != (stored.info.game, len(stored.info.chairs)) or not _makes_sense(match):
        raise _damaged()
    cut = set()
    for sketch in stored.drafts:
        seat, answers = Seat(sketch.seat), _decoded(sketch.answers, tuple[Answer, ...])
        match = match.redrafted(seat, answers)
        if sketch.cut or len(match.draft(seat).answers) < len(answers):
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


def events(pages: Sequence[Page], game: Game[Any]) -> tuple[Event, ...]:
    """All that the pages tell: also who resigned, which a game knows nothing of."""
    return tuple(event for page in pages for event in facts(_commit(page), _told(page, game)))


def facts(commit: Commit, told: tuple[Event, ...]) -> tuple[Event, ...]:
    """What a commit tells people."""
    return (Resigned(commit.seat), *told) if commit.resigned else told


def _told(page: Page, game: Game[Any]) -> tuple[Event, ...]:
    try:
        return decode_events(game, page.events, page.rules)
    except EngineError as error:
        raise _damaged() from error


def commits(pages: Sequence[Page]) -> list[Commit]:
    """What the pages record."""
    return [_commit(page) for page in pages]


def entries(room: Room, pages: Sequence[Page], game: Game[Any], viewer: Seat | None) -> list[Entry]:
    """The pages as a seat, or everyone, may know them: until the end, others' answers stay their secret."""
    return [
        Entry(page.number, _seen(_commit(page), room, viewer), visible(events([page], game), viewer)) for page in pages
    ]


def transcript(room: Room, pages: Sequence[Page], games: Games) -> str:
    """The whole match as text, from the positions that were kept: a later change of the rules leaves it as it was."""
    stood = [position(page.snapshot, games) for page in pages]
    game = stood[-1].game
    commits = tuple(replace(_commit(page), events=_told(page, game)) for page in pages[1:])
    whole = replace(stood[-1], prologue=_told(pages[0], game), commits=commits)
    return write(whole, before=stood[:-1], version=pages[0].rules)


def _commit(page: Page) -> Commit:
    return _decoded(page.commit, Commit) if page.commit else Commit(Seat(0), ())


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
