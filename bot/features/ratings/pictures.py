"""The pictures of /stats and /leaderboard, with their alt texts. They are drawn in a thread: see bot/ui/pictures.py.

render.standings is imported where it is used: it loads Pillow, which a bot that starts has no need of.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.features.ratings.rules import SETTLED
from bot.features.ratings.statistics import Apart, PairStats, PlayerStats, RatingCurve
from bot.model.results import MU, SIGMA, Pool, Ranked, Rating
from bot.text import listed, say
from bot.ui.names import one_line
from bot.ui.parts import cut
from bot.ui.pictures import ALT_TEXT, Picture
from engine import GAMES

if TYPE_CHECKING:
    from render.standings import Entry

MEETINGS = 6
"""Matches of a pair that are listed."""
SHORT = 15
"""Characters of a name where two stand in a line."""


def draw_player(stats: PlayerStats, scope: str) -> Picture:
    """Draw the statistics of a player."""
    from render import standings
    from render.standings import Curve, GameLine, PlayerSheet

    name = one_line(stats.name)
    facts = [(say("standing.streak"), say("standing.streak_of", longest=stats.streak, now=stats.streak_now))]
    if stats.favourite is not None:
        table = stats.favourite
        names = listed(one_line(other) for other in table.names)
        told = say("standing.table_of", matches=table.matches, game=title(table.game), names=names)
        facts.append((say("standing.table"), told))
    games = tuple(
        GameLine(
            title=title(game.game),
            places=game.places,
            best=game.best,
            mean=game.mean,
            rating=_entry(game.rating, name) if game.rating else None,
        )
        for game in stats.games
    )
    sheet = PlayerSheet(
        name=name,
        scope=scope,
        facts=tuple(facts) if stats.games else (),
        games=games,
        apart=_apart(stats.apart),
        curve_of=title(stats.curve_of),
        curve=Curve(name, _begun(stats.curve)) if stats.curve else None,
    )
    return Picture(standings.draw_player(sheet), standings.player_text(sheet)[:ALT_TEXT], "stats.png")


def draw_pair(stats: PairStats, scope: str, curves: Sequence[RatingCurve]) -> Picture:
    """Draw the statistics of two players; `curves` are both ratings in the game that they have played most."""
    from render import standings
    from render.standings import Curve, MeetingLine, PairSheet, VersusLine

    one, other = (one_line(name) for name in stats.names)
    level = sum(game.level for game in stats.games)
    ahead, behind = stats.runs
    # Both numbers count: long names must leave room for them.
    runs = say("standing.runs_of", one=cut(one, SHORT), ahead=ahead, other=cut(other, SHORT), behind=behind)
    facts = [(say("standing.runs"), runs)]
    if level:
        facts.append((say("standing.level"), say("standing.level_of", level=level, matches=len(stats.meetings))))
    games = []
    for game in stats.games:
        scores = [meeting.scores for meeting in stats.meetings if meeting.game == game.game]
        means = (sum(mine for mine, _ in scores) / len(scores), sum(theirs for _, theirs in scores) / len(scores))
        counts = {"ahead": game.ahead, "level": game.level, "behind": game.behind}
        games.append(VersusLine(title=title(game.game), means=means, **counts))
    sheet = PairSheet(
        names=(one, other),
        scope=scope,
        facts=tuple(facts),
        games=tuple(games),
        meetings=tuple(
            MeetingLine(title(meeting.game), meeting.at, meeting.places, meeting.scores)
            for meeting in reversed(stats.meetings[-MEETINGS:])
        ),
        curve_of=title(stats.games[0].game),
        curves=tuple(Curve(name, _begun(curve)) for name, curve in zip((one, other), curves, strict=True)),
    )
    return Picture(standings.draw_pair(sheet), standings.pair_text(sheet)[:ALT_TEXT], "stats.png")


def draw_leaderboard(
    boards: Sequence[tuple[str, Sequence[Ranked]]], scope: str, note: str, pool: Pool, own: int
) -> Picture:
    """Draw the ratings of each game in a list of its own; `own` is the user who is marked in them."""
    from render import standings
    from render.standings import List

    lists = []
    for game, ranked in boards:
        entries = []
        for one in ranked:
            name = say(f"level.{one.level}") if pool is Pool.COMPUTERS else one.rating.name
            entries.append(_entry(one.rating, name, one.place, pool is Pool.PEOPLE and one.user == own))
        lists.append(List(title(game), tuple(entries)))
    data = standings.draw_lists(lists, scope, note)
    return Picture(data, standings.lists_text(lists, scope, note)[:ALT_TEXT], "leaderboard.png")


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


def _apart(apart: Apart) -> tuple[tuple[str, int, str], ...]:
    won = say("standing.solo_won", number=apart.solo_won) if apart.solo else ""
    counted = {
        "resigned": apart.resigned,
        "abandoned": apart.abandoned,
        "left_alone": apart.left_alone,
        "solo": apart.solo,
        "unrated": apart.unrated,
    }
    return tuple((say(f"standing.{key}"), number, won if key == "solo" else "") for key, number in counted.items())


def _begun(curve: RatingCurve) -> RatingCurve:
    """Return a curve with at least two points: before their first match people have the rating of a newcomer."""
    return ((curve[0][0], MU, SIGMA), *curve) if len(curve) == 1 else curve
