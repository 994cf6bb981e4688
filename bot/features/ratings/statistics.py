"""Compute and draw the statistics of a player or a pair, and the leaderboard of a server.

Places, wins, streaks and scores are taken from matches that were played to the end with other
people. Solo matches have a table of their own, and those that somebody left are only counted.

The functions that draw run in a drawing thread. They import render.standings themselves, because
it loads Pillow, which would slow down the bot's start.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from bot.features.ratings.records import Kind, Played, PlayerRecord, Pool, Ranked, Rating
from bot.text import and_list, say
from bot.ui import Picture, cut, escape_text, one_line
from engine import GAMES

if TYPE_CHECKING:
    from render.standings import Curve, Entry, SoloLine

MAX_MEETINGS_LISTED = 6
"""How many matches of a pair are listed."""
MAX_RESULTS_LISTED = 5
"""How many of a player's last results are listed."""
MIN_CURVE_MATCHES = 3
"""How many rated matches it takes until a curve means anything."""
MIN_FAVOURITE_MATCHES = 2
"""How many matches it takes to make a game or a table somebody's favourite."""
MAX_NAME_CHARACTERS = 15
"""The length of a name where two of them share a line."""


def meetings(mine: Iterable[Played], theirs: Iterable[Played]) -> list[tuple[Played, Played]]:
    """Return both results of each match that two people have played to the end together."""
    by_number = {one.number: one for one in theirs if one.is_proper}
    return [
        (one, by_number[one.number]) for one in mine if one.is_proper and one.number in by_number
    ]


def draw_player(player: PlayerRecord, scope: str) -> Picture:
    """Draw the statistics of a player."""
    from statistics import fmean

    from render import standings

    name, proper = one_line(player.played[-1].name), player.proper
    games = Counter(one.game for one in proper).most_common()
    lines = []
    for game, _ in games:
        matches = [one for one in proper if one.game == game]
        times, rating = Counter(one.place for one in matches), player.ratings.get(game)
        last_place = max(one.seats for one in matches)
        line = standings.GameLine(
            title=title(game),
            ranks=tuple(times[place] for place in range(1, last_place + 1)),
            best=max(one.score for one in matches),
            mean=fmean(one.score for one in matches),
            rating=_entry(rating, name) if rating else None,
        )
        lines.append(line)
    # A player who has left all their matches has a rating, but no places.
    most_played = games[0][0] if games else next(iter(player.ratings), "")
    sheet = standings.PlayerSheet(
        name=name,
        scope=scope,
        facts=tuple(_list_facts(player)),
        games=tuple(lines),
        solo=tuple(_list_solo(player)),
        curve_game=title(most_played),
        curve=_curve(name, player.played, most_played),
    )
    return Picture(standings.draw_player(sheet), standings.describe_player(sheet), "stats.png")


def draw_pair(mine: Sequence[Played], theirs: Sequence[Played], scope: str) -> Picture:
    """Draw the statistics of two players who have played together."""
    from statistics import fmean

    from render import standings

    pairs = meetings(mine, theirs)
    one, other = (one_line(result.name) for result in pairs[-1])
    # 1 if the first player was ahead, -1 if the second one was, 0 for a tie.
    leads = [(own.place < rival.place) - (own.place > rival.place) for own, rival in pairs]
    ahead = max(_run_lengths(lead == 1 for lead in leads), default=0)
    behind = max(_run_lengths(lead == -1 for lead in leads), default=0)
    # Long names must leave room for the numbers.
    short = {"one": cut(one, MAX_NAME_CHARACTERS), "other": cut(other, MAX_NAME_CHARACTERS)}
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
                ranks=(own.place, rival.place),
                scores=(own.score, rival.score),
            )
            for own, rival in reversed(pairs[-MAX_MEETINGS_LISTED:])
        ),
        curve_game=title(most_played),
        curves=(_curve(one, mine, most_played), _curve(other, theirs, most_played)),
    )
    return Picture(standings.draw_pair(sheet), standings.describe_pair(sheet), "stats.png")


def draw_leaderboard(
    boards: Sequence[tuple[str, Sequence[Ranked]]], scope: str, note: str, pool: Pool, own: int
) -> Picture:
    """Draw a list of ratings for each game; the user `own` is highlighted."""
    from render import standings

    lists = []
    for game, ranked in boards:
        entries = []
        for one in ranked:
            name = computer_name(one) if pool is Pool.COMPUTERS else one.rating.name
            entries.append(
                _entry(one.rating, name, one.place, pool is Pool.PEOPLE and one.user == own)
            )
        lists.append(standings.RatingList(title(game), tuple(entries)))
    data = standings.draw_lists(lists, scope, note)
    return Picture(data, standings.describe_lists(lists, scope, note), "leaderboard.png")


def computer_name(computer: Ranked) -> str:
    """Return the name and the level of a computer; just the level if it has no character."""
    name = say(f"name.{computer.character}") if computer.character else ""
    return say("standing.computer", name=name, level=say(f"level.{computer.level}"))


def title(game: str) -> str:
    """Return the title of a game; its id if the game no longer exists."""
    return GAMES[game].title if game in GAMES else game


def _entry(rating: Rating, name: str, place: int = 0, is_own: bool = False) -> "Entry":
    from render.standings import Entry

    return Entry(
        rank=place,
        name=one_line(name),
        rating=rating.shown,
        matches=rating.matches,
        wins=rating.wins,
        is_provisional=rating.is_provisional,
        is_own=is_own,
    )


