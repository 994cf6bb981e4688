"""The story of a match, which transcript.py writes as text and `/export` gives as JSON.

The fields of `Story` and of its parts are the keys of that JSON, so they keep their names.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from engine.core.decision import Answer, Seat
from engine.core.errors import Malformed
from engine.core.event import Event, HandedOver, Resigned, Rewound, TookBack
from engine.core.game import Outcome, View
from engine.core.match import Match, begin
from engine.core.record import Commit
from engine.core.words import Words, say, words_of

NOTHING = "-"
"""An answer without keys, and a computer without a level, in a transcript."""
POSITION_DIGITS = 8
"""Hexadecimal digits of a position's hash."""


class Chair(Struct, frozen=True, omit_defaults=True):
    """A player at the start, by the name that everybody has seen."""

    name: str = ""
    level: str = ""
    """The level of a computer."""


class NewPlayer(Struct, frozen=True):
    """A seat that belongs to somebody else, or has another name, from a move on."""

    number: int
    seat: Seat
    name: str


class About(Struct, frozen=True):
    """Facts about a match apart from its moves, all of them optional."""

    match: str = ""
    """The match's id, which is part of what the seals are hashes of."""
    ended: str = ""
    """The day on which the match ended."""
    seals: tuple[str, ...] = ()
    """The hash of each seed, which was shown before the seed was used."""
    chairs: tuple[Chair, ...] = ()
    comings: tuple[NewPlayer, ...] = ()


class Move(Struct, frozen=True, omit_defaults=True):
    """A commit with everything it led to; number 0 is the set-up."""

    number: int
    stage: str
    """The round, turn or phase in which it was made, in words."""
    notation: str
    """The commit as a transcript has it."""
    position: str
    """A hash of the position after it."""
    told: tuple[str, ...]
    """Its events in words."""
    seat: Seat | None = None
    answers: tuple[Answer, ...] = ()
    resigned: bool = False
    handed: str = ""
    back_to: int | None = None
    seed: str = ""
    events: tuple[Any, ...] = ()


class Story(Struct, frozen=True):
    """A whole match. Seats are counted from 0."""

    motu: int
    """The version of this format, and of transcripts."""
    game: str
    title: str
    rules: int
    """The version of the rules under which the match began."""
    rules_now: int
    """The version of the rules under which the positions were written."""
    about: About
    computers: tuple[Seat, ...]
    """The seats that computers had at the start."""
    settings: dict[str, str]
    moves: tuple[Move, ...]
    result: Outcome | None
    """None if the match was called off or is still going on."""
    result_told: tuple[str, ...]
    seed: str


FORMAT = 2
BEGINS = "begins"
"""The notation of the set-up."""


def tell_story(
    match: Match,
    words: Words | None = None,
    about: About | None = None,
    past: Iterable[Match] | None = None,
    rules: int | None = None,
) -> Story:
    """Return the story of a match, whose log must go back to the start.

    A match that started under older rules may not replay. Then `past` has the match at the start
    and after each commit, and `rules` is the version of the rules under which it started.
    """
    if len(match.commits) != match.number:
        raise Malformed(say("transcript.no_beginning"))
    words, about = words or words_of(match.game.id), about or About()
    moves: list[Move] = []
    before: Match | None = None
    for after in past or _replay_all(match):
        if after.number:
            commit = match.commits[after.number - 1]
        else:
            commit = Commit(Seat(0), (), events=match.prologue)
        names = names_at(about, match.seats, after.number)
        moves.append(tell_move(before, after, commit, words, names))
        before = after
    return Story(
        motu=FORMAT,
        game=match.game.id,
        title=match.game.title,
        rules=rules or match.game.version,
        rules_now=match.game.version,
        about=about,
        computers=tuple(sorted(initial_computers(match))),
        settings=dict(match.settings),
        moves=tuple(moves),
        result=match.outcome,
        result_told=tell_result(match, words, names_at(about, match.seats, match.number)),
        seed=match.seed,
    )


def tell_move(
    before: Match | None, after: Match, commit: Commit, words: Words, names: Sequence[str]
) -> Move:
    """Return a commit, or without `before` the set-up, in words, secrets included."""
    told = tuple(_tell_commit(commit, after.view(None), words, names))
    if before is None:
        return Move(0, "", BEGINS, position_mark(after), told, events=commit.events)
    stage = words.stage(before.view(None).stage())
    return Move(
        number=after.number,
        stage=stage[:1].upper() + stage[1:],
        notation=notation(before, commit),
        position=position_mark(after),
        told=told,
        seat=commit.seat,
        answers=commit.answers,
        resigned=commit.resigned,
        handed=commit.handed or "",
        back_to=commit.back_to,
        seed=commit.seed,
        events=commit.events,
    )


