"""A match as readable text: write, parse, replay.

    motu transcript 1
    game blue_lagoon 1
    seats 2
    set first 1
    seed 5eed
    1 p1 17  # boat on 17
    2 p2 g3 (stop)
    3 p1 handed to computer
    4 p1 handed to person
    5 p1 takes back to 2
    6 p1 rewinds to 1 with seed 2b1d
    7 p1 resigns
    end resources_collected 90 81

The last line is `end` with the reason and scores, or `open` with the number of commits while the match goes on.
A line a commit: its number, the seat, the keys. Keys of one answer are joined by `+` (`-` alone for none), forced
answers stand in brackets, an offer names its kind: `reveal_card/haka`. What follows `#` is for people. A
setting or seed that would not survive on its line is written as a JSON string. `computer p2` in the head is a seat
that a computer had when the match began. Whoever takes back or rewinds has the match stand as it stood after the line
that is named: those since are undone and still counted. After a rewind the dice are new, of the seed that is told.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from engine.core.catalog import GAMES
from engine.core.decision import Answer, Seat
from engine.core.errors import EngineError, Malformed
from engine.core.event import Event
from engine.core.game import Game
from engine.core.match import Match, begin
from engine.core.record import Commit
from engine.core.words import Words, say, words_of

HEADER = "motu transcript 1"
NOTHING = "-"
NUMBER = re.compile(r"\d{1,6}")
COMMIT = re.compile(r"(\d{1,6}) p(\d) (.+)")
LIMIT = 5_000_000
"""More characters than any match has."""


class Line(Struct, frozen=True):
    """A commit as written: keys without the kinds, which the match itself knows."""

    number: int
    seat: Seat
    words: tuple[str, ...]


class Transcript(Struct, frozen=True):
    """A parsed transcript."""

    game: str
    version: int
    seats: int
    settings: tuple[tuple[str, str], ...]
    seed: str
    lines: tuple[Line, ...]
    last: str
    """How the match stood when it was written."""
    computers: tuple[Seat, ...] = ()


def write(
    match: Match, words: Words | None = None, before: Iterable[Match] | None = None, version: int | None = None
) -> str:
    """The whole match as text; its log must reach back to the beginning.

    A match that began under an older version of the rules may not replay: give the match as it stood `before` each
    commit, and the version it began under.
    """
    if len(match.commits) != match.number:
        raise Malformed(say("transcript.no_beginning"))
    words = words or words_of(match.game.id)
    names = [say("seat", number=seat + 1) for seat in range(match.seats)]
    lines = [HEADER, f"game {match.game.id} {version or match.game.version}", f"seats {match.seats}"]
    defaults = {setting.key: setting.default for setting in match.game.settings}
    lines += [f"set {key} {_written(value)}" for key, value in match.settings if value or defaults[key]]
    lines += [f"computer p{seat + 1}" for seat in sorted(_computers_at_first(match))]
    lines.append(f"seed {_written(match.seed)}")
    for stood, commit in zip(before or _replayed(match), match.commits, strict=True):
        lines.append(f"{stood.number + 1} {_turn_text(stood, commit)}{_told(commit.events, words, names)}")
    return "\n".join([*lines, _last_line(match)]) + "\n"


def parse(text: str | bytes) -> Transcript:
    """The transcript in a text, or in a file's bytes; Malformed if there is none."""
    lines = [_without_comment(line) for line in _decoded(text)[:LIMIT].split("\n")]
    lines = [line for line in lines if line]
    if not lines or lines[0] != HEADER:
        raise Malformed(say("transcript.header", header=HEADER))
    if not lines[-1].startswith(("end ", "open ")):
        raise Malformed(say("transcript.stops_short"))
    fields: dict[str, list[str]] = {"set": [], "computer": []}
    commits: list[Line] = []
    for line in lines[1:-1]:
        if found := COMMIT.fullmatch(line):
            commits.append(Line(int(found[1]), _seat(found[2]), tuple(found[3].split())))
        else:
            head, _, rest = line.partition(" ")
            fields.setdefault(head, []).append(rest)
    return _transcript(fields, tuple(commits), lines[-1])


def replay(text: str | bytes | Transcript, games: Mapping[str, Game[Any]] = GAMES) -> Match:
    """The match played again, refused as Malformed at the first line that the rules do not allow."""
    script = text if isinstance(text, Transcript) else parse(text)
    if script.game not in games:
        raise Malformed(say("transcript.unknown_game", game=repr(script.game[:40])))
    game = games[script.game]
    if not 1 <= script.version <= game.version:
        raise Malformed(say("transcript.version", version=script.version, game=game.title, known=game.version))
    try:
        match = begin(game, script.seats, dict(script.settings), script.seed, frozenset(script.computers))
    except EngineError as error:
        raise Malformed(say("transcript.cannot_begin", why=error)) from error
    stood = [match]
    for line in script.lines:
        stood.append(_play(stood, line))
    match = stood[-1]
    _check_last_line(match, script.last)
    return match


def _decoded(text: str | bytes) -> str:
    try:
        # A text that has no bytes could be read, but never be stored or replayed.
        return (text.encode() if isinstance(text, str) else bytes(text)).decode()
    except (UnicodeError, TypeError) as error:
        raise Malformed(say("transcript.not_text", why=error)) from error


