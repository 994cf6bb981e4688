"""Transcripts: a match as a text that people read and this program replays.

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
        Ana placed the discoverer on 3.
    2 p2 9 p (store)                                                 = ...
    3 p1 handed to computer
    4 p1 handed to person
    seat p1 Dora
    5 p1 takes back to 2
    6 p1 rewinds to 1 with seed 2b1d
    7 p1 resigns
    end board_filled 20 14
    seed 5eed

Each commit is a line: its number, the seat, the keys. Keys of one answer are joined by `+`; `-` is
an answer without keys. Forced answers are in brackets, and an offer has its kind before the keys:
`reveal_card/haka`. Taking back or rewinding returns to the position after the named line; the lines
since then are undone but still counted. After a rewind all draws are new, from the given seed. From
a `seat` line on, the seat belongs to somebody else. The last lines are `end` with the reason and
the scores, or `open` with the number of commits if the match is going on, and then the seed. After
`game` comes the version of the rules under which the match began, and that of the positions if it
is another. A setting, name or seed that would not survive on its line is a JSON string.

Headings after `==` and indented lines repeat the commits in words. After `=` a commit has a hash of
the position. Then comes a checksum of the line, its explanation, and the checksum before it. So
every line that was changed, lost or moved is found, even by a version of this program with other
texts.

Version 1 has no hashes and no names. Comments follow `#`, and the head has `seats 2`, `computer p2`
and the seed. It is easier to write by hand.

People keep transcripts, so both versions must stay readable: a change of the format is version 3.
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
    MAX_QUOTED,
    NUMBER,
    STAGE,
    Block,
    Line,
    Transcript,
    checksum,
    fail,
    parse,
    quote_value,
)
from engine.core.record import Commit
from engine.core.story import (
    NOTHING,
    About,
    Chair,
    Story,
    describe_move,
    describe_result,
    last_line,
    names_at,
    tell_story,
)
from engine.core.table import commitment
from engine.core.words import Words, say, words_of

CHECKSUM_COLUMN = 64
MAX_LINE = 100
"""Columns after which an explanation is wrapped."""
INDENT = "    "


class Played(Struct, frozen=True):
    """A transcript that was replayed and found correct."""

    match: Match
    script: Transcript
    reworded: tuple[int, ...] = ()
    """The numbers of lines whose wording differs from this program's."""


def write(
    match: Match,
    words: Words | None = None,
    about: About | None = None,
    past: Iterable[Match] | None = None,
    rules: int | None = None,
) -> str:
    """Return the transcript of a match; see `tell_story` for the arguments."""
    words = words or words_of(match.game.id)
    return as_text(tell_story(match, words, about, past, rules), match, words)


def as_text(story: Story, match: Match, words: Words) -> str:
    """Return the story of a match as a transcript."""
    lines = [f"{HEADER} {story.motu}", ""]
    last_checksum = ""
    stage = ""

    def add(
        line: str,
        told: Iterable[str] = (),
        stage: str = "",
        position: str = "",
    ) -> None:
        nonlocal last_checksum
        below = _wrap_lines(told)
        last_checksum = checksum(last_checksum, stage, line, position, below)
        if stage:
            lines.extend(["", f"{STAGE}{stage}", ""])
        hashes = f"{position} {last_checksum}" if position else last_checksum
        lines.append(f"{line.ljust(CHECKSUM_COLUMN)} = {hashes}")
        lines.extend(f"{INDENT}{part}" for part in below)

    for line, told in _write_head(story, match, words):
        add(line, told)
    lines.append("")
    for move in story.moves:
        for coming in story.about.comings:
            if coming.number == move.number:
                add(f"seat p{coming.seat + 1} {quote_value(coming.name)}")
        heading = move.stage if move.stage != stage else ""
        add(f"{move.number} {move.notation}", move.told, heading, move.position)
        stage = move.stage
    lines.append("")
    add(last_line(match), story.result_told)
    add(f"seed {quote_value(story.seed)}")
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
    """Replay a transcript; raise Malformed at the first line that is wrong.

    Lines that are only worded otherwise are listed in the result.
    """
    script = text if isinstance(text, Transcript) else parse(text)
    at = script.head_line("game")
    if script.game not in games:
        fail(at, "unknown_game", game=repr(script.game[:40]))
    game = games[script.game]
    for version in (script.version, script.written):
        if not 1 <= version <= game.version:
            fail(at, "version", version=version, game=game.title, known=game.version)
    checker = _Checker(script, game, words or words_of(game.id))
    return Played(checker.check(), script, tuple(checker.reworded))


