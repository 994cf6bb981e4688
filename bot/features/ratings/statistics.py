"""The statistics of a player and of a pair, and the ratings of a server, worked out and drawn. They
run in a thread.

Places, wins and scores are those of matches that were played to their end among people. All others
are counted apart.

render.standings is imported where it is used: it loads Pillow, which a bot that starts has no need
of.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from bot.features.ratings.records import MU, SIGMA, Kind, Played, PlayerRecord, Pool, Ranked, Rating
from bot.features.ratings.rules import SETTLED
from bot.text import listed, say
from bot.ui import Picture, cut, one_line
from engine import GAMES

if TYPE_CHECKING:
    from render.standings import Curve, Entry

MEETINGS = 6
"""Matches of a pair that are listed."""
SHORT = 15
"""Characters of a name where two stand in a line."""


def meetings(mine: Iterable[Played], theirs: Iterable[Played]) -> list[tuple[Played, Played]]:
    """Return the matches that two people have both played to their end, in order."""
    by_number = {one.number: one for one in theirs if one.is_proper}
    return [
        (one, by_number[one.number]) for one in mine if one.is_proper and one.number in by_number
    ]


def draw_player(player: PlayerRecord, scope: str) -> Picture:
    """Draw the statistics of a player."""
    from statistics import fmean

    from render import standings

    name, proper = one_line(player.played[-1].name), player.proper
    won = [one.place == 1 for one in proper]
    streak_now = _runs(won)[-1] if won and won[-1] else 0
    streaks = say("standing.streak_of", longest=max(_runs(won), default=0), now=streak_now)
    facts = [(say("standing.streak"), streaks)]
    if favourite := _favourite_table(player):
        facts.append((say("standing.table"), favourite))
    games = Counter(one.game for one in proper).most_common()
    lines = []
    for game, _ in games:
        matches = [one for one in proper if one.game == game]
        times, rating = Counter(one.place for one in matches), player.ratings.get(game)
        last_place = max(one.seats for one in matches)
        line = standings.GameLine(
            title=title(game),
            places=tuple(times[place] for place in range(1, last_place + 1)),
            best=max(one.score for one in matches),
            mean=fmean(one.score for one in matches),
            rating=_entry(rating, name) if rating else None,
        )
        lines.append(line)
    # Somebody who has only ever left has a rating too, and no places.
    most_played = games[0][0] if games else next(iter(player.ratings), "")
    sheet = standings.PlayerSheet(
        name=name,
        scope=scope,
        facts=tuple(facts) if games else (),
        games=tuple(lines),
        apart=_counted_apart(player.played),
        curve_of=title(most_played),
        curve=_curve(name, player.played, most_played),
    )
    return Picture(standings.draw_player(sheet), standings.player_text(sheet), "stats.png")


def draw_pair(mine: Sequence[Played], theirs: Sequence[Played], scope: str) -> Picture:
    """Draw the statistics of two players who have played together."""
    from statistics import fmean

    from render import standings

    pairs = meetings(mine, theirs)
    one, other = (one_line(result.name) for result in pairs[-1])
    # 1 where the first of them was ahead, -1 where the second was, 0 where they were level.
    leads = [(own.place < rival.place) - (own.place > rival.place) for own, rival in pairs]
    ahead = max(_runs(lead == 1 for lead in leads), default=0)
    behind = max(_runs(lead == -1 for lead in leads), default=0)
    # Both numbers count: long names must leave room for them.
    short = {"one": cut(one, SHORT), "other": cut(other, SHORT)}
    facts = [(say("standing.runs"), say("standing.runs_of", ahead=ahead, behind=behind, **short))]
    if level := leads.count(0):
        level_of = say("standing.level_of", level=level, matches=len(pairs))
        facts.append((say("standing.level"), level_of))
    games = Counter(own.game for own, _ in pairs).most_common()
    lines = []
    for game, _ in games:
        played = [pair for pair in pairs if pair[0].game == game]
        times = Counter(
            lead for lead, (own, _) in zip(leads, pairs, strict=True) if own.game == game
        )
        line = standings.VersusLine(
            title=title(game),
            ahead=times[1],
            level=times[0],
            behind=times[-1],
            means=(fmean(own.score for own, _ in played), fmean(his.score for _, his in played)),
        )
        lines.append(line)
    most_played = games[0][0]
    sheet = standings.PairSheet(
        names=(one, other),
        scope=scope,
        facts=tuple(facts),
        games=tuple(lines),
        meetings=tuple(
            standings.MeetingLine(
                title=title(own.game),
                at=own.at,
                places=(own.place, rival.place),
                scores=(own.score, rival.score),
            )
            for own, rival in reversed(pairs[-MEETINGS:])
        ),
        curve_of=title(most_played),
        curves=(_curve(one, mine, most_played), _curve(other, theirs, most_played)),
    )
    return Picture(standings.draw_pair(sheet), standings.pair_text(sheet), "stats.png")


def draw_leaderboard(
    boards: Sequence[tuple[str, Sequence[Ranked]]], scope: str, note: str, pool: Pool, own: int
) -> Picture:
    """Draw the ratings of each game in a list of its own; `own` is the user who is marked in
    them.
    """
    from render import standings

    lists = []
    for game, ranked in boards:
        entries = []
        for one in ranked:
            name = say(f"level.{one.level}") if pool is Pool.COMPUTERS else one.rating.name
            entries.append(
                _entry(one.rating, name, one.place, pool is Pool.PEOPLE and one.user == own)
            )
        lists.append(standings.List(title(game), tuple(entries)))
    data = standings.draw_lists(lists, scope, note)
    return Picture(data, standings.lists_text(lists, scope, note), "leaderboard.png")


def title(game: str) -> str:
    """Return the title of a game, or the id of one that is gone."""
    return GAMES[game].title if game in GAMES else game


def _entry(rating: Rating, name: str, place: int = 0, is_own: bool = False) -> "Entry":
    from render.standings import Entry

    return Entry(
        place=place,
        name=one_line(name),
        mu=rating.mu,
        sigma=rating.sigma,
        matches=rating.matches,
        wins=rating.wins,
        is_provisional=rating.matches < SETTLED,
        is_own=is_own,
    )


def _curve(name: str, played: Iterable[Played], game: str) -> "Curve":
    """Return somebody's rating in a game over time."""
    from render.standings import Curve

    points = [
        (one.at, one.mu, one.sigma)
        for one in played
        if one.game == game and one.mu is not None and one.sigma is not None
    ]
    if len(points) == 1:
        # Before their first match people have the rating of a newcomer.
        points.insert(0, (points[0][0], MU, SIGMA))
    return Curve(name, tuple(points))


