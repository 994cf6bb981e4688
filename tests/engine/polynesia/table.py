"""Sets up Polynesia positions from the map's codes, and plays them with scripted stones."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine import Seat, Table
from engine.polynesia import GAME
from engine.polynesia.board import board_for, components
from engine.polynesia.events import Last
from engine.polynesia.maintenance import VALUES, Decline, DrawStone, Gather, PassStart
from engine.polynesia.state import TYPE_FACTOR, Side, State
from engine.polynesia.steps import TakeAction
from engine.polynesia.view import PolynesiaView
from tests.engine import play

SETTINGS = {"tide1": "draw", "tide2": "draw", "tide3": "draw", "first": "1"}
TIDES = "1.3 2.4 3.7"
"""Cards that change nothing while the game is in play."""
RED, GREY, BLACK = "red", "grey", "black"


class Stones(Table):
    """A bag from which stones come in the given order; shuffles keep the order."""

    def __init__(self, *colours: str, lava: tuple[str, ...] = ()) -> None:
        super().__init__("scripted")
        self.colours = list(colours)
        self.out = list(lava)

    def below(self, n: int) -> int:
        """Return the index of the next stone in a bag sorted by colour; n - 1 if none is left."""
        self.draws += 1
        if not self.colours:
            return n - 1
        colour = self.colours.pop(0)
        box = components().lava
        left = {c: getattr(box, c) - self.out.count(c) for c in (RED, GREY, BLACK)}
        assert sum(left.values()) == n and left[colour]
        self.out.append(colour)
        return {RED: 0, GREY: left[RED], BLACK: left[RED] + left[GREY]}[colour]


class Play(play.Play[State, PolynesiaView]):
    """A match of Polynesia without drafts."""

    game = GAME

    def fact(self, key: str, name: str) -> Any:
        """Return a fact of an open option."""
        return dict(self.option(key).facts)[name]

    def play(self, text: str) -> "Play":
        """Give legal answers one after the other, forced ones included."""
        return self.answer(*text.replace(",", " ").split())

    def side(self, seat: int) -> Side:
        """Return a seat's side."""
        return self.state.sides[seat]

    def members(self, seat: int) -> dict[str, int]:
        """Return where a seat's members are."""
        at = zip(self.state.board.islands, self.side(seat).members, strict=True)
        return {island.code: count for island, count in at if count}

    def route(self, code: str) -> tuple[tuple[int, ...], str]:
        """Return the owners and type of a route."""
        route = self.state.board.route[code]
        return self.state.owners(route), self.state.type_of(route)

    def token(self, code: str) -> str:
        """Return the token on an island."""
        return self.state.tokens[self.state.board.island[code].number]

    def can(self, key: str) -> bool:
        """Return whether this is an option now."""
        return key in self.keys


def new_play(seats: int = 2, table: Table | None = None, **settings: str) -> Play:
    """Return a new match; by default tokens lie in order and the last cards are drawn."""
    table = table or Stones()
    return Play(GAME.setup(seats, {**SETTINGS, **settings}, table), table)


def side(members: str = "m 5", **given: Any) -> dict[str, Any]:
    """Return a seat's side: 'm 4, i12 1', and fish, shells, home, ships, tokens, points."""
    return {"members": members, **given}


def position(
    *sides: dict[str, Any],
    tides: str = TIDES,
    routes: Mapping[str, str] | None = None,
    tokens: Mapping[str, str] | None = None,
    marker: int = 3,
    turn: int = 0,
    first: int = 0,
    lava: str = "",
    stones: str = "",
    pool: int | None = None,
    taken: str = "",
    last_of_round: bool = False,
) -> Play:
    """Return a match in this position.

    Routes are written {'i12-t1': 'p2 fish'}; `lava` is out already, `stones` come next.
    """
    seats = len(sides)
    board, (one, two, three) = board_for(seats), tides.split()
    given = routes or {}
    owned = [
        sum(f"p{seat + 1}" in owners.split() for owners in given.values()) for seat in range(seats)
    ]
    reserve = 10 - 4 * (one == "1.2") if {one, three} & {"1.2", "3.1", "3.2"} else None
    order = [Seat((first + place) % seats) for place in range(seats)]
    rest = [TakeAction(seat, value) for value in VALUES for seat in order]
    start = rest.index(TakeAction(Seat(turn), marker))
    actions = rest[start : start + 1] if last_of_round else rest[start:]
    state = State(
        map=board.name,
        tides=(one, two, three),
        round=1,
        marker=str(marker),
        first=Seat(first),
        sides=tuple(_side(board, given, owned[seat]) for seat, given in enumerate(sides)),
        routes=tuple(_route(given.get(route.code, "")) for route in board.routes),
        tokens=tuple((tokens or {}).get(island.code, "") for island in board.islands),
        lava=tuple(lava.split()),
        pool=reserve if pool is None else pool,
        archipelago_points=tuple(a for a in board.archipelagos if a not in taken)
        if one == "1.2"
        else (),
        last=None,
        rows=(),
        agenda=(PassStart(), Gather(), Decline(Seat(first)), DrawStone(), *reversed(actions)),
    )
    unknown = {*given} - {*board.route} | {*(tokens or {})} - {*board.island}
    assert not unknown, unknown
    return Play(state, Stones(*stones.split(), lava=tuple(lava.split())))


def erupting(*sides: dict[str, Any], **given: Any) -> Play:
    """Return the position after the sixth red stone, with nobody acting before."""
    given.setdefault("tides", TIDES)
    play = position(*sides, lava="red " * 5, **given)
    state = replace(play.state, agenda=(DrawStone(),), last=Last(Seat(0), "fish"))
    return Play(state, Stones(RED, lava=(RED,) * 5))


def _side(board: Any, given: Mapping[str, Any], ships: int) -> Side:
    counts = [0] * len(board.islands)
    for part in filter(None, given["members"].split(",")):
        code, count = part.split()
        counts[board.island[code].number] = int(count)
    return Side(
        members=tuple(counts),
        home=given.get("home", 13 - sum(counts)),
        ships=given.get("ships", 15 - ships),
        fish=given.get("fish", 0),
        shells=given.get("shells", 0),
        tokens=tuple(given.get("tokens", "").split()),
        points=given.get("points", 0),
    )


def _route(text: str) -> int:
    words = text.split()
    owners = sum(1 << int(word[1:]) - 1 for word in words if word[0] == "p")
    return owners + TYPE_FACTOR * (("fish" in words) + 2 * ("shell" in words))
