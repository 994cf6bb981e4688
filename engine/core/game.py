"""The interface of a game: pure functions over an immutable state.

A game implements `Game`, usually by way of steps.StepGame, and gives everything that others need as
a View, Decisions and Events. Functions must not keep anything between calls, read the clock or draw
random numbers except from the Table they are given: matches are replayed, and computers and tests
try thousands of positions.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.errors import BadSettings
from engine.core.escape import escape_text
from engine.core.event import Line, Tell
from engine.core.table import Table
from engine.core.words import say

S = TypeVar("S")
Point = tuple[float, float]
"""How far right and how far down, in the board's own units."""

RESIGNED = "resigned"
"""The reason of an outcome when at most one person is left; all other reasons are the game's."""


class Choice(Struct, frozen=True):
    """A value of a setting, and the numbers of seats that it is legal for; empty if any is."""

    key: str
    seats: tuple[int, ...] = ()

    def fits(self, seats: int) -> bool:
        """Return whether a match with that many seats may have this value."""
        return not self.seats or seats in self.seats


class Setting(Struct, frozen=True):
    """A property of a match that the host chooses before the start."""

    key: str
    choices: tuple[Choice, ...]
    default: str
    free: bool = False
    """Whether it takes any text, which the game's `setup` checks. The lobby does not show it."""

    def check(self, value: str, seats: int) -> None:
        """Raise BadSettings unless a match with that many seats may have this value."""
        if self.free:
            return
        fitting = [choice.key for choice in self.choices if choice.fits(seats)]
        if value not in fitting:
            raise BadSettings(
                say(
                    "refusal.value",
                    setting=self.key,
                    value=escape_text(value),
                    seats=seats,
                    values=tuple(fitting),
                )
            )


class Outcome(Struct, frozen=True):
    """The result of a match.

    `ranking` lists the ranks from the first to the last, each with the seats that share it.
    """

    reason: str
    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[float, ...]
    tiebreak: tuple[tuple[tuple[str, int], ...], ...] = ()
    """For each seat the tie-breaks in the order in which they apply, as names and numbers."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Return the seats that share the first rank."""
        return self.ranking[0]

    def decider(self) -> tuple[str, int] | None:
        """Return the tie-break that decided among seats with equal points; None if none did."""
        if len(self.winners) > 1 or not (self.scores and self.tiebreak):
            return None
        (winner,) = self.winners
        most = self.scores[winner]
        tied = [seat for seat, score in enumerate(self.scores) if score == most and seat != winner]
        for index, tiebreak in enumerate(self.tiebreak[winner]):
            still_tied = [seat for seat in tied if self.tiebreak[seat][index] == tiebreak]
            if tied and not still_tied:
                return tiebreak
            tied = still_tied
        return None


