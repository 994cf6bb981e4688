"""A second version of the rules, written as plainly as possible.

test_reading.py plays random matches by both and compares them. This version shares only the printed
components with the engine: a mistake must not be in both.
"""

from collections import Counter
from collections.abc import Generator

from engine.polynesia.board import board_for
from engine.polynesia.view import PolynesiaView

Asked = Generator[tuple[str, list[str]], str, None]
"""A turn as a generator: it yields a kind of question and its legal keys, and is sent an answer."""
TYPES = ["fish", "shell"]
SPACES = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7]


class Reading:
    """A position on which a match is played along."""

    def __init__(self, view: PolynesiaView) -> None:
        self.seats = range(len(view.sides))
        self.board = board_for(len(view.sides))
        self.tides, self.marker = view.tides, 3
        self.members = [Counter(m=5) for _ in self.seats]
        self.home, self.ships, self.points = ([number for _ in self.seats] for number in (8, 15, 0))
        self.held = [Counter(fish=3, shell=3) for _ in self.seats]
        self.tokens: list[list[str]] = [[] for _ in self.seats]
        self.lying = {island.spot: island.token for island in view.islands if island.token}
        self.owners: dict[str, set[int]] = {route.code: set() for route in self.board.explorable}
        self.type: dict[str, str] = {}
        self.linked: set[str] = set()
        self.coins = set("ABCD") if "1.2" in view.tides else set()
        self.pool = 10 - len(self.coins)

    def turn(self, seat: int, marker: int) -> Asked:
        """Play an action: yield each question with its options, and take the answers."""
        self.marker = marker
        can = {
            "explore": self.routes(seat),
            "travel": self.steps(seat),
            "populate": self.home[seat],
        }
        action = yield "take_action", [*(key for key in can if can[key]), *TYPES]
        if action in TYPES:
            self.held[seat][action] += marker
        elif action == "explore":
            yield from self.explore(seat)
        elif action == "travel":
            yield from self.travel(seat)
        else:
            yield from self.populate(seat, (yield "populate", self.places(seat)))

    # Explore

    def routes(self, seat: int, is_free: bool = False) -> list[str]:
        """Return the routes that the seat can pay for; with two players only new ones."""
        found = []
        for code, owners in self.owners.items():
            if not self.ships[seat] or seat in owners or (owners and len(self.seats) == 2):
                continue
            if is_free or (
                self.held[seat][self.type[code]] >= 2 * len(owners)
                if owners
                else self.payable(seat, code)
            ):
                found.append(code)
        return found

    def payable(self, seat: int, code: str) -> list[str]:
        """Return the types that can pay for a new route."""
        price = self.marker * (2 if self.is_first(code) else 1)
        return [of for of in TYPES if self.held[seat][of] >= price]

    def is_first(self, code: str) -> bool:
        """Return whether card 1.1 applies: the route is the first to its archipelago."""
        touched = self.board.route[code].archipelago
        return "1.1" in self.tides and touched != "" and touched not in self.linked

    def explore(self, seat: int) -> Asked:
        code = yield "explore_route", self.routes(seat)
        for owner in self.owners[code]:
            self.held[seat][self.type[code]] -= 2
            self.held[owner][self.type[code]] += 2
        of = self.type.get(code, "")
        if not of:
            of = yield "pay_route", self.payable(seat, code)
            self.held[seat][of] -= self.marker * (2 if self.is_first(code) else 1)
        yield from self.put_ship(seat, code, of)

    def put_ship(self, seat: int, code: str, of: str) -> Asked:
        is_first = self.is_first(code)
        if "3.2" in self.tides:
            self.take_points(seat, len(self.owners[code]))
        self.ships[seat] -= 1
        self.owners[code].add(seat)
        self.type[code] = of
        self.linked.add(self.board.route[code].archipelago)
        if is_first and self.home[seat]:
            place = yield "populate_now", [*self.places(seat), "skip"]
            if place != "skip":
                yield from self.populate(seat, place)

    def take_points(self, seat: int, count: int) -> None:
        taken = min(count, self.pool)
        self.pool -= taken
        self.points[seat] += taken

    # Populate

    def places(self, seat: int) -> list[str]:
        """Return the ways to populate: three to the Main Island, or one to an occupied island."""
        alone = self.home[seat] == 1
        return ["m3"] * (not alone) + [
            code
            for code in self.board.island
            if self.members[seat][code] or (alone and code == "m")
        ]

    def populate(self, seat: int, place: str) -> Asked:
        count = min(3, self.home[seat]) if place == "m3" else 1
        self.come(seat, place.rstrip("3") if place == "m3" else place, count)
        rich = [of for of in TYPES if self.held[seat][of] >= 3]
        if "3.3" in self.tides and self.home[seat] and rich:
            of = yield "add_member", [*rich, "skip"]
            if of != "skip":
                self.held[seat][of] -= 3
                self.come(seat, "m", 1)

    def come(self, seat: int, code: str, count: int) -> None:
        self.members[seat][code] += count
        self.home[seat] -= count

    # Travel

    def steps(self, seat: int) -> dict[str, list[str]]:
        """Return the passages: 'free', or the ways to use a foreign route."""
        found = {}
        for code in self.board.island:
            for passage in self.board.passage.values() if self.members[seat][code] else ():
                if passage.start.code == code and (
                    ways := self.ways(seat, code, passage.route.code)
                ):
                    found[passage.code] = ways
        return found

    def ways(self, seat: int, start: str, code: str) -> list[str]:
        if self.board.route[code].neutral or seat in self.owners[code]:
            return ["free"]
        fare = self.owners[code] and self.held[seat][self.type[code]]
        found = [
            f"p{owner + 1}"
            for owner in sorted(self.owners[code])
            if fare and self.members[owner][start]
        ]
        has_mask = self.owners[code] and "2.2" in self.tides and "mask" in self.tokens[seat]
        return [*found, "mask"] if has_mask else found

    def travel(self, seat: int) -> Asked:
        for point in range(self.marker):
            steps = self.steps(seat)
            if not steps:
                return
            step = yield "move_member", [*steps, "stop"] if point else [*steps]
            if step == "stop":
                return
            if steps[step] != ["free"]:
                self.hire(seat, step, (yield "hire_guide", steps[step]))
            self.sail(seat, step)
            yield from self.arrive(seat, self.board.passage[step].goal.code)

    def sail(self, seat: int, step: str) -> None:
        start, goal = step.split("-")
        self.members[seat][start] -= 1
        self.members[seat][goal] += 1

    def hire(self, seat: int, step: str, way: str) -> None:
        if way == "mask":
            self.tokens[seat].remove("mask")
            return
        owner = int(way[1:]) - 1
        of = self.type[self.board.passage[step].route.code]
        self.held[seat][of] -= 1
        self.held[owner][of] += 1
        self.sail(owner, step)
        if "3.1" in self.tides:
            self.take_points(seat, 1)
            self.take_points(owner, 1)

    def arrive(self, seat: int, goal: str) -> Asked:
        archipelago = self.board.island[goal].archipelago
        if archipelago in self.coins:
            self.coins.remove(archipelago)
            self.points[seat] += 1
        face = self.lying.pop(goal, "")
        if face == "ship":
            yield from self.explore_free(seat)
        elif face == "mask" and "2.1" in self.tides:
            self.use_mask(
                seat, (yield "use_mask", ["take-fish", "take-shell", "lose-fish", "lose-shell"])
            )
        elif face == "mask" and "2.3" in self.tides:
            self.come(seat, goal, min(1, self.home[seat]))
        elif face:
            self.tokens[seat].append(face)

    def explore_free(self, seat: int) -> Asked:
        routes = self.routes(seat, is_free=True)
        code = (yield "explore_free", [*routes, "skip"]) if routes else "skip"
        if code != "skip":
            of = self.type.get(code) or (yield "mark_route", TYPES)
            yield from self.put_ship(seat, code, of)

    def use_mask(self, seat: int, choice: str) -> None:
        how, of = choice.split("-")
        if how == "take":
            self.held[seat][of] += 2
        for other in self.seats:
            if how == "lose" and other != seat:
                self.held[other][of] = max(0, self.held[other][of] - 2)

    # Maintenance and the end

    def decline(self, of: str) -> None:
        """Have everyone return all of a resource."""
        for held in self.held:
            held[of] = 0

    def gather(self, types: list[str]) -> None:
        """Run a Resource phase."""
        for seat in self.seats:
            for of in types:
                symbols = [self.board.island[code].symbol for code in +self.members[seat]]
                self.held[seat][of] += symbols.count(of) + self.tokens[seat].count(of)

    def erupt(self) -> list[tuple[int, int]]:
        """Erupt; return points, and islands for the tie-break, by seat."""
        for seat in self.seats:
            for island in self.board.islands:
                if island.destroyed:
                    self.come(seat, island.code, -self.members[seat][island.code])
        self.gather([of for card, of in (("3.6", "fish"), ("3.8", "shell")) if card in self.tides])
        return [(self.score(seat), len(+self.members[seat])) for seat in self.seats]

    def score(self, seat: int) -> int:
        here = [self.board.island[code] for code in +self.members[seat]]
        free = SPACES[: 13 - self.home[seat]]
        plain = max(free, default=0) + self.tokens[seat].count("turtle") + self.points[seat]
        plain += sum({"turtle1": 1, "turtle2": 2}.get(island.symbol, 0) for island in here)
        reached = Counter(island.archipelago for island in here if island.archipelago)
        masks = self.tokens[seat].count("mask")
        whole = list(reached.values()).count(2)
        worth = {
            "1.3": [0, 1, 2, 3, 5][len(reached)],
            "1.4": [0, 2, 4, 6, 10][whole],
            "2.4": [0, -1, 2, 5, 5][masks],
            "2.5": masks * len(reached),
            "2.6": 0 if masks else -2,
            "3.4": sum(
                self.majority(seat, island.code)
                for island in self.board.islands
                if "turtle" in island.symbol
            ),
            "3.5": self.most(seat, self.home, 3, 0),
            "3.6": self.most(seat, [held["fish"] for held in self.held], 4, 3),
            "3.7": self.most(seat, [15 - ships for ships in self.ships], 3, 2),
            "3.8": self.most(seat, [held["shell"] for held in self.held], 4, 3),
        }
        return plain + sum(worth.get(card, 0) for card in self.tides)

    def majority(self, seat: int, code: str) -> int:
        """Return the points of card 3.4: 3 for most, 2 each if tied; 2 for second most."""
        counts = [members[code] for members in self.members]
        first, *rest = sorted({count for count in counts if count}, reverse=True) or [0]
        if counts[seat] and counts[seat] == first:
            return 3 if counts.count(first) == 1 else 2
        return 2 if rest and counts[seat] == rest[0] else 0

    def most(self, seat: int, counts: list[int], alone: int, tied: int) -> int:
        if not counts[seat] or counts[seat] < max(counts):
            return 0
        return alone if counts.count(counts[seat]) == 1 else tied

    def agrees(self, view: PolynesiaView) -> None:
        """Check that the position is the same as everyone's view."""
        for seat, side in enumerate(view.sides):
            held = self.held[seat]
            assert (side.fish, side.shells) == (held["fish"], held["shell"])
            assert side.home == self.home[seat]
            assert side.ships == self.ships[seat]
            assert side.points == self.points[seat]
            assert sorted(side.tokens) == sorted(self.tokens[seat])
        for island in view.islands:
            assert list(island.members) == [members[island.spot] for members in self.members]
            assert island.token == self.lying.get(island.spot, "")
        for route in view.routes:
            assert set(route.owners) == self.owners.get(route.spot, set())
            assert route.type == self.type.get(route.spot, "")
        assert {
            archipelago.letter for archipelago in view.archipelagos if archipelago.point
        } == self.coins
        assert view.pool in (None, self.pool)