def _write_head(
    story: Story,
    match: Match,
    words: Words,
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the lines before the first commit, each with its explanation."""
    about = story.about
    line = f"game {story.game} {story.rules}"
    if story.rules_now != story.rules:
        line += f" {story.rules_now}"
    yield line, _describe_game(match.game, names_at(about, match.seats, 0))
    if about.match:
        yield f"match {about.match}", ()
    if about.ended:
        yield f"ended {about.ended}", ()
    for seat in range(match.seats):
        chair = about.chairs[seat] if seat < len(about.chairs) else Chair()
        line = f"person p{seat + 1}"
        if seat in story.computers:
            line = f"computer p{seat + 1} {chair.level or NOTHING}"
        if chair.name:
            line += f" {quote_value(chair.name)}"
        yield line, ()
    defaults = {setting.key: setting.default for setting in match.game.settings}
    for key, value in match.settings:
        if value or defaults[key]:
            yield (
                f"set {key} {quote_value(value)}",
                _describe_setting(match.game, words, key, value),
            )
    for seal in about.seals:
        yield f"seal {seal}", ()


def title(story: Story, match: Match) -> str:
    """Return a title that names the game and its players."""
    return _describe_game(match.game, names_at(story.about, match.seats, 0))[0]


def _describe_game(game: Game[Any], names: Iterable[str]) -> tuple[str, ...]:
    return (say("story.title", game=game.title, players=tuple(names)), say("story.about"))


def _describe_setting(
    game: Game[Any],
    words: Words,
    key: str,
    value: str,
) -> tuple[str, ...]:
    # A setting that takes any text, such as a map, is long and explains itself.
    if not any(setting.key == key and not setting.free for setting in game.settings):
        return ()
    return (say("story.setting", setting=words.setting(key), choice=words.choice(key, value)),)


def _wrap_lines(told: Iterable[str]) -> list[str]:
    """Wrap an explanation to the width of a transcript, without the indentation."""
    width = MAX_LINE - len(INDENT)
    lines: list[str] = []
    for line in told:
        parts = wrap(line, width, break_long_words=False, break_on_hyphens=False)
        lines += [part.strip() for part in parts]
    return lines


class _Checker:
    """Replays a transcript and compares every line with what this program would write."""

    def __init__(self, script: Transcript, game: Game[Any], words: Words) -> None:
        self.script = script
        self.game = game
        self.words = words
        self.reworded: list[int] = []

    def check(self) -> Match:
        """Return the match; raise Malformed at the first line that is wrong."""
        script = self.script
        self._check_head()
        self._check_seals()
        match = self._begin()
        prologue, commits = match.prologue, []
        self._check_move(None, match, script.begins, "")
        # Keep only the matches that a later line goes back to.
        targets = {_back_to(line) for line in script.lines}
        past = {0: match}
        stage = ""
        for line in script.lines:
            self._check_new_players(line.number)
            after = self._play_line(match, line, past)
            stage = self._check_move(match, after, line.block, stage)
            if after.last is not None:
                commits.append(after.last)
            # A match copies its log with every commit, so a long log is faster to collect here.
            match = after.without_log()
            if match.number in targets:
                past[match.number] = match
        self._check_end(match)
        return replace(match, prologue=prologue, commits=tuple(commits))

    def _check_head(self) -> None:
        """Compare the lines before the first commit."""
        script = self.script
        settings = dict(script.settings)
        for block in script.head if script.format > 1 else ():
            word, *rest = block.text.split(" ")
            told: tuple[str, ...] = ()
            if word == "game":
                told = _describe_game(self.game, names_at(script.about, script.seats, 0))
            elif word == "set":
                told = _describe_setting(self.game, self.words, rest[0], settings[rest[0]])
            self._compare(block, "", told)
        for block, coming in zip(script.comings, script.about.comings, strict=True):
            if coming.seat >= script.seats:
                fail(block.at, "head", line=block.text[:MAX_QUOTED])

    def _list_seeds(self) -> list[tuple[str, int]]:
        """Return all seeds of the match, each with the number of the line that names it."""
        returns = [line for line in self.script.lines if _back_to(line) is not None]
        rewinds = [line for line in returns if line.words[0] == "rewinds"]
        first = (self.script.seed, self.script.sealed.at)
        return [first, *((line.words[-1], line.block.at) for line in rewinds)]

    def _check_seals(self) -> None:
        """Raise Malformed if the hash of a seed is not its seal."""
        about = self.script.about
        seeds = zip(about.seals, self._list_seeds(), strict=False)
        for index, (seal, (seed, at)) in enumerate(seeds):
            if commitment(about.match, seed) != seal:
                fail(at, "other_seed", line=self._seal_line(index))

    def _check_number_of_seals(self) -> None:
        """Raise Malformed for a seed without a seal, or a seal without a seed."""
        seeds = self._list_seeds()
        sealed = len(self.script.about.seals)
        if 0 < sealed < len(seeds):
            fail(seeds[sealed][1], "no_seal")
        if sealed > len(seeds):
            fail(self._seal_line(len(seeds)), "no_dice")

    def _seal_line(self, index: int) -> int:
        """Return the number of the line with the seal at an index, counted from 0."""
        return [block.at for block in self.script.head if block.text.startswith("seal ")][index]

    def _begin(self) -> Match:
        """Return the match at the start; a refusal names the setting that is wrong."""
        script, given = self.script, dict(self.script.settings)
        seats_line = script.head_line("seats")
        for key, value in given.items():
            try:
                full_settings(self.game, script.seats, {key: value})
            except EngineError as error:
                is_setting = script.seats in self.game.seats
                at = script.head_line("set", key) if is_setting else seats_line
                fail(at, "cannot_begin", why=error)
        try:
            return begin(self.game, script.seats, given, script.seed, frozenset(script.computers))
        except EngineError as error:
            # Settings with a list of values are right by now, so one with free text must be wrong.
            free = [setting.key for setting in self.game.settings if setting.free]
            wrong = [key for key in free if key in given]
            at = script.head_line("set", wrong[0]) if wrong else seats_line
            fail(at, "cannot_begin", why=error)

    def _play_line(self, match: Match, line: Line, past: Mapping[int, Match]) -> Match:
        """Return the match after a line's commit."""
        at = line.block.at
        if line.number != match.number + 1:
            fail(at, "order", number=line.number, before=match.number)
        try:
            return _play(match, line, past)
        except EngineError as error:
            # What was legal under older rules may not be legal any more.
            was = self.script.version if self.script.version < self.game.version else None
            fail(at, "illegal", why=error, was=was, now=self.game.version)

    def _check_move(self, before: Match | None, after: Match, block: Block, stage: str) -> str:
        """Compare a commit with its lines; return the stage in which it was made."""
        script = self.script
        if script.format == 1:
            return ""
        commit = after.last or Commit(Seat(0), (), events=after.prologue)
        names = names_at(script.about, script.seats, after.number)
        move = describe_move(before, after, commit, self.words, names)
        # Hashes of positions change with the rules, so they can be compared only under the same.
        if script.written == self.game.version and block.position != move.position:
            if before is None and block.intact and not script.about.seals:
                fail(script.sealed.at, "other_start", line=block.at)
            fail(block.at, "other_position" if block.intact else "other_move")
        self._compare(block, move.stage if move.stage != stage else "", move.told)
        return move.stage

    def _check_new_players(self, number: int) -> None:
        """Compare the `seat` lines before a commit."""
        for block, coming in zip(self.script.comings, self.script.about.comings, strict=True):
            if coming.number == number:
                self._compare(block, "", ())

    def _check_end(self, match: Match) -> None:
        """Compare the lines after the last commit."""
        script = self.script
        if script.last != last_line(match):
            fail(script.end.at, "other_end", said=script.last[:MAX_QUOTED], found=last_line(match))
        if script.format > 1:
            self._check_new_players(match.number + 1)
            names = names_at(script.about, script.seats, match.number)
            self._compare(script.end, "", describe_result(match, self.words, names))
            self._compare(script.sealed, "", ())
            self._check_number_of_seals()

    def _compare(self, block: Block, stage: str, told: Iterable[str]) -> None:
        """Compare the heading and explanation of a line with those that this program would write.

        If the checksum shows that the line is unchanged, a different wording is no fault: it may
        come from another version of this program.
        """
        # The number, the text and the expected text of each line that differs.
        differing: list[tuple[int, str, str]] = []
        heading_at, heading = block.stage or (block.at, "")
        if heading != stage:
            differing.append((heading_at, heading, stage))
        after_last = (block.told[-1][0] if block.told else block.at) + 1
        wanted_lines = _wrap_lines(told)
        for written, wanted in zip_longest(block.told, wanted_lines, fillvalue=None):
            at, words = written or (after_last, "")
            if words != (wanted or ""):
                differing.append((at, words, wanted or ""))
        if block.intact:
            self.reworded += [at for at, _, _ in differing]
        elif differing and block.would_be_intact(stage, wanted_lines):
            # The checksum fits the expected texts, so somebody has changed the explanation.
            at, words, text = differing[0]
            fail(at, "other_words", said=words[:80], wanted=text[:80])
        else:
            fail(block.at, "changed")


def _back_to(line: Line) -> int | None:
    """Return the number of the commit that a line goes back to; None for any other line."""
    match line.words:
        case ("takes", "back", "to", number) | ("rewinds", "to", number, "with", "seed", _):
            return int(number) if NUMBER.fullmatch(number) else None
    return None


def _play(match: Match, line: Line, past: Mapping[int, Match]) -> Match:
    """Return the match after a line; `past` holds the matches to which it may go back."""
    back_to = _back_to(line)
    if back_to is not None:
        seed = line.words[-1] if line.words[0] == "rewinds" else ""
        return match.replay(Commit(line.seat, (), back_to=back_to, seed=seed), past)
    match line.words:
        case ("resigns",):
            return match.resign(line.seat)
        case ("handed", "to", "computer" | "person" as to):
            return match.hand_over(line.seat, to == "computer")
    return _play_answers(match, line)


def _play_answers(match: Match, line: Line) -> Match:
    """Return the match after a line that consists of answers."""
    if len(line.words) > MAX_DRAFT:
        raise IllegalAnswer(say("transcript.too_many_words"))
    for word in line.words:
        if "/" in word:
            kind, _, joined = word.partition("/")
            return match.pick(Answer(line.seat, kind, _split_keys(joined)))
        keys = _split_keys(word.strip("()"))
        if word.startswith("("):
            # The match has already given this forced answer.
            answers = match.draft(line.seat).answers
            if not any(answer.forced and answer.keys == keys for answer in answers):
                raise IllegalAnswer(say("transcript.not_forced", keys="+".join(keys)[:40]))
            continue
        question = match.question(line.seat)
        if question is None:
            raise IllegalAnswer(say("transcript.not_asked", seat=line.seat + 1))
        match = match.pick(Answer(line.seat, question.kind, _split_keys(word)))
    if not match.is_complete(line.seat):
        raise NotFinished(say("transcript.not_whole"))
    return match.confirm(line.seat)


def _split_keys(word: str) -> tuple[str, ...]:
    return () if word == NOTHING else tuple(word.split("+"))
