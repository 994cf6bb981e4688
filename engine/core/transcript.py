"""A match as a text that people read and programs play again.

    motu transcript 2

    game maori 1                                                     = 5b1f0a
        Maori, played by Ana and Moana ⚙
    match k3f9p2                                                     = 91ab03
    ended 2026-11-17                                                 = 4411c2
    person p1 Ana                                                    = 0c77e1
    computer p2 steady Moana ⚙                                       = 88d2f4
    set rules basic                                                  = 6f10b9
        Rules: basic
    seal 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15... = 2e6d11
    0 begins                                                         = 5f3a9c01 77aa02

    == The opening

    1 p1 3                                                           = 91ab03f2 81d0aa
        Ana places the discoverer on 3.
    2 p2 9 p (store)                                                 = ...
    3 p1 handed to computer
    4 p1 handed to person
    seat p1 Dora
    5 p1 takes back to 2
    6 p1 rewinds to 1 with seed 2b1d
    7 p1 resigns
    end board_filled 20 14
    seed 5eed

A line a commit: its number, the seat, the keys. Keys of one answer are joined by `+` (`-` alone for
none), forced answers stand in brackets, an offer names its kind: `reveal_card/haka`. Taking
back or rewinding returns to the position after the named line; the lines since are undone but still
counted. After a rewind the dice are new, of the seed that is told. `seat` is a seat that
somebody else has from there on. The last lines are `end` with the reason and scores, or `open` with
the number of commits while the match goes on, and the seed. `game` has the version of the rules
that the match began under, and behind it that of the positions if it is another. A setting, name or
seed that would not survive on its line is written as a JSON string.

What is indented or behind `==` says the same in words. Behind `=` stands, after a commit, a hash of
the position; and last of all one of the line itself, of its words and of the mark before it. So
every line that is changed, lost or out of its place is found, even if this program would use other
words.

Version 1 has no hashes and no names. Words stand behind `#` there, and the head has `seats 2`,
`computer p2` and the seed. It is easier to write by hand.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.catalog import GAMES
from engine.core.decision import Answer, Seat
from engine.core.errors import EngineError, IllegalAnswer, NotFinished
from engine.core.game import Game, full_settings
from engine.core.match import MAX_DRAFT, Match, begin
from engine.core.notation import (
    HEADER,
    NUMBER,
    STAGE,
    Block,
    Line,
    Transcript,
    fail,
    line_sum,
    parse,
    written,
)
from engine.core.record import Commit
from engine.core.story import (
    NOTHING,
    About,
    Chair,
    Story,
    last_line,
    names_at,
    tell,
    told_move,
    told_result,
)
from engine.core.table import commitment
from engine.core.words import Words, say, words_of

COLUMN = 64
"""The column of the checksums, out of the way of the text."""
WIDTH = 100
INDENT = "    "


class Played(Struct, frozen=True):
    """A transcript that was replayed and is right in everything that could be checked."""

    match: Match
    script: Transcript
    reworded: tuple[int, ...] = ()
    """The numbers of lines that tell what happened in other words than this program would."""


def write(
    match: Match,
    words: Words | None = None,
    about: About | None = None,
    stood: Iterable[Match] | None = None,
    rules: int | None = None,
) -> str:
    """Write the whole match as text; see `tell` for the arguments."""
    words = words or words_of(match.game.id)
    return as_text(tell(match, words, about, stood, rules), match, words)


def as_text(story: Story, match: Match, words: Words) -> str:
    """Write the story of a match as text."""
    lines, chain, stage = [f"{HEADER} {story.motu}", ""], "", ""

    def add(line: str, told: Iterable[str] = (), stage: str = "", position: str = "") -> None:
        nonlocal chain
        below = _folded(told)
        chain = line_sum(chain, stage, line, position, below)
        lines.extend(["", f"{STAGE}{stage}", ""] if stage else [])
        lines.append(" ".join([line.ljust(COLUMN), "=", *filter(None, [position, chain])]))
        lines.extend(f"{INDENT}{part}" for part in below)

    for line, told in _head(story, match, words):
        add(line, told)
    lines.append("")
    for move in story.moves:
        for coming in story.about.comings:
            if coming.number == move.number:
                add(f"seat p{coming.seat + 1} {written(coming.name)}")
        heading = move.stage if move.stage != stage else ""
        add(f"{move.number} {move.notation}", move.told, heading, move.position)
        stage = move.stage
    lines.append("")
    add(last_line(match), story.result_told)
    add(f"seed {written(story.seed)}")
    return "\n".join(lines) + "\n"


def replay(
    text: str | bytes | Transcript,
    games: Mapping[str, Game[Any]] = GAMES,
    words: Words | None = None,
) -> Match:
    """Replay a transcript; raise Malformed at the first line that is wrong."""
    return check(text, games, words).match


def check(
    text: str | bytes | Transcript,
    games: Mapping[str, Game[Any]] = GAMES,
    words: Words | None = None,
) -> Played:
    """Replay a transcript and return the match with remarks about what could not be checked."""
    script = text if isinstance(text, Transcript) else parse(text)
    at = script.head_line("game")
    if script.game not in games:
        fail(at, "unknown_game", game=repr(script.game[:40]))
    game = games[script.game]
    for version in (script.version, script.written):
        if not 1 <= version <= game.version:
            fail(at, "version", version=version, game=game.title, known=game.version)
    checked = _Checked(script, game, words or words_of(game.id))
    return Played(checked.played(), script, tuple(checked.reworded))


def _head(story: Story, match: Match, words: Words) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the lines before the first commit, each with its explanation."""
    about = story.about
    versions = [story.rules] if story.rules == story.rules_now else [story.rules, story.rules_now]
    yield (
        " ".join(["game", story.game, *map(str, versions)]),
        _told_game(match.game, names_at(about, match.seats, 0)),
    )
    if about.match:
        yield f"match {about.match}", ()
    if about.ended:
        yield f"ended {about.ended}", ()
    for seat, chair in enumerate((*about.chairs, *[Chair()] * (match.seats - len(about.chairs)))):
        kind = ("computer", chair.level or NOTHING) if seat in story.computers else ("person",)
        name = (written(chair.name),) if chair.name else ()
        yield " ".join([kind[0], f"p{seat + 1}", *kind[1:], *name]), ()
    defaults = {setting.key: setting.default for setting in match.game.settings}
    for key, value in match.settings:
        if value or defaults[key]:
            yield f"set {key} {written(value)}", _told_setting(match.game, words, key, value)
    for seal in about.seals:
        yield f"seal {seal}", ()


