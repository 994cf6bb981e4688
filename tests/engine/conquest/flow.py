"""Count what a sensible match asks of people.

Every seat plays like the plain player, with the fewest presses that the questions allow: it enters
its build list piece by piece, confirms as soon as that is possible, and has given its standing
orders once.
"""

from collections import Counter

from msgspec import Struct

from engine import Answer, Decision, Match, NotFinished, Seat, begin
from engine.conquest import GAME
from engine.conquest.pieces import Line
from engine.players.conquest.plain import plain_answer

TO_ORDER = 3
"""Presses for standing orders, which are given once, all together: More, which, what."""


LISTING = ("build_item", "build_at", "pay_from")


class Flow(Struct):
    """The counts of one or several matches."""

    turns: int = 0
    seats: int = 0
    presses: int = 0
    """Answers and confirms together."""
    confirms: int = 0
    hand_offs: int = 0
    """How often somebody else had to come."""

    def plus(self, other: "Flow") -> "Flow":
        """Return the sum of both."""
        return Flow(*(a + b for a, b in zip(self._numbers, other._numbers, strict=True)))

    @property
    def _numbers(self) -> tuple[int, ...]:
        return self.turns, self.seats, self.presses, self.confirms, self.hand_offs

    def each(self, number: int) -> float:
        """Return the counts per seat and turn; `seats` is the number of seats times turns."""
        return number / self.seats


class Table:
    """A match with people, and the count of what they do."""

    def __init__(self, seats: int, seed: str) -> None:
        self.match: Match = begin(GAME, seats, {}, seed)
        self.seat = self.match.waiting_for()[0]
        self.flow = Flow()

    def play(self) -> Flow:
        """Play the match to its end."""
        for seat in map(Seat, range(self.match.seats)):
            self.match = self.match.pick(Answer(seat, "set_all_orders", ("swift",)))
            self.flow.presses += TO_ORDER
        while self.match.outcome is None:
            if self._answers_by_order():
                continue
            if self.seat not in self.match.waiting_for():
                self.seat = self.match.waiting_for()[0]
                self.flow.hand_offs += 1
            self._sit()
        self.flow.turns = self.match.base.turn
        self.flow.seats = self.flow.turns * self.match.seats
        return self.flow

    def _answers_by_order(self) -> bool:
        """Answer by a standing order if one applies; return whether one did."""
        for seat in self.match.waiting_for():
            if answer := GAME.standing_answer(self.match.base, seat):
                self.match = self.match.pick(answer).confirm(seat)
                return True
        return False

    def _sit(self) -> None:
        """Make and confirm one draft for the seat to move."""
        while (question := self.match.question(self.seat)) is not None:
            if question.kind == "build_item":
                self._build()
                question = self.match.question(self.seat)
                assert question is not None
            keys = self._plain_answer(self.match, question)
            if self._may_confirm(question, keys):
                break
            self._press(question.kind, keys)
            if self.match.commits_without_confirm(self.seat):
                self.match = self.match.confirm(self.seat)
                return
        self.match = self.match.confirm(self.seat)
        self.flow.presses += 1
        self.flow.confirms += 1

    def _plain_answer(self, match: Match, question: Decision) -> tuple[str, ...]:
        return plain_answer(match.view(self.seat), question) or (question.options[0].key,)

    def _may_confirm(self, question: Decision, keys: tuple[str, ...]) -> bool:
        """Return whether confirming now means what the player wants.

        After Movement they build at once, and do not wait for the Building Step.
        """
        ending = question.ending()
        if ending is None or keys != (ending.key,) or question.kind == "move_stack":
            return False
        try:
            self.match.confirm(self.seat)
        except NotFinished:
            return False
        return True

    def _press(self, kind: str, keys: tuple[str, ...]) -> None:
        self.match = self.match.pick(Answer(self.seat, kind, keys))
        self.flow.presses += 1

    def _build(self) -> None:
        """Enter the plain player's build list with as few presses as possible."""
        left = Counter((line.item, line.spot) for line in self._list())
        while any(left.values()):
            question = self.match.question(self.seat)
            assert question is not None
            key, taken = self._item(question, left)
            self._press("build_item", (key,))
            question = self.match.question(self.seat)
            if question is not None and question.kind in ("build_at", "pay_from"):
                keys, taken = self._places(question, left, taken[0][0])
                self._press(question.kind, keys)
            left.subtract(taken)

    def _list(self) -> list[Line]:
        """Return the plain player's list, made on a draft that is thrown away."""
        tried, lines = self.match, list[Line]()
        while (question := tried.question(self.seat)) is not None and question.kind in LISTING:
            lines = (
                list(tried.tip(self.seat).builds[self.seat].lines)
                if tried.tip(self.seat).builds
                else []
            )
            tried = tried.pick(
                Answer(self.seat, question.kind, self._plain_answer(tried, question))
            )
        begun = self.match.tip(self.seat).builds
        return lines[len(begun[self.seat].lines) if begun else 0 :]

    def _item(
        self, question: Decision, left: Counter[tuple[str, str]]
    ) -> tuple[str, list[tuple[str, str]]]:
        """Return the next item, as many as one answer takes, and the lines that it stands for."""
        offered = [option.key for option in question.options]
        for (item, spot), number in left.items():
            if number and item in offered:
                most = max(n for n in range(1, number + 1) if n == 1 or f"{item}-{n}" in offered)
                return (f"{item}-{most}" if most > 1 else item), [(item, spot)] * most
        raise AssertionError(f"nothing of {left} is offered: {offered}")

    def _places(
        self, question: Decision, left: Counter[tuple[str, str]], item: str
    ) -> tuple[tuple[str, ...], list[tuple[str, str]]]:
        """Return the places for an item: several copies in one, or one copy in each of several."""
        offered = [option.key for option in question.options]
        wanted = [
            spot
            for (listed, spot), number in left.items()
            if listed == item and number and spot in offered
        ]
        spot = wanted[0]
        most = max(n for n in range(1, left[item, spot] + 1) if n == 1 or f"{spot}-{n}" in offered)
        if most > 1:
            return (f"{spot}-{most}",), [(item, spot)] * most
        chosen = wanted[: question.at_most]
        return tuple(chosen), [(item, one) for one in chosen]


def measured(seats: int, matches: int) -> Flow:
    """Play this many matches and return their counts together."""
    total = Flow()
    for seed in range(1, matches + 1):
        total = total.plus(Table(seats, f"flow {seed}").play())
    return total