class View(Struct, frozen=True, tag=True, kw_only=True):
    """The facts that one viewer may know about a position: the source of pictures and texts."""

    game: str
    viewer: Seat | None
    scores: tuple[float, ...]
    """The points of each seat so far; at the end, those of the outcome."""
    to_move: tuple[Seat, ...] = ()
    """The seats that have to decide. The match fills this in, and the outcome: a game need not."""
    outcome: Outcome | None = None
    """The result, once the match has ended."""

    def note(self, spot: str) -> str:
        """Return the key of a word for what is on a spot; '' if there is nothing to mention."""
        return ""

    def facts(self, option: Option) -> Mapping[str, Any]:
        """Return more facts about an option, which only its label needs.

        They are computed only when the label is shown, so they cost computer players no time.
        """
        return {}

    def status(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Return the text keys and facts of the lines that sum up the position in a public post."""
        return ()

    def stage(self) -> Line | None:
        """Return the round, turn or phase, as a line of [stage]; None if the game counts none.

        A plan made for one stage does not apply to the next.
        """
        return None


class Game(Protocol[S]):
    """Everything the rest of Motu needs from a game. `S` is the game's own immutable State.

    `id`, the keys of `settings` and the values of `reasons` are saved, so they are never renamed.
    """

    id: str
    title: str
    seats: range
    version: int
    """The version of the State. Raise it when a field changes, and add a migration."""
    settings: tuple[Setting, ...]
    reasons: type[StrEnum]
    """Every way the game itself can end."""
    standing: Mapping[str, str]
    """Standing orders, by kind of question: the offer by which a seat answers it once and for all.

    It is for questions that keep coming up, even when it isn't the seat's turn. The offer's fact
    `now` is a word for the order that the seat has given.
    """
    windows: frozenset[str]
    """Kinds of questions that are asked even if there is only one answer.

    Not being asked would reveal a secret.
    """
    told_apart_by: Mapping[str, tuple[str, ...]]
    """By kind of question whose keys say only where something lies: the facts that say what it is.

    An answer planned in advance is dropped if something else lies there by then, and is not
    replaced by the only answer left either.
    """
    begins: str
    """The setting that says which seat begins ('1' is the first); '' if the rules alone decide."""
    commit_limit: int
    """More commits than any match can have, within which random play must end."""
    state_type: type[S]
    event_type: Any
    """The union of the game's events, for decoding."""
    migrations: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]
    """By version, the function that migrates a save of it, given as raw JSON, to the next version.

    It is also called with saved events alone, without the `base`.
    """

    def setup(self, seats: int, settings: Mapping[str, str], table: Table) -> S:
        """Return the position before the first decision."""

    def questions(self, state: S) -> tuple[Decision, ...]:
        """Return the open questions of all seats, at most one for each seat."""

    def offers(self, state: S) -> tuple[Decision, ...]:
        """Return the offers, which seats may take at any time and nobody waits for."""

    def standing_answer(self, state: S, seat: Seat) -> Answer | None:
        """Return the answer that a seat's standing orders give to its question; None if they don't.

        The caller waits before giving it, as a person would: an instant answer would reveal the
        order.
        """

    def apply(self, state: S, answer: Answer, tell: Tell) -> S:
        """Return the state after a legal answer to a question; nothing is rolled or revealed."""

    def take_offer(self, state: S, answer: Answer, tell: Tell) -> S:
        """Return the state after a legal answer to an offer; `advance` always follows."""

    def advance(self, state: S, table: Table) -> S:
        """Roll, reveal and pass the turn until somebody must decide or the match is over."""

    def view(self, state: S, viewer: Seat | None) -> View:
        """Return what a seat, or a spectator (None), may know.

        Build it from public facts and the viewer's own, and don't strip down the state: then what
        is forgotten is missing, and not leaked.
        """

    def outcome(self, state: S) -> Outcome | None:
        """Return the result, or None while the match is going on."""

    def redeal(self, state: S, viewer: Seat | None, table: Table) -> S:
        """Return a position that looks the same to this viewer, with everything hidden dealt again.

        Build it from what the viewer knows: positions that look alike to them must give the same
        result with the same table.
        """

    def sealed(self, state: S) -> tuple[tuple[str, Seat], ...]:
        """Return the answers that stay sealed until all are in, as pairs of a kind and a seat."""

    def follows(self, state: S) -> str:
        """Return the step that confirming a finished draft leads to, for the label of Confirm.

        That is a step with dice or a reveal, or the wait for others; '' if the turn simply ends.
        """

    def refusal(self, state: S, decision: Decision, key: str) -> Line | None:
        """Return the rule that forbids an answer, as a line of [why]; None if no rule is known.

        `state` is the position at that question, with the deciding seat's own draft. The line may
        use only what this seat knows. The key may be any text.
        """

    def round(self, state: S) -> int | None:
        """Return the number of the round, from 1; None in a game without rounds."""

    def lesson_over(self, state: S) -> bool | None:
        """Return whether a first match has shown enough; None if the game has no lesson."""

    def places(self, view: View) -> Mapping[str, Point]:
        """Return the coordinates of every spot, to find what is near; empty without a board."""


def seat_range(game: Game[Any]) -> tuple[int | None, int]:
    """Return the fewest and the most seats of a game; the fewest is None if both are the same."""
    least, most = game.seats[0], game.seats[-1]
    return least if least < most else None, most


def full_settings(
    game: Game[Any],
    seats: int,
    given: Mapping[str, str],
) -> dict[str, str]:
    """Return all settings, with defaults for those not given; raise BadSettings if one is wrong."""
    if not isinstance(seats, int) or seats not in game.seats:
        least, most = seat_range(game)
        raise BadSettings(
            say("refusal.seats", game=game.title, least=least, most=most, seats=seats)
        )
    known = {setting.key: setting for setting in game.settings}
    for key in given:
        if key not in known:
            raise BadSettings(
                say("refusal.setting", game=game.title, setting=escape_text(str(key)))
            )
    settings = {key: given.get(key, setting.default) for key, setting in known.items()}
    for key, value in settings.items():
        known[key].check(value, seats)
    return settings


def as_text(key: str, value: Any) -> str:
    """Return a setting's value as it is saved: text as it is, anything else as JSON."""
    try:
        if isinstance(value, str):
            # A lone surrogate cannot be encoded, so such a text could not be stored.
            value.encode()
            return value
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError as error:
        raise BadSettings(say("refusal.unwritable", setting=key)) from error
    except TypeError as error:
        raise BadSettings(
            say("refusal.not_json", setting=key, type=type(value).__name__)
        ) from error
