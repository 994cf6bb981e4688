"""Saves of matches: JSON in a versioned envelope, with migrations.

`save` writes a whole match. `snapshot` leaves out the log, for a store that keeps the commits
elsewhere. Both write the fields of `Envelope`, so these are never renamed, and a new field needs a
default.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct, ValidationError
from msgspec.structs import replace

from engine.core.catalog import GAMES
from engine.core.decision import Answer, Seat
from engine.core.errors import EngineError, Malformed
from engine.core.event import Event
from engine.core.game import Game, full_settings
from engine.core.match import SEED, Match
from engine.core.record import Commit
from engine.core.words import say

FORMAT = 1
"""The version of the envelope itself; a game's State has its own."""

MAX_DRAWS = 1 << 64
"""More draws of dice and cards than any match makes."""
UNREADABLE = (
    ValidationError,
    EngineError,
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    AttributeError,
)
"""Exceptions that migrations and games raise when a save is damaged."""


class Envelope(Struct, frozen=True, kw_only=True):
    """A match in a save. `base` and `events` belong to the game and are decoded with its types."""

    motu: int
    game: str
    version: int
    seats: int
    settings: tuple[tuple[str, str], ...]
    seed: str
    draws: int
    number: int
    answered: tuple[int, ...]
    base: Any
    drafts: dict[str, tuple[Answer, ...]] = {}
    resigned: tuple[Seat, ...] = ()
    computers: tuple[Seat, ...] = ()
    away: tuple[Seat, ...] = ()
    reseeds: tuple[str, ...] = ()
    asides: int = 0
    prologue: list[Any] = []
    commits: tuple[Commit, ...] = ()
    events: list[list[Any]] = []


def save(match: Match) -> bytes:
    """Return the whole match as bytes: position, drafts, commits and events."""
    commits = tuple(replace(commit, events=()) for commit in match.commits)
    events = [list(commit.events) for commit in match.commits]
    return _encode(match, prologue=list(match.prologue), commits=commits, events=events)


def snapshot(match: Match) -> bytes:
    """Return the position and drafts as bytes, whose size does not grow with the match."""
    return _encode(match)


def load(
    data: bytes | str,
    games: Mapping[str, Game[Any]] = GAMES,
    ours: bool = False,
) -> Match:
    """Load what `save` or `snapshot` wrote, migrating older versions; raise Malformed otherwise.

    Data from our own store (`ours`) skips the check whether the position makes sense, which takes
    longer than decoding it.
    """
    raw = _decode(data)
    game_id = raw.get("game")
    if not isinstance(game_id, str) or game_id not in games:
        raise Malformed(say("save.unknown_game", game=repr(str(game_id)[:40])))
    game = games[game_id]
    try:
        return _restore(game, msgspec.convert(_migrate(game, raw), Envelope), ours)
    except Malformed:
        raise
    except UNREADABLE as error:
        raise Malformed(say("save.damaged", game=game.title, why=error)) from error


def encode_events(events: tuple[Event, ...]) -> bytes:
    """Encode events for storage."""
    return msgspec.json.encode(events)


def decode_events(game: Game[Any], data: bytes | str, version: int) -> tuple[Event, ...]:
    """Decode stored events, migrating those of an older version."""
    try:
        raw = {"version": version, "events": [msgspec.json.decode(data)]}
        return _convert_events(game, _migrate(game, raw)["events"][0])
    except (
        msgspec.DecodeError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
    ) as error:
        raise Malformed(say("save.events_damaged", game=game.title, why=error)) from error


def _encode(match: Match, **history: Any) -> bytes:
    """Return a match as bytes; `history` holds the fields of the envelope that make up its log."""
    envelope = Envelope(
        motu=FORMAT,
        game=match.game.id,
        version=match.game.version,
        seats=match.seats,
        settings=match.settings,
        seed=match.seed,
        draws=match.draws,
        number=match.number,
        answered=match.answered,
        base=match.base,
        drafts={str(seat): draft.answers for seat, draft in sorted(match.drafts.items())},
        resigned=tuple(sorted(match.resigned)),
        computers=tuple(sorted(match.computers)),
        away=tuple(sorted(match.away)),
        reseeds=match.reseeds,
        asides=match.asides,
        **history,
    )
    return msgspec.json.encode(envelope)