def title(story: Story, match: Match) -> str:
    """Say what was played, and by whom."""
    return _told_game(match.game, names_at(story.about, match.seats, 0))[0]


def _told_game(game: Game[Any], names: Iterable[str]) -> tuple[str, ...]:
    return (say("story.title", game=game.title, players=tuple(names)), say("story.about"))


def _told_setting(game: Game[Any], words: Words, key: str, value: str) -> tuple[str, ...]:
    # What may be any text is long, and says itself what it is.
    if not any(setting.key == key and not setting.free for setting in game.settings):
        return ()
    return (say("story.setting", setting=words.setting(key), choice=words.choice(key, value)),)


def _folded(told: Iterable[str]) -> list[str]:
    width = WIDTH - len(INDENT)
    return [
        part.strip()
        for line in told
        for part in wrap(line, width, break_long_words=False, break_on_hyphens=False)
    ]


class _Checked:
    """Replays a transcript from its first line to its last."""

    def __init__(self, script: Transcript, game: Game[Any], words: Words) -> None:
        self.script = script
        self.game = game
        self.words = words
        self.reworded: list[int] = []

    def played(self) -> Match:
        """Return the match; raise Malformed at the first line that is wrong."""
        script = self.script
        self._check_head()
        self._check_seals()
        match = self._begun()
        prologue, commits = match.prologue, []
        self._check_move(None, match, script.begins, "")
        wanted = {
            int(line.words[-1 if line.words[0] == "takes" else 2])
            for line in script.lines
            if _goes_back(line)
        }
        stood, stage = {0: match}, ""
        for line in script.lines:
            self._check_comings(line.number)
            after = self._after(match, line, stood)
            stage = self._check_move(match, after, line.block, stage)
            if after.last is not None:
                commits.append(after.last)
            # The log is kept apart: a long one would be copied with every line.
            match = after.without_log()
            if match.number in wanted:
                stood[match.number] = match
        self._check_end(match)
        return replace(match, prologue=prologue, commits=tuple(commits))

    def _check_head(self) -> None:
        script = self.script
        settings = dict(script.settings)
        for block in script.head if script.format > 1 else ():
            word, *rest = block.text.split(" ")
            told: tuple[str, ...] = ()
            if word == "game":
                told = _told_game(self.game, names_at(script.about, script.seats, 0))
            elif word == "set":
                told = _told_setting(self.game, self.words, rest[0], settings[rest[0]])
            self._compare(block, "", told)
        for block, coming in zip(script.comings, script.about.comings, strict=True):
            if coming.seat >= script.seats:
                fail(block.at, "head", line=block.text[:60])

    def _rolled(self) -> list[tuple[str, int]]:
        """Return the seeds of all dice, and the lines that name them."""
        again = [
            line for line in self.script.lines if line.words[0] == "rewinds" and _goes_back(line)
        ]
        return [
            (self.script.seed, self.script.sealed.at),
            *((line.words[-1], line.block.at) for line in again),
        ]

    def _check_seals(self) -> None:
        """Refuse seeds that do not match the seals."""
        about = self.script.about
        for place, (seal, (seed, at)) in enumerate(zip(about.seals, self._rolled(), strict=False)):
            if commitment(about.match, seed) != seal:
                fail(at, "other_seed", line=self._seal_line(place))

    def _check_number_of_seals(self) -> None:
        rolled, sealed = self._rolled(), len(self.script.about.seals)
        if 0 < sealed < len(rolled):
            fail(rolled[sealed][1], "no_seal")
        if sealed > len(rolled):
            fail(self._seal_line(len(rolled)), "no_dice")

    def _seal_line(self, place: int) -> int:
        return [block.at for block in self.script.head if block.text.startswith("seal ")][place]

    def _begun(self) -> Match:
        script, given = self.script, dict(self.script.settings)
        for key, value in given.items():
            try:
                full_settings(self.game, script.seats, {key: value})
            except EngineError as error:
                known = script.seats in self.game.seats
                fail(
                    script.head_line("set", key) if known else script.head_line("seats"),
                    "cannot_begin",
                    why=error,
                )
        try:
            return begin(self.game, script.seats, given, script.seed, frozenset(script.computers))
        except EngineError as error:
            free = [
                setting.key
                for setting in self.game.settings
                if setting.free and setting.key in given
            ]
            at = script.head_line("set", free[0]) if free else script.head_line("seats")
            fail(at, "cannot_begin", why=error)

    def _after(self, match: Match, line: Line, stood: Mapping[int, Match]) -> Match:
        at = line.block.at
        if line.number != match.number + 1:
            fail(at, "order", number=line.number, before=match.number)
        try:
            return _play(match, line, stood)
        except EngineError as error:
            was = self.script.version if self.script.version < self.game.version else None
            fail(at, "illegal", why=error, was=was, now=self.game.version)

    def _check_move(self, before: Match | None, after: Match, block: Block, stage: str) -> str:
        """Compare what a commit leads to with its lines, and return the stage it was made in."""
        script = self.script
        if script.format == 1:
            return ""
        commit = after.last or Commit(Seat(0), (), events=after.prologue)
        move = told_move(
            before, after, commit, self.words, names_at(script.about, script.seats, after.number)
        )
        if script.written == self.game.version and block.position != move.position:
            if before is None and block.intact and not script.about.seals:
                fail(script.sealed.at, "other_start", line=block.at)
            fail(block.at, "other_position" if block.intact else "other_move")
        self._compare(block, move.stage if move.stage != stage else "", move.told)
        return move.stage

    def _check_comings(self, number: int) -> None:
        for block, coming in zip(self.script.comings, self.script.about.comings, strict=True):
            if coming.number == number:
                self._compare(block, "", ())

    def _check_end(self, match: Match) -> None:
        script = self.script
        if script.last != last_line(match):
            fail(script.end.at, "other_end", said=script.last[:60], found=last_line(match))
        if script.format > 1:
            self._check_comings(match.number + 1)
            names = names_at(script.about, script.seats, match.number)
            self._compare(script.end, "", told_result(match, self.words, names))
            self._compare(script.sealed, "", ())
            self._check_number_of_seals()

    def _compare(self, block: Block, stage: str, told: Iterable[str]) -> None:
        """Compare the words around a line with what this program would say.

        If the line itself is unchanged, different words are not a fault: a newer program may say it
        better.
        """
        differing: list[tuple[int, str, str]] = []
        if (block.stage[1] if block.stage else "") != stage:
            differing.append((*(block.stage or (block.at, "")), stage))
        following = (block.told[-1][0] if block.told else block.at) + 1
        wanted_words = _folded(told)
        for said, wanted in zip_longest(block.told, wanted_words):
            at, words = said or (following, "")
            if words != (wanted or ""):
                differing.append((at, words, wanted or ""))
        if block.intact:
            self.reworded += [at for at, _, _ in differing]
        elif differing and block.fits(stage, wanted_words):
            at, words, wanted = differing[0]
            fail(at, "other_words", said=words[:80], wanted=wanted[:80])
        else:
            fail(block.at, "changed")


