"""The statistics of a player and of a pair, worked out from their results: pure functions.

Places, wins and scores are those of matches that were played to their end among people. All others are counted apart.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from msgspec import Struct

from bot.model.results import Kind, Played, Rating

RatingCurve = tuple[tuple[int, float, float], ...]
"""A rating over time: when, the estimate, and how uncertain it was."""


class InGame(Struct, frozen=True, kw_only=True):
    """Somebody's results in a game."""

    game: str
    places: tuple[int, ...]
    """How often they had each place, from the first on."""
    best: float
    mean: float
    rating: Rating | None = None

    @property
    def matches(self) -> int:
        """How many there were."""
        return sum(self.places)

    @property
    def wins(self) -> int:
        """How many they won."""
        return self.places[0]


class Apart(Struct, frozen=True, kw_only=True):
    """Counts of the matches that give no places, and of those that were played unrated."""

    resigned: int = 0
    """They resigned."""
    abandoned: int = 0
    """They left their seat."""
    left_alone: int = 0
    """All others resigned or left."""
    solo: int = 0
    solo_won: int = 0
    unrated: int = 0


class Company(Struct, frozen=True):
    """A game and the people it was played with."""

    game: str
    names: tuple[str, ...]
    matches: int


class PlayerStats(Struct, frozen=True, kw_only=True):
    """The statistics of a player."""

    name: str
    games: tuple[InGame, ...]
    """The most played first."""
    apart: Apart
    streak: int
    """The most wins in a row."""
    streak_now: int
    favourite: Company | None = None
    """The table at which they sat most often."""
    curve_of: str = ""
    """The game that they have played most."""
    curve: RatingCurve = ()
    """Their rating in it."""

    @property
    def matches(self) -> int:
        """How many there were in all games."""
        return sum(game.matches for game in self.games)

    @property
    def wins(self) -> int:
        """How many they won."""
        return sum(game.wins for game in self.games)


class Versus(Struct, frozen=True):
    """How often two people have played a game together: the first ahead, level, the second ahead."""

    game: str
    ahead: int
    level: int
    behind: int

    @property
    def matches(self) -> int:
        """How many there were."""
        return self.ahead + self.level + self.behind


class Meeting(Struct, frozen=True):
    """A match of two people: when, and the places and scores of both."""

    game: str
    at: int
    places: tuple[int, int]
    scores: tuple[float, float]


class PairStats(Struct, frozen=True, kw_only=True):
    """The statistics of two people who have played together."""

    names: tuple[str, str]
    games: tuple[Versus, ...]
    """The most played first."""
    meetings: tuple[Meeting, ...]
    """In order."""
    runs: tuple[int, int]
    """The most matches in a row in which each was ahead of the other."""


def of_player(
    played: Sequence[Played],
    ratings: dict[str, Rating],
    companions: Iterable[tuple[int, int, str]],
    hidden: frozenset[int],
) -> PlayerStats:
    """Return the statistics of a player from their matches in order, their ratings by game, and their companions.

    Companions are given as the number of a match, a user and a name. Tables with `hidden` people are passed over.
    """
    proper = [one for one in played if one.is_proper]
    games = []
    for game, matches in _by_game(proper).items():
        counted = Counter(one.place for one in matches)
        scores = [one.score for one in matches]
        places = tuple(counted[place] for place in range(1, max(one.seats for one in matches) + 1))
        mean, rating = sum(scores) / len(scores), ratings.get(game)
        games.append(InGame(game=game, places=places, best=max(scores), mean=mean, rating=rating))
    games.sort(key=lambda one: -one.matches)
    # Somebody who has only ever left has a rating too, and no places.
    most_rated = games[0].game if games else next(iter(ratings), "")
    points = [(one.at, one.mu, one.sigma) for one in played if one.game == most_rated]
    won = [one.place == 1 for one in proper]
    return PlayerStats(
        name=played[-1].name if played else "",
        games=tuple(games),
        apart=_apart(played),
        streak=max(_runs(won), default=0),
        streak_now=_runs(won)[-1] if won and won[-1] else 0,
        favourite=_favourite(proper, companions, hidden),
        curve_of=most_rated,
        curve=tuple((at, mu, sigma) for at, mu, sigma in points if mu is not None and sigma is not None),
    )


def of_pair(together: Sequence[tuple[Played, Played]]) -> PairStats | None:
    """Return the statistics of two people from the matches that both played to their end; None if there was none."""
    proper = [(one, other) for one, other in together if one.is_proper and other.is_proper]
    if not proper:
        return None
    meetings = tuple(
        Meeting(one.game, one.at, (one.place, other.place), (one.score, other.score)) for one, other in proper
    )
    games: dict[str, Counter[int]] = {}
    signs = [_sign(meeting.places[1] - meeting.places[0]) for meeting in meetings]
    for meeting, sign in zip(meetings, signs, strict=True):
        games.setdefault(meeting.game, Counter())[sign] += 1
    counted = [Versus(game, count[1], count[0], count[-1]) for game, count in games.items()]
    return PairStats(
        names=(proper[-1][0].name, proper[-1][1].name),
        games=tuple(sorted(counted, key=lambda one: -one.matches)),
        meetings=meetings,
        runs=(max(_runs([s == 1 for s in signs]), default=0), max(_runs([s == -1 for s in signs]), default=0)),
    )


def _by_game(played: Sequence[Played]) -> dict[str, list[Played]]:
    found: dict[str, list[Played]] = {}
    for one in played:
        found.setdefault(one.game, []).append(one)
    return found


def _apart(played: Sequence[Played]) -> Apart:
    left = Counter(one.kind for one in played if one.has_left)
    stayed = [one for one in played if not one.has_left]
    kinds = Counter(one.kind for one in stayed)
    return Apart(
        resigned=left[Kind.RESIGNED],
        abandoned=left[Kind.ABANDONED],
        left_alone=kinds[Kind.RESIGNED] + kinds[Kind.ABANDONED],
        solo=kinds[Kind.SOLO] + left[Kind.SOLO],
        solo_won=sum(one.kind is Kind.SOLO and one.place == 1 for one in stayed),
        unrated=kinds[Kind.UNRATED],
    )


def _favourite(
    proper: Sequence[Played], companions: Iterable[tuple[int, int, str]], hidden: frozenset[int]
) -> Company | None:
    """Return the game and the people that somebody has played most often; of several, the last."""
    names: dict[int, str] = {}
    tables: dict[int, list[int]] = {}
    for number, user, name in companions:
        names[user] = name
        tables.setdefault(number, []).append(user)
    counted = Counter[tuple[str, tuple[int, ...]]]()
    for one in reversed(proper):
        others = tuple(sorted(tables.get(one.number, ())))
        # People who wanted to be forgotten have an id below 0, and no name.
        if others and others[0] > 0 and not hidden & set(others):
            counted[one.game, others] += 1
    for (game, others), matches in counted.most_common(1):
        return Company(game, tuple(names[user] for user in others), matches)
    return None


def _runs(flags: Iterable[bool]) -> list[int]:
    """Return the lengths of the unbroken runs of True."""
    return [len(list(run)) for is_so, run in groupby(flags) if is_so]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