def _decode(data: bytes | str) -> dict[str, Any]:
    """Return a save as plain JSON values; raise Malformed unless its format is known."""
    try:
        raw = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError, TypeError) as error:
        raise Malformed(say("save.no_save", why=error)) from error
    if not isinstance(raw, dict) or not isinstance(raw.get("motu"), int):
        raise Malformed(say("save.foreign"))
    if not 1 <= raw["motu"] <= FORMAT:
        raise Malformed(say("save.format", format=raw["motu"], known=FORMAT))
    return raw


def _migrate(game: Game[Any], raw: dict[str, Any]) -> dict[str, Any]:
    """Return a save migrated to the game's current version."""
    version = raw.get("version")
    if not isinstance(version, int) or not 1 <= version <= game.version:
        raise Malformed(say("save.version", version=version, game=game.title, known=game.version))
    while version < game.version:
        if version not in game.migrations:
            raise Malformed(say("save.no_upgrade", version=version, game=game.title))
        raw = game.migrations[version](raw)
        version += 1
        raw["version"] = version
    return raw


def _convert_events(game: Game[Any], raw: list[Any]) -> tuple[Event, ...]:
    return tuple(msgspec.convert(event, game.event_type) for event in raw)


def _restore(game: Game[Any], envelope: Envelope, ours: bool) -> Match:
    """Return the match in an envelope; raise Malformed if it contradicts itself."""
    settings = full_settings(game, envelope.seats, dict(envelope.settings))
    _check_counts(game, envelope)
    commits = [
        replace(commit, events=_convert_events(game, events))
        for commit, events in zip(envelope.commits, envelope.events, strict=True)
    ]
    match = Match(
        game,
        envelope.seats,
        tuple(sorted(settings.items())),
        envelope.seed,
        envelope.draws,
        msgspec.convert(envelope.base, game.state_type),
        number=envelope.number,
        answered=envelope.answered,
        resigned=frozenset(envelope.resigned),
        computers=frozenset(envelope.computers),
        away=frozenset(envelope.away),
        reseeds=envelope.reseeds,
        asides=envelope.asides,
        prologue=_convert_events(game, envelope.prologue),
        commits=tuple(commits),
    )
    if not ours:
        _check_position(match)
    return match.replay_drafts(
        {Seat(int(seat)): answers for seat, answers in envelope.drafts.items()}
    )


def _check_position(match: Match) -> None:
    """Raise Malformed if nobody can go on in the position, or its seats are not the match's."""

    def refuse(key: str, **facts: Any) -> Malformed:
        return Malformed(say("save.damaged", game=match.game.title, why=say(key, **facts)))

    position = match.position
    decisions = position.questions + position.offers
    deciding_seats = {decision.seat for decision in decisions}
    scores = position.view(None).scores
    if any(len(decision.options) < decision.at_least for decision in decisions):
        raise refuse("save.unanswerable")
    if not deciding_seats <= set(range(match.seats)) or len(scores) != match.seats:
        raise refuse("save.other_seats", seats=match.seats)
    if not match.waiting_for() and match.outcome is None:
        raise refuse("save.nobody_in_turn")


def _check_counts(game: Game[Any], envelope: Envelope) -> None:
    """Raise Malformed if numbers and seats in the envelope contradict each other."""

    def refuse(key: str) -> Malformed:
        return Malformed(say("save.damaged", game=game.title, why=say(key)))

    if len(envelope.commits) != len(envelope.events) or envelope.number < len(envelope.commits):
        raise refuse("save.log_count")
    if not 0 <= envelope.asides <= envelope.number:
        raise refuse("save.number_count")
    if not all(map(SEED.fullmatch, envelope.reseeds)):
        raise refuse("save.number_count")
    if not 0 <= envelope.draws < MAX_DRAWS or min(envelope.answered, default=0) < 0:
        raise refuse("save.number_count")
    seats = {*envelope.resigned, *envelope.computers, *envelope.away, *map(int, envelope.drafts)}
    if len(envelope.answered) != envelope.seats or not seats <= set(range(envelope.seats)):
        raise refuse("save.seat_count")
    for seat, answers in envelope.drafts.items():
        if any(answer.seat != int(seat) for answer in answers):
            raise refuse("save.seat_count")