def _curve(name: str, played: Iterable[Played], game: str) -> "Curve":
    """Return the curve of a player's rating in a game; without points if there are only a few."""
    from render.standings import Curve

    moments = [
        (one.at, Rating(one.mu, one.sigma).shown)
        for one in played
        if one.game == game and one.mu is not None and one.sigma is not None
    ]
    return Curve(name, tuple(moments) if len(moments) >= MIN_CURVE_MATCHES else ())


def _list_facts(player: PlayerRecord) -> Iterator[tuple[str, str]]:
    """Yield facts about a player for a line each, as a label and a text."""
    won = [one.place == 1 for one in player.proper]
    if streaks := _run_lengths(won):
        longest = max(streaks)
        current = streaks[-1] if won[-1] else 0
        yield say("standing.streak"), say("standing.streak_of", longest=longest, now=current)
    if favourite := _find_favourite_game(player):
        yield say("standing.favourite"), favourite
    if favourite := _find_favourite_table(player):
        yield say("standing.table"), favourite
    leavings = Counter(one.kind for one in player.played if one.has_left_others)
    counts = {
        "resigned": leavings[Kind.RESIGNED],
        "abandoned": leavings[Kind.ABANDONED],
        "left_alone": sum(one.is_left_alone for one in player.played),
        "unrated": sum(one.kind is Kind.UNRATED for one in player.proper),
    }
    for kind, number in counts.items():
        if number:
            yield say(f"standing.{kind}"), say(f"standing.{kind}_of", number=number)


def _list_solo(player: PlayerRecord) -> Iterator["SoloLine"]:
    """Yield a player's results against computers for each game, the most played first."""
    from render.standings import SoloLine

    for game, played in Counter(one.game for one in player.solo).most_common():
        matches = [one for one in player.solo if one.game == game]
        yield SoloLine(
            title=title(game),
            played=played,
            won=sum(one.place == 1 for one in matches),
            best=max(one.score for one in matches),
        )


def describe_player(player: PlayerRecord, is_own: bool) -> str:
    """Return how many matches a player has played and won; on their own, also what to do next."""
    name = escape_text(player.played[-1].name)
    solo_wins = sum(one.place == 1 for one in player.solo)
    solo = {"matches": len(player.solo), "wins": solo_wins}
    lines = []
    if player.proper:
        lines.append(
            say("standing.player", name=name, matches=len(player.proper), wins=player.wins)
        )
        if player.solo:
            lines.append(say("standing.solo", **solo))
    elif player.solo:
        lines.append(say("standing.solo_only", name=name, **solo))
        if is_own:
            lines.append(say("standing.try_people", rating=Rating().shown))
    else:
        lines.append(say("standing.none_finished", name=name))
    return "\n".join(lines)


def describe_last_results(player: PlayerRecord) -> list[str]:
    """Return a heading and the last results of a player, newest first, in a line each."""
    results = [_describe_result(player, one) for one in player.played[-MAX_RESULTS_LISTED:]]
    return [say("standing.last_results"), *reversed(results)]


def _describe_result(player: PlayerRecord, played: Played) -> str:
    """Describe a result in a line: the place or how it ended, the game, with whom, and when."""
    named = [
        escape_text(other.name)
        for other in player.companions
        if other.number == played.number and other.can_be_named
    ]
    # Others are not named: they are hidden, had their data deleted, or left.
    if others := played.people - 1 - len(named):
        named.append(say("standing.others", number=others))
    facts = {"game": title(played.game), "at": played.at}
    if played.is_left_alone:
        return say("standing.result_left_alone", **facts)
    if played.has_left:
        key = "resigned" if played.kind is Kind.RESIGNED else "abandoned"
        return say(f"standing.result_{key}", names=and_list(named) if named else "", **facts)
    return say(
        "standing.result",
        place=played.place,
        seats=played.seats,
        names=and_list(named) if named else "",
        score=played.score,
        **facts,
    )


def _find_favourite_game(player: PlayerRecord) -> str:
    """Describe the game that a player has finished most often; the latest of a tie."""
    finished = [one.game for one in reversed(player.played) if one.is_proper or one.is_solo]
    for game, matches in Counter(finished).most_common(1):
        if matches >= MIN_FAVOURITE_MATCHES:
            return say("standing.favourite_of", game=title(game), matches=matches)
    return ""


def _find_favourite_table(player: PlayerRecord) -> str:
    """Describe the game and the people that a player has met most often; the latest of a tie."""
    by_table = groupby(player.companions, lambda other: other.number)
    tables = {number: list(others) for number, others in by_table}
    names: dict[int, str] = {}
    counts = Counter[tuple[str, tuple[int, ...]]]()
    for one in reversed(player.proper):
        others = tables.get(one.number, [])
        if others and all(other.can_be_named for other in others):
            counts[one.game, tuple(sorted(other.user for other in others))] += 1
            names = {other.user: other.name for other in others} | names
    for (game, users), matches in counts.most_common(1):
        if matches >= MIN_FAVOURITE_MATCHES:
            company = and_list(one_line(names[user]) for user in users)
            return say("standing.table_of", matches=matches, game=title(game), names=company)
    return ""


def _run_lengths(flags: Iterable[bool]) -> list[int]:
    """Return the lengths of all unbroken runs of True."""
    return [len(list(run)) for is_so, run in groupby(flags) if is_so]
