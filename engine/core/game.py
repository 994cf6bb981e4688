"""What a game is: pure functions over a frozen state."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from engine.core.decision import Answer, Decision, Seat
from engine.core.errors import BadSettings
from engine.core.escape import escaped
from engine.core.event import Line, Tell
from engine.core.table import Table
from engine.core.words import say

S = TypeVar("S")
Point = tuple[float, float]
"""Across and down, in whatever measure a board has."""

RESIGNED = "resigned"
"""The reason of an outcome when at most one human seat is left; every other reason is a game's
own.
"""


class Choice(Struct, frozen=True):
    """A value of a setting, with the numbers of seats it is legal for (empty: any)."""

    key: str
    seats: tuple[int, ...] = ()

    def fits(self, seats: int) -> bool:
        """Whether a table of that many may choose it."""
        return not self.seats or seats in self.seats


class Setting(Struct, frozen=True):
    """Something the host chooses before the start."""

    key: str
    choices: tuple[Choice, ...]
    default: str
    free: bool = False
    """Takes any text besides its choices; the game's `setup` checks it. Not shown in the lobby."""

    def check(self, value: str, seats: int) -> None:
        """Refuse what this table may not choose."""
        if self.free:
            return
        fitting = [choice.key for choice in self.choices if choice.fits(seats)]
        if value not in fitting:
            raise BadSettings(
                say(
                    "refusal.value",
                    setting=self.key,
                    value=escaped(value),
                    seats=seats,
                    values=tuple(fitting),
                )
            )


class Outcome(Struct, frozen=True):
    """How a match ended.

    `ranking` lists the places from the first on; seats of one place share it.
    """

    reason: str
    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[float, ...]
    tiebreak: tuple[tuple[tuple[str, int], ...], ...] = ()
    """A seat each, what breaks a tie: names and numbers in the order in which they decide."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats in the first place."""
        return self.ranking[0]

    def decider(self) -> tuple[str, int] | None:
        """The part of the tie-break that left one winner of those with equal points; None where
        no tie was broken.
        """
        if len(self.winners) > 1 or not (self.scores and self.tiebreak):
            return None
        (winner,) = self.winners
        most = self.scores[winner]
        level = [seat for seat, score in enumerate(self.scores) if score == most and seat != winner]
        for place, part in enumerate(self.tiebreak[winner]):
            still_level = [seat for seat in level if self.tiebreak[seat][place] == part]
            if level and not still_level:
                return part
            level = still_level
        return None