def _counted_apart(played: Sequence[Played]) -> tuple[tuple[str, int, str], ...]:
    """Return how many matches of each sort gave no places or no rating, in words."""

    def sort_of(one: Played) -> str:
        was_left = one.kind in (Kind.RESIGNED, Kind.ABANDONED) and not one.has_left
        return "left_alone" if was_left else one.kind

    counted = Counter(map(sort_of, played))
    won = sum(one.kind is Kind.SOLO and one.place == 1 for one in played if not one.has_left)
    more = {"solo": say("standing.solo_won", number=won)} if counted["solo"] else {}
    return tuple(
        (say(f"standing.{sort}"), counted[sort], more.get(sort, ""))
        for sort in ("resigned", "abandoned", "left_alone", "solo", "unrated")
    )


def _favourite_table(player: PlayerRecord) -> str:
    """Return the game and the people that somebody has played most often, in words; of several,
    the last.
    """
    by_table = groupby(player.companions, lambda other: other.number)
    tables = {number: list(others) for number, others in by_table}
    names: dict[int, str] = {}
    counted = Counter[tuple[str, tuple[int, ...]]]()
    for one in reversed(player.proper):
        others = tables.get(one.number, [])
        if others and all(other.can_be_named for other in others):
            counted[one.game, tuple(sorted(other.user for other in others))] += 1
            names = {other.user: other.name for other in others} | names
    for (game, users), matches in counted.most_common(1):
        company = listed(one_line(names[user]) for user in users)
        return say("standing.table_of", matches=matches, game=title(game), names=company)
    return ""


def _runs(flags: Iterable[bool]) -> list[int]:
    """Return the lengths of the unbroken runs of True."""
    return [len(list(run)) for is_so, run in groupby(flags) if is_so]