def _goes_back(line: Line) -> bool:
    match line.words:
        case ("takes", "back", "to", place) | ("rewinds", "to", place, "with", "seed", _):
            return NUMBER.fullmatch(place) is not None
    return False


def _play(match: Match, line: Line, stood: Mapping[int, Match]) -> Match:
    """Play one line; `past` has the matches that a line may go back to."""
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


def _play_words(match: Match, line: Line) -> Match:
    if len(line.words) > MAX_DRAFT:
        raise IllegalAnswer(say("transcript.too_many_words"))
    for word in line.words:
        if "/" in word:
            kind, _, keys = word.partition("/")
            return match.pick(Answer(line.seat, kind, _keys(keys)))
        if word.startswith("("):
            _check_forced(match, line.seat, _keys(word.strip("()")))
            continue
        question = match.question(line.seat)
        if question is None:
            raise IllegalAnswer(say("transcript.not_asked", seat=line.seat + 1))
        match = match.pick(Answer(line.seat, question.kind, _keys(word)))
    if not match.is_complete(line.seat):
        raise NotFinished(say("transcript.not_whole"))
    return match.confirm(line.seat)


def _check_forced(match: Match, seat: Seat, keys: tuple[str, ...]) -> None:
    if not any(answer.forced and answer.keys == keys for answer in match.draft(seat).answers):
        raise IllegalAnswer(say("transcript.not_forced", keys="+".join(keys)[:40]))


def _keys(word: str) -> tuple[str, ...]:
    return () if word == NOTHING else tuple(word.split("+"))