def _replayed(match: Match) -> Iterator[Match]:
    stood = [begin(match.game, match.seats, dict(match.settings), match.seed, _computers_at_first(match))]
    for commit in match.commits:
        yield stood[-1]
        stood.append(stood[-1].replay(commit, stood))


def _computers_at_first(match: Match) -> frozenset[Seat]:
    """The seats that computers had when a match began whose whole log this is."""
    computers = set(match.computers)
    for commit in reversed(match.commits):
        if commit.handed == "person":
            computers.add(commit.seat)
        elif commit.handed or commit.resigned:
            computers.discard(commit.seat)
    return frozenset(computers)


def _told(events: Iterable[Event], words: Words, names: list[str]) -> str:
    lines = [line for event in events for line in words.tell(event, names)]
    return f"  # {' · '.join(lines)}" if lines else ""


def _turn_text(match: Match, commit: Commit) -> str:
    head = f"p{commit.seat + 1}"
    if commit.resigned:
        return f"{head} resigns"
    if commit.handed:
        return f"{head} handed to {commit.handed}"
    if commit.back_to is not None:
        if commit.seed:
            return f"{head} rewinds to {commit.back_to} with seed {commit.seed}"
        return f"{head} takes back to {commit.back_to}"
    offers = {offer.kind for offer in match.offers(commit.seat)}
    return " ".join([head, *(_word(answer, offers) for answer in commit.answers)])


def _word(answer: Answer, offers: set[str]) -> str:
    keys = "+".join(answer.keys) or NOTHING
    if answer.forced:
        return f"({keys})"
    return f"{answer.kind}/{keys}" if answer.kind in offers else keys


def _last_line(match: Match) -> str:
    outcome = match.outcome
    if outcome is None:
        return f"open {match.number}"
    return f"end {outcome.reason} {' '.join(f'{score:g}' for score in outcome.scores)}"


def _written(value: str) -> str:
    plain = value.isprintable() and value == value.strip() and value and not value.startswith('"')
    return value if plain else msgspec.json.encode(value).decode()


def _read(value: str) -> str:
    return msgspec.json.decode(value, type=str) if value.startswith('"') else value


def _seat(digit: str) -> Seat:
    return Seat(int(digit) - 1)


def _without_comment(line: str) -> str:
    if line.startswith(("set ", "seed ")):
        return line.rstrip()
    return "" if line.startswith("#") else line.split("  #")[0].strip()


def _transcript(fields: dict[str, list[str]], lines: tuple[Line, ...], last: str) -> Transcript:
    unknown = set(fields) - {"game", "seats", "set", "computer", "seed"}
    if unknown:
        raise Malformed(say("transcript.unknown_line", line=min(unknown)[:40]))
    try:
        (game_line,), (seats,), (seed,) = fields["game"], fields["seats"], fields["seed"]
        game, version = game_line.split()
        settings = tuple((line.split(" ", 1)[0], _read(line.split(" ", 1)[1])) for line in fields["set"])
        computers = tuple(_seat(line[1:]) for line in fields["computer"])
        return Transcript(game, int(version), int(seats), settings, _read(seed), lines, last, computers)
    except (KeyError, ValueError, IndexError, msgspec.DecodeError) as error:
        raise Malformed(say("transcript.head", why=error)) from error


def _play(stood: Sequence[Match], line: Line) -> Match:
    """The match after a line; it has stood so after each line before."""
    match = stood[-1]
    if line.number != match.number + 1:
        raise Malformed(say("transcript.order", number=line.number, before=match.number))
    try:
        match line.words:
            case ("resigns",):
                return match.resign(line.seat)
            case ("handed", "to", "computer" | "person" as to):
                return match.hand_over(line.seat, to == "computer")
            case ("takes", "back", "to", place) if NUMBER.fullmatch(place):
                return match.replay(Commit(line.seat, (), back_to=int(place)), stood)
            case ("rewinds", "to", place, "with", "seed", seed) if NUMBER.fullmatch(place):
                return match.replay(Commit(line.seat, (), back_to=int(place), seed=seed), stood)
        return _play_words(match, line)
    except EngineError as error:
        raise Malformed(say("transcript.line", number=line.number, why=error)) from error


def _play_words(match: Match, line: Line) -> Match:
    for word in line.words:
        if "/" in word:
            kind, _, keys = word.partition("/")
            return match.pick(Answer(line.seat, kind, _keys(keys)))
        if word.startswith("("):
            _check_forced(match, line.seat, _keys(word.strip("()")))
            continue
        question = match.question(line.seat)
        if question is None:
            raise Malformed(say("transcript.not_asked", seat=line.seat + 1))
        match = match.pick(Answer(line.seat, question.kind, _keys(word)))
    if not match.is_complete(line.seat):
        raise Malformed(say("transcript.not_whole", number=line.number))
    return match.confirm(line.seat)


def _check_forced(match: Match, seat: Seat, keys: tuple[str, ...]) -> None:
    if not any(answer.forced and answer.keys == keys for answer in match.draft(seat).answers):
        raise Malformed(say("transcript.not_forced", keys="+".join(keys)[:40]))


def _keys(word: str) -> tuple[str, ...]:
    return () if word == NOTHING else tuple(word.split("+"))


def _check_last_line(match: Match, last: str) -> None:
    if last != _last_line(match):
        raise Malformed(say("transcript.other_end", said=last[:60], found=_last_line(match)))