class View(Struct, frozen=True, tag=True, kw_only=True):
    """What one viewer may know of a position: all that pictures, texts and menus are made from."""

    game: str
    viewer: Seat | None
    scores: tuple[float, ...]
    """The points of each seat as the table counts them so far; at the end those of the outcome."""
    to_move: tuple[Seat, ...] = ()
    """Who owes a decision. This and the outcome a match fills in: a game need not."""
    outcome: Outcome | None = None
    """How the match ended, once it has."""

    def note(self, spot: str) -> str:
        """A word key for what lies there, '' if nothing worth saying does."""
        return ""

    def status(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Wording keys and facts of the lines that sum the position up in a public post."""
        return ()

    def stage(self) -> Line | None:
        """Which round, turn or phase the rulebook calls this, as a line of [stage]; None where it
        counts none.

        Whatever is planned for one of them is not meant for the next.
        """
        return None


class Game(Protocol[S]):
    """The seam between a game and everything else. `S` is the game's own frozen State."""

    id: str
    title: str
    seats: range
    version: int
    """Rises when the State changes shape."""
    settings: tuple[Setting, ...]
    reasons: type[StrEnum]
    """Every way the game itself can end."""
    standing: Mapping[str, str]
    """By kinds of questions that come again and again, out of turn too: the offer with which a seat
    says once for all how it answers. Its fact `now` is a word for what it has said.
    """
    windows: frozenset[str]
    """Kinds that are asked although there may be one answer, because not to ask would tell a
    secret.
    """
    told_apart_by: Mapping[str, tuple[str, ...]]
    """By kinds of questions whose keys only say where something lies: the facts of an option that
    say what it is. What was chosen ahead of time is not meant for another thing in the same place.
    Nor, for any kind named here, is it meant for another answer that is the only possible one by
    then.
    """
    begins: str
    """The setting that says which seat begins, '1' the first; '' if the rules alone say it."""
    commit_limit: int
    """More commits than any match can have: random play must end before."""
    state_type: type[S]
    event_type: Any
    """The union of the game's events, for decoding."""
    migrations: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]
    """By version: how a raw save of it becomes one of the next.

    Stored events come alone, without the `base`.
    """

    def setup(self, seats: int, settings: Mapping[str, str], table: Table) -> S:
        """The position before the first decision."""

    def questions(self, state: S) -> tuple[Decision, ...]:
        """What must be decided now, of all seats; no seat is asked two questions at a time."""

    def offers(self, state: S) -> tuple[Decision, ...]:
        """What may be decided at any time, and holds nobody up."""

    def standing_answer(self, state: S, seat: Seat) -> Answer | None:
        """Return the answer that a seat's standing orders give to its open question, or None if it
        has to say itself.

        The caller gives it when a person might have: an answer at once would show that an order
        gave it.
        """

    def apply(self, state: S, answer: Answer, tell: Tell) -> S:
        """The answer to a question taken: no dice, nothing revealed, deterministic.

        The answer has been checked.
        """

    def take_offer(self, state: S, answer: Answer, tell: Tell) -> S:
        """The same for an offer; `advance` always comes after it."""

    def advance(self, state: S, table: Table) -> S:
        """Dice, reveals and the change of turn, until somebody must decide or the match ends."""

    def view(self, state: S, viewer: Seat | None) -> View:
        """What a seat, or a spectator (None), may know; built up, never stripped down."""

    def outcome(self, state: S) -> Outcome | None:
        """The end, once it has come."""

    def redeal(self, state: S, viewer: Seat | None, table: Table) -> S:
        """Return a position that looks the same to this viewer, with everything that they cannot
        know dealt anew.

        Build it from what they know: positions that look alike to them must come out alike from the
        same table.
        """

    def sealed(self, state: S) -> tuple[tuple[str, Seat], ...]:
        """What is closed until all secret answers are in: what it is, and whose."""

    def follows(self, state: S) -> str:
        """What a draft that ends here leads to, for the label of its confirm: a step, or the wait
        for others' answers.

        '' if the turn merely passes on.
        """

    def objection(self, state: S, decision: Decision, key: str) -> Line | None:
        """Return the rule that stands against an answer, as a line of [why]; None where none is
        known.

        `state` is the position at that question, the asked seat's own draft included; the line may
        tell nothing that this seat cannot know. The key may be any text.
        """

    def round(self, state: S) -> int | None:
        """Which round it is, from 1; None in a game that does not count them."""

    def lesson_over(self, state: S) -> bool | None:
        """Whether a first match has shown what there is to learn: a phase, or some rounds; None
        where nobody says.
        """

    def places(self, view: View) -> Mapping[str, Point]:
        """Every spot of the board and where it lies on it: what is near what.

        None where there is no board.
        """


def seats_in_words(game: Game[Any]) -> tuple[int | None, int]:
    """Of how many seats at least, to be left out where it is also the most, and at most."""
    least, most = game.seats[0], game.seats[-1]
    return least if least < most else None, most


def full_settings(game: Game[Any], seats: int, given: Mapping[str, str]) -> dict[str, str]:
    """The given settings with the defaults filled in, refused where the game does not know them."""
    if not isinstance(seats, int) or seats not in game.seats:
        least, most = seats_in_words(game)
        raise BadSettings(
            say("refusal.seats", game=game.title, least=least, most=most, seats=seats)
        )
    known = {setting.key: setting for setting in game.settings}
    for key in given:
        if key not in known:
            raise BadSettings(say("refusal.setting", game=game.title, setting=escaped(str(key))))
    settings = {key: given.get(key, setting.default) for key, setting in known.items()}
    for key, value in settings.items():
        known[key].check(value, seats)
    return settings


def as_text(key: str, value: Any) -> str:
    """A setting's value as it is kept: text, or the JSON of anything else."""
    try:
        # To be kept a text must be one that can be encoded: no half of a surrogate pair.
        return (
            value.encode().decode()
            if isinstance(value, str)
            else msgspec.json.encode(value).decode()
        )
    except UnicodeEncodeError as error:
        raise BadSettings(say("refusal.unwritable", setting=key)) from error
    except TypeError as error:
        raise BadSettings(
            say("refusal.not_json", setting=key, type=type(value).__name__)
        ) from error
