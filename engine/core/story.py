"""The story of a match: what transcript.py writes as text and `/export` gives as JSON."""

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
MARK = 8
"""Hexadecimal digits that tell a position from any other."""


class Chair(Struct, frozen=True, omit_defaults=True):
    """A player at the table, by the name that everybody has seen."""

    name: str = ""
    level: str = ""
    """How well a computer plays."""


class Coming(Struct, frozen=True):
    """From this move on, a seat is somebody else's, or goes by another name."""

    number: int
    seat: Seat
    name: str


class About(Struct, frozen=True):
    """What is known about a match apart from its moves; all of it is optional."""

    match: str = ""
    """Its id, which the seals are made with."""
    ended: str = ""
    """On which day."""
    seals: tuple[str, ...] = ()
    """The hash of each seed, which was shown before a die of it was rolled."""
    chairs: tuple[Chair, ...] = ()
    comings: tuple[Coming, ...] = ()


class Move(Struct, frozen=True, omit_defaults=True):
    """A commit in words; number 0 is the set-up."""

    number: int
    stage: str
    """Round, turn or phase in which it was made, in the game's words."""
    notation: str
    """As a transcript has it."""
    position: str
    """A hash of the position after it."""
    told: tuple[str, ...]
    """What happened, in words."""
    seat: Seat | None = None
    answers: tuple[Answer, ...] = ()
    resigned: bool = False
    handed: str = ""
    back_to: int | None = None
    seed: str = ""
    events: tuple[Any, ...] = ()
    """What happened, as the game itself puts it."""


class Story(Struct, frozen=True):
    """A whole match. Seats are counted from 0."""

    motu: int
    """The version of this shape, and of a transcript's."""
    game: str
    title: str
    rules: int
    """The version of the rules that it was begun under."""
    rules_now: int
    """The version under which the positions were written."""
    about: About
    computers: tuple[Seat, ...]
    """The seats that computers had when it began."""
    settings: dict[str, str]
    moves: tuple[Move, ...]
    result: Outcome | None
    """None if the match was called off, or goes on."""
    result_told: tuple[str, ...]
    seed: str


FORMAT = 2
BEGINS = "begins"
"""The notation of the set-up."""


def tell(
    match: Match,
    words: Words | None = None,
    about: About | None = None,
    stood: Iterable[Match] | None = None,
    rules: int | None = None,
) -> Story:
    """Tell the whole match, whose log must go back to the start.

    A match that started under older rules may not replay. Then give the matches as they were at the
    start and after each commit (`stood`), and the version of the rules it started under.
    """
    if len(match.commits) != match.number:
        raise Malformed(say("transcript.no_beginning"))
    words, about = words or words_of(match.game.id), about or About()
    moves: list[Move] = []
    before: Match | None = None
    for after in stood or _replayed(match):
        commit = (
            match.commits[after.number - 1]
            if after.number
            else Commit(Seat(0), (), events=match.prologue)
        )
        moves.append(
            told_move(before, after, commit, words, names_at(about, match.seats, after.number))
        )
        before = after
    return Story(
        motu=FORMAT,
        game=match.game.id,
        title=match.game.title,
        rules=rules or match.game.version,
        rules_now=match.game.version,
        about=about,
        computers=tuple(sorted(computers_at_first(match))),
        settings=dict(match.settings),
        moves=tuple(moves),
        result=match.outcome,
        result_told=told_result(match, words, names_at(about, match.seats, match.number)),
        seed=match.seed,
    )


def told_move(
    before: Match | None, after: Match, commit: Commit, words: Words, names: Sequence[str]
) -> Move:
    """Tell a commit, or without `before` the set-up, including everything that was secret."""
    told = tuple(_told(commit, after.view(None), words, names))
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


def _told(commit: Commit, view: View, words: Words, names: Sequence[str]) -> Iterator[str]:
    """Tell a commit in words; if only one seat was told something, say which."""
    public: list[Event] = []
    for event in happenings(commit):
        if event.audience is None or len(event.audience) != 1 or words.seats_in(event):
            public.append(event)
            continue
        yield from words.story(public, names, view)
        public.clear()
        for line in words.tell(event, names, view):
            yield say("story.private", who=names[event.audience[0]], told=line)
    yield from words.story(public, names, view)


def told_result(match: Match, words: Words, names: Sequence[str]) -> tuple[str, ...]:
    """Tell how the match ended: the reason, then the places in order."""
    outcome, lines, place = match.outcome, [], 1
    if outcome is None:
        return (say("story.no_result"),)
    for seats in outcome.ranking:
        who = words.listed(names[seat] for seat in seats)
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


def happenings(commit: Commit) -> tuple[Event, ...]:
    """Return all events of a commit, including resignations and handovers."""
    told: list[Event] = []
    if commit.resigned:
        told.append(Resigned(commit.seat))
    if commit.handed:
        told.append(HandedOver(commit.seat, commit.handed == "computer"))
    if commit.back_to is not None:
        told.append(Rewound(commit.seat) if commit.seed else TookBack(commit.seat))
    return (*told, *commit.events)


def position_mark(match: Match) -> str:
    """Return a hash of a position and of its dice; equal positions have equal hashes."""
    return sha256(msgspec.json.encode((match.draws, _plain(match.base)))).hexdigest()[:MARK]


def _plain(value: Any) -> Any:
    """Return a state without values that are defaults, so that new fields keep old hashes valid.

    msgspec can leave defaults out itself, but of two equal texts it may take only one for the
    default.
    """
    match value:
        case Struct():
            parts = (
                (name, getattr(value, name), default) for name, default in _fields(type(value))
            )
            return [
                value.__struct_config__.tag,
                {name: _plain(part) for name, part, usual in parts if part != usual},
            ]
        case tuple() | list():
            return [_plain(part) for part in value]
        case dict():
            return {str(key): _plain(part) for key, part in sorted(value.items())}
        case float() if value.is_integer():
            return int(value)
    return value


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """Yield the fields of a struct with their defaults."""
    found = []
    for field in msgspec.structs.fields(kind):
        default = (
            field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        )
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
    return " ".join([head, *(_word(answer, offers) for answer in commit.answers)])


def last_line(match: Match) -> str:
    """Return the last line of a transcript: the state of the match."""
    outcome = match.outcome
    if outcome is None:
        return f"open {match.number}"
    return f"end {outcome.reason} {' '.join(f'{score:g}' for score in outcome.scores)}".rstrip()


def computers_at_first(match: Match) -> frozenset[Seat]:
    """Return the seats that computers had at the start, given the whole log."""
    computers = set(match.computers)
    for commit in reversed(match.commits):
        if commit.handed == "person":
            computers.add(commit.seat)
        elif commit.handed or commit.resigned:
            computers.discard(commit.seat)
    return frozenset(computers)


def _word(answer: Answer, offers: set[str]) -> str:
    keys = "+".join(answer.keys) or NOTHING
    if answer.forced:
        return f"({keys})"
    return f"{answer.kind}/{keys}" if answer.kind in offers else keys


def _replayed(match: Match) -> Iterator[Match]:
    before = begin(
        match.game, match.seats, dict(match.settings), match.seed, computers_at_first(match)
    ).without_log()
    stood = {0: before}
    yield before
    for commit in match.commits:
        before = before.replay(commit, stood).without_log()
        stood[before.number] = before
        yield before