def _tell_commit(commit: Commit, view: View, words: Words, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines that tell a commit; of what only one seat learned, they name the seat."""
    public: list[Event] = []
    for event in all_events(commit):
        if event.audience is None or len(event.audience) != 1 or words.seats_in(event):
            public.append(event)
            continue
        yield from words.story(public, names, view)
        public.clear()
        for line in words.tell(event, names, view):
            yield say("story.private", who=names[event.audience[0]], told=line)
    yield from words.story(public, names, view)


def tell_result(match: Match, words: Words, names: Sequence[str]) -> tuple[str, ...]:
    """Return the lines that tell how a match ended: the reason, then the places in order."""
    outcome = match.outcome
    if outcome is None:
        return (say("story.no_result"),)
    lines = []
    place = 1
    for seats in outcome.ranking:
        who = words.and_list(names[seat] for seat in seats)
        score = outcome.scores[seats[0]]
        is_tied = outcome.tiebreak and outcome.scores.count(score) > 1
        tiebreak = words.tiebreak(outcome.tiebreak[seats[0]]) if is_tied else ""
        lines.append(say("story.place", place=place, who=who, score=score, tiebreak=tiebreak))
        place += len(seats)
    return (say("story.ended", reason=words.reason(outcome.reason)), *lines)


def names_at(about: About, seats: int, number: int) -> tuple[str, ...]:
    """Return the names of the seats at a move."""
    names = [chair.name for chair in about.chairs] + [""] * (seats - len(about.chairs))
    for coming in about.comings:
        if coming.number <= number:
            names[coming.seat] = coming.name
    return tuple(name or say("seat", number=seat + 1) for seat, name in enumerate(names))


def all_events(commit: Commit) -> tuple[Event, ...]:
    """Return all events of a commit, including resignations, handovers and steps back."""
    events: list[Event] = []
    if commit.resigned:
        events.append(Resigned(commit.seat))
    if commit.handed:
        events.append(HandedOver(commit.seat, commit.handed == "computer"))
    if commit.back_to is not None:
        events.append(Rewound(commit.seat) if commit.seed else TookBack(commit.seat))
    return (*events, *commit.events)


def position_mark(match: Match) -> str:
    """Return a hash of a position and of its dice; equal positions have equal hashes."""
    data = msgspec.json.encode((match.draws, _without_defaults(match.base)))
    return sha256(data).hexdigest()[:POSITION_DIGITS]


def _without_defaults(value: Any) -> Any:
    """Return a state as plain values without defaults, so that new fields keep old hashes valid."""
    # msgspec's own omit_defaults compares some values by identity, so that of two equal texts only
    # one may be left out.
    match value:
        case Struct():
            changed = {}
            for name, default in _defaults(type(value)):
                part = getattr(value, name)
                if part != default:
                    changed[name] = _without_defaults(part)
            return [value.__struct_config__.tag, changed]
        case tuple() | list():
            return [_without_defaults(part) for part in value]
        case dict():
            return {str(key): _without_defaults(part) for key, part in sorted(value.items())}
        case float() if value.is_integer():
            return int(value)
    return value


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """Return the names of a struct's fields with their defaults."""
    found = []
    for field in msgspec.structs.fields(kind):
        default = field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        found.append((field.name, default))
    return tuple(found)


def notation(before: Match, commit: Commit) -> str:
    """Return a commit as it is written in a transcript."""
    head = f"p{commit.seat + 1}"
    if commit.resigned:
        return f"{head} resigns"
    if commit.handed:
        return f"{head} handed to {commit.handed}"
    if commit.back_to is not None:
        if commit.seed:
            return f"{head} rewinds to {commit.back_to} with seed {commit.seed}"
        return f"{head} takes back to {commit.back_to}"
    offers = {offer.kind for offer in before.offers(commit.seat)}
    words = [head]
    for answer in commit.answers:
        keys = "+".join(answer.keys) or NOTHING
        if answer.forced:
            words.append(f"({keys})")
        elif answer.kind in offers:
            words.append(f"{answer.kind}/{keys}")
        else:
            words.append(keys)
    return " ".join(words)


def last_line(match: Match) -> str:
    """Return the line of a transcript that says how the match ended, or that it is open."""
    outcome = match.outcome
    if outcome is None:
        return f"open {match.number}"
    return " ".join(["end", outcome.reason, *(f"{score:g}" for score in outcome.scores)])


def initial_computers(match: Match) -> frozenset[Seat]:
    """Return the seats that computers had at the start, given the whole log."""
    computers = set(match.computers)
    for commit in reversed(match.commits):
        if commit.handed == "person":
            computers.add(commit.seat)
        elif commit.handed or commit.resigned:
            computers.discard(commit.seat)
    return frozenset(computers)


def _replay_all(match: Match) -> Iterator[Match]:
    """Replay a match from its log, and yield it at the start and after each commit."""
    current = begin(
        match.game, match.seats, dict(match.settings), match.seed, initial_computers(match)
    ).without_log()
    past = {0: current}
    yield current
    for commit in match.commits:
        current = current.replay(commit, past).without_log()
        past[current.number] = current
        yield current
