"""The story of a match: all its commits in words, with everything needed to replay them.

transcript.py writes it as text, and `/export` gives it as JSON. The fields of `Story` and of its
parts are the keys of that JSON, so they are never renamed. Transcripts hold the hash that
`position_mark` computes, so it is never computed differently.
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
"""Stands for an answer without keys, and for a computer without a level, in a transcript."""
POSITION_DIGITS = 8
"""Hexadecimal digits of a position's hash."""


class Chair(Struct, frozen=True, omit_defaults=True):
    """A player at the start of the match, under the name that was public."""

    name: str = ""
    level: str = ""
    """The level of a computer."""


class NewPlayer(Struct, frozen=True):
    """A seat's new player, or its player's new name, effective from the move `number` on."""

    number: int
    seat: Seat
    name: str


class About(Struct, frozen=True):
    """Facts about a match apart from its moves, all of them optional."""

    match: str = ""
    """The match's id, which is hashed together with each seed."""
    ended: str = ""
    """The day on which the match ended."""
    seals: tuple[str, ...] = ()
    """The hash of each seed, which was published before the seed was used."""
    chairs: tuple[Chair, ...] = ()
    comings: tuple[NewPlayer, ...] = ()


class Move(Struct, frozen=True, omit_defaults=True):
    """A commit with everything that it led to; number 0 is the set-up."""

    number: int
    stage: str
    """The round, turn or phase in which it was made, in words."""
    notation: str
    """The commit as a transcript writes it."""
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
        moves.append(describe_move(before, after, commit, words, names))
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
        result_told=describe_result(match, words, names_at(about, match.seats, match.number)),
        seed=match.seed,
    )


def describe_move(
    before: Match | None, after: Match, commit: Commit, words: Words, names: Sequence[str]
) -> Move:
    """Return a commit in words, secrets included; without `before` it is the set-up."""
    lines = tuple(_describe_commit(commit, after.view(None), words, names))
    if before is None:
        return Move(0, "", BEGINS, position_mark(after), lines, events=commit.events)
    stage = words.stage(before.view(None).stage())
    return Move(
        number=after.number,
        stage=stage[:1].upper() + stage[1:],
        notation=notation(before, commit),
        position=position_mark(after),
        told=lines,
        seat=commit.seat,
        answers=commit.answers,
        resigned=commit.resigned,
        handed=commit.handed or "",
        back_to=commit.back_to,
        seed=commit.seed,
        events=commit.events,
    )


def _describe_commit(
    commit: Commit, view: View, words: Words, names: Sequence[str]
) -> Iterator[str]:
    """Yield the lines that narrate a commit.

    A line about something that only one seat learned says which seat.
    """
    # Events that need no such remark are told together, in as few sentences as possible.
    pending: list[Event] = []
    for event in all_events(commit):
        is_private = event.audience is not None and len(event.audience) == 1
        if not is_private or words.seats_in(event):
            pending.append(event)
            continue
        yield from words.story(pending, names, view)
        pending.clear()
        (seat,) = event.audience or ()
        for line in words.event_lines(event, names, view):
            yield say("story.private", who=names[seat], told=line)
    yield from words.story(pending, names, view)


def describe_result(match: Match, words: Words, names: Sequence[str]) -> tuple[str, ...]:
    """Return the lines that say how a match ended: the reason, then the seats by rank."""
    outcome = match.outcome
    if outcome is None:
        return (say("story.no_result"),)
    lines = []
    rank = 1
    for seats in outcome.ranking:
        who = words.and_list(names[seat] for seat in seats)
        score = outcome.scores[seats[0]]
        is_tied = outcome.tiebreak and outcome.scores.count(score) > 1
        tiebreak = words.tiebreak(outcome.tiebreak[seats[0]]) if is_tied else ""
        lines.append(say("story.place", place=rank, who=who, score=score, tiebreak=tiebreak))
        # After a tie for first comes rank 3.
        rank += len(seats)
    return (say("story.ended", reason=words.reason(outcome.reason)), *lines)


def names_at(about: About, seats: int, number: int) -> tuple[str, ...]:
    """Return the names of the seats at a move, by seat."""
    names = [chair.name for chair in about.chairs] + [""] * (seats - len(about.chairs))
    for coming in about.comings:
        if coming.number <= number:
            names[coming.seat] = coming.name
    return tuple(name or say("seat", number=seat + 1) for seat, name in enumerate(names))


def all_events(commit: Commit) -> tuple[Event, ...]:
    """Return all events of a commit, including the resignation or return that it may stand for."""
    events: list[Event] = []
    if commit.resigned:
        events.append(Resigned(commit.seat))
    if commit.handed:
        events.append(HandedOver(commit.seat, commit.handed == "computer"))
    if commit.back_to is not None:
        events.append(Rewound(commit.seat) if commit.seed else TookBack(commit.seat))
    return (*events, *commit.events)


def position_mark(match: Match) -> str:
    """Return a hash of a position and its number of draws; equal positions have equal hashes."""
    data = msgspec.json.encode((match.draws, _without_defaults(match.base)))
    return sha256(data).hexdigest()[:POSITION_DIGITS]


def _without_defaults(value: Any) -> Any:
    """Return a state as plain values without defaults, so that new fields keep old hashes valid."""
    # msgspec's own omit_defaults compares some values by identity, so it may leave out one of two
    # equal texts and keep the other.
    match value:
        case Struct():
            fields = {}
            for name, default in _defaults(type(value)):
                part = getattr(value, name)
                if part != default:
                    fields[name] = _without_defaults(part)
            return [value.__struct_config__.tag, fields]
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
    defaults = []
    for field in msgspec.structs.fields(kind):
        default = field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        defaults.append((field.name, default))
    return tuple(defaults)


def notation(before: Match, commit: Commit) -> str:
    """Return a commit as a transcript writes it, without its number."""
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
    """Replay a match from its log; yield it at the start and after each commit, without its log."""
    current = begin(
        match.game, match.seats, dict(match.settings), match.seed, initial_computers(match)
    ).without_log()
    past = {0: current}
    yield current
    for commit in match.commits:
        current = current.replay(commit, past).without_log()
        past[current.number] = current
        yield current
