"""Count the button presses that a sensible match takes.

Every seat plays like the plain computer player, with the fewest presses that the questions allow:
it enters its build list piece by piece, confirms as soon as that is possible, and gives its
standing orders once at the start.
"""

from collections import Counter

from msgspec import Struct

from engine import Answer, Decision, Match, NotFinished, Seat, begin
from engine.conquest import GAME
from engine.conquest.pieces import Line
from engine.players.conquest.plain import plain_answer

PRESSES_TO_ORDER = 3
"""The presses that give all standing orders together: More, the kind of order, the order."""


LIST_QUESTIONS = ("build_item", "build_at", "pay_from")


class Counts(Struct):
    """The counts of one or several matches."""

    seat_turns: int = 0
    """The number of seats times the number of turns."""
    presses: int = 0
    """Presses of all kinds, confirms included."""
    confirms: int = 0
    hand_offs: int = 0
    """How often the match had to wait for another player than before."""

    def plus(self, other: "Counts") -> "Counts":
        """Return the sum of both."""
        return Counts(
            self.seat_turns + other.seat_turns,
            self.presses + other.presses,
            self.confirms + other.confirms,
            self.hand_offs + other.hand_offs,
        )

    def per_seat_and_turn(self) -> tuple[float, float, float]:
        """Return presses, confirms and hand-offs per seat and turn."""
        return (
            self.presses / self.seat_turns,
            self.confirms / self.seat_turns,
            self.hand_offs / self.seat_turns,
        )


class SimulatedMatch:
    """A match played by simulated people, with the count of what they press."""

    def __init__(self, seats: int, seed: str) -> None:
        self.match: Match = begin(GAME, seats, {}, seed)
        self.seat = self.match.waiting_for()[0]
        self.counts = Counts()

    def play(self) -> Counts:
        """Play the match to its end, and return the counts."""
        for seat in map(Seat, range(self.match.seats)):
            self.match = self.match.pick(Answer(seat, "set_all_orders", ("swift",)))
            self.counts.presses += PRESSES_TO_ORDER
        while self.match.outcome is None:
            if self._answer_by_order():
                continue
            if self.seat not in self.match.waiting_for():
                self.seat = self.match.waiting_for()[0]
                self.counts.hand_offs += 1
            self._play_turn()
        self.counts.seat_turns = self.match.base.turn * self.match.seats
        return self.counts

    def _answer_by_order(self) -> bool:
        """Answer by a standing order if one applies; return whether one did."""
        for seat in self.match.waiting_for():
            if answer := GAME.standing_answer(self.match.base, seat):
                self.match = self.match.pick(answer).confirm(seat)
                return True
        return False

    def _play_turn(self) -> None:
        """Draft and confirm one turn of the seat to move."""
        while (question := self.match.question(self.seat)) is not None:
            if question.kind == "build_item":
                self._build()
                question = self.match.question(self.seat)
                assert question is not None
            keys = self._choose_keys(self.match, question)
            if self._may_confirm(question, keys):
                break
            self._press(question.kind, keys)
            if self.match.commits_without_confirm(self.seat):
                # The bot commits such a turn by itself, so nobody presses Confirm.
                self.match = self.match.confirm(self.seat)
                return
        self.match = self.match.confirm(self.seat)
        self.counts.presses += 1
        self.counts.confirms += 1

    def _choose_keys(self, match: Match, question: Decision) -> tuple[str, ...]:
        """Return the plain player's answer; the first option if it has none."""
        return plain_answer(match.view(self.seat), question) or (question.options[0].key,)

    def _may_confirm(self, question: Decision, keys: tuple[str, ...]) -> bool:
        """Return whether confirming now gives the answer that the player would press.

        After Movement it doesn't: they end it themselves, to build at once.
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
        self.counts.presses += 1

    def _build(self) -> None:
        """Enter the plain player's build list with as few presses as possible."""
        to_enter = Counter((line.item, line.spot) for line in self._make_list())
        while any(to_enter.values()):
            question = self.match.question(self.seat)
            assert question is not None
            key, entered = self._next_item(question, to_enter)
            self._press("build_item", (key,))
            question = self.match.question(self.seat)
            if question is not None and question.kind in ("build_at", "pay_from"):
                keys, entered = self._next_hexes(question, to_enter, entered[0][0])
                self._press(question.kind, keys)
            to_enter.subtract(entered)

    def _make_list(self) -> list[Line]:
        """Return the lines that the plain player would add, found on a draft that is discarded."""
        draft, lines = self.match, list[Line]()
        while (question := draft.question(self.seat)) is not None:
            if question.kind not in LIST_QUESTIONS:
                break
            lines = _lines_so_far(draft, self.seat)
            keys = self._choose_keys(draft, question)
            draft = draft.pick(Answer(self.seat, question.kind, keys))
        return lines[len(_lines_so_far(self.match, self.seat)) :]

    def _next_item(
        self, question: Decision, to_enter: Counter[tuple[str, str]]
    ) -> tuple[str, list[tuple[str, str]]]:
        """Return the key of the next item, as many as one answer takes, and the lines it enters."""
        offered = [option.key for option in question.options]
        for (item, spot), number in to_enter.items():
            if number and item in offered:
                most = max(n for n in range(1, number + 1) if n == 1 or f"{item}-{n}" in offered)
                return (f"{item}-{most}" if most > 1 else item), [(item, spot)] * most
        raise AssertionError(f"nothing of {to_enter} is offered: {offered}")

    def _next_hexes(
        self, question: Decision, to_enter: Counter[tuple[str, str]], item: str
    ) -> tuple[tuple[str, ...], list[tuple[str, str]]]:
        """Return the hexes for an item, and the lines that they enter.

        These are several copies in one hex, or one copy in each of several hexes.
        """
        offered = [option.key for option in question.options]
        spots = [
            spot
            for (listed, spot), number in to_enter.items()
            if listed == item and number and spot in offered
        ]
        first = spots[0]
        copies = range(1, to_enter[item, first] + 1)
        most = max(n for n in copies if n == 1 or f"{first}-{n}" in offered)
        if most > 1:
            return (f"{first}-{most}",), [(item, first)] * most
        chosen = spots[: question.at_most]
        return tuple(chosen), [(item, spot) for spot in chosen]


def _lines_so_far(match: Match, seat: Seat) -> list[Line]:
    builds = match.tip(seat).builds
    return list(builds[seat].lines) if builds else []


def count_presses(seats: int, matches: int) -> Counts:
    """Play this many matches and return their counts together."""
    total = Counts()
    for seed in range(1, matches + 1):
        total = total.plus(SimulatedMatch(seats, f"flow {seed}").play())
    return total
