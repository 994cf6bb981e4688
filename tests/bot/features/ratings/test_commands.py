"""/stats and /leaderboard: what is shown to whom, and that nobody is shown who does not want it."""

import time
from collections.abc import Sequence

from bot.features.ratings import queries as rating_queries
from bot.features.ratings.records import Board, Finish, Kind, Result
from bot.features.ratings.statistics import title
from bot.kernel import queries
from bot.model import COMPUTER, HIDDEN
from bot.store.sql import SelectOne
from bot.store.sqlite import SqliteStore
from engine import GAMES
from tests.bot.standings import DAY, put, rate_all
from tests.bot.world import Player, World

NOTHING = "There is nothing to show of that player here."


COUNT = SelectOne(int, "SELECT count(*) FROM finishes")


async def have_played(
    world: World,
    *tables: Sequence[Player],
    game: str = "blue_lagoon",
    kind: Kind = Kind.RATED,
    guild: int | None = None,
    computer: bool = False,
) -> None:
    """Matches of these people, who came in that order, each a day after the one before; now they
    are rated.
    """
    store = world.matches.store
    assert isinstance(store, SqliteStore)
    begun = await store.read(COUNT) or 0
    finishes = []
    for number, table in enumerate(tables, begun + 1):
        people = [(actor.id, actor.name, "") for actor in table]
        people += [(COMPUTER, "Tane", "strong")] if computer else []
        results = tuple(
            Result(
                seat=seat,
                user=user,
                name=name,
                level=level,
                place=seat + 1,
                score=90.0 - seat,
                kind=kind,
                counts=kind is Kind.RATED,
            )
            for seat, (user, name, level) in enumerate(people)
        )
        at = int(time.time()) - (200 - number) * DAY
        facts = {
            "number": number,
            "match": f"m{number:07}",
            "guild": world.guild if guild is None else guild,
        }
        finishes.append(Finish(game=game, seats=len(people), at=at, results=results, **facts))
    await store.write(lambda database: put(database, finishes))
    await world.matches.standing.recover()
    await rate_all(world.matches.standing)


async def test_a_server_sees_its_ratings_in_a_picture_with_words(world: World) -> None:
    ana, bea, cem = world.ana, world.bea, world.cem
    await have_played(world, *[(ana, bea, cem)] * 3, (cem, ana), guild=None)
    shown = (await ana.slash("/leaderboard", game="Blue Lagoon")).private
    (picture,) = shown.attachments
    alt = picture.description or ""
    assert picture.filename == "leaderboard.png" and world.discord.state.guild_name in alt
    board = Board(game="blue_lagoon", guild=world.guild)
    listed = await world.matches.store.read(rating_queries.board, board)
    assert [(one.place, one.rating.name) for one in listed] == [(1, "Ana"), (2, "Bea"), (3, "Cem")]
    order = [
        alt.index(f"{one.place}. {one.rating.name} ? {one.rating.sure:.1f}".replace("-", "−"))
        for one in listed
    ]
    assert order == sorted(order)
    # All games at once, and everywhere: the others are empty.
    alt = (await ana.slash("/leaderboard", where="everywhere")).private.attachments[0].description
    assert alt is not None and alt.count("nobody yet") == len(GAMES) - 1 and "1. Ana" in alt
    # With two matches here nobody is listed.
    dag = world.person("Dag")
    await have_played(world, *[(dag, ana)] * 2)
    shown = await bea.slash("/leaderboard", game="blue_lagoon", public=True)
    assert not shown.ephemeral and "Dag" not in (shown.message.attachments[0].description or "")
    refused = await ana.slash("/leaderboard", game="chess")
    assert "Blue Lagoon" in refused.private.content


async def test_computers_are_listed_by_level_apart_from_people(world: World) -> None:
    await have_played(world, *[(world.ana, world.bea)] * 3, computer=True)
    shown = (await world.ana.slash("/leaderboard", players="computers")).private
    alt = shown.attachments[0].description or ""
    assert "1. strong" in alt and "Ana" not in alt
    people = (await world.ana.slash("/leaderboard")).private.attachments[0].description or ""
    assert "strong" not in people and "Ana" in people


async def test_a_player_sees_their_results_and_what_is_counted_apart(world: World) -> None:
    ana, bea, cem = world.ana, world.bea, world.cem
    game, other = "maori", "polynesia"
    await have_played(world, (ana, bea), (ana, bea), (bea, ana), (cem, bea, ana), game=game)
    await have_played(world, (bea, ana), game=game, kind=Kind.UNRATED)
    await have_played(world, (ana,), (ana,), game=game, kind=Kind.SOLO, computer=True)
    shown = (await ana.slash("/stats")).private
    assert shown.content == "**Ana**: 5 matches, 2 won."
    alt = shown.attachments[0].description or ""
    assert (
        f"{title(game)}: places from the first on 2, 2, 1; best score 90, mean 89.2; rating" in alt
    )
    assert "Longest streak: 2 wins in a row." in alt
    assert f"Favourite table: 4 matches of {title(game)} with Bea." in alt
    assert "resigned 0, abandoned 0, left alone 0, solo 2 (2 won), unrated 1" in alt
    # A refusal is for the asker alone, whoever shall see the rest.
    refused = (await ana.slash("/stats", game=other, public=True)).private.content
    assert f"no results in {GAMES[other].title} on" in refused
    assert not (await ana.slash("/stats", public=True)).ephemeral
    # Another by name, by mention and by what is offered; and the two together.
    offered = (await ana.autocomplete("/stats", player="be")).choices
    assert [(one["name"], one["value"]) for one in offered] == [("Bea", str(bea.id))]
    for meant in ("bea", f"<@{bea.id}>"):
        assert (
            "**Bea**: 5 matches, 2 won."
            in (await ana.slash("/stats", player=meant)).private.content
        )
    pair = (await cem.slash("/stats", **{"player": "Ana", "with": "Bea"})).private
    assert pair.content == "**Ana** and **Bea**: 5 matches together."
    alt = pair.attachments[0].description or ""
    assert f"{title(game)}: Ana ahead 2, level 0, Bea ahead 3; mean scores 89.2 and 89.4." in alt
    assert (
        "two different"
        in (await ana.slash("/stats", **{"with": "Ana", "player": str(ana.id)})).private.content
    )
    assert (
        "not played"
        in (await ana.slash("/stats", **{"with": "Cem", "game": other})).private.content
    )


async def test_who_wants_to_be_hidden_is_shown_to_nobody(world: World) -> None:
    ana, bea, cem = world.ana, world.bea, world.cem
    await have_played(world, *[(ana, bea, cem)] * 4)
    shown = (await bea.slash("/me settings")).private
    assert "Others see your results" in shown.content and "Hide my results" in shown.labels
    hidden = (await bea.click(shown, label="Hide my results")).private
    assert "Nobody else sees your results" in hidden.content
    asked = [ana.id, bea.id, cem.id]
    store = world.matches.store
    assert await store.read(queries.players_with_setting, HIDDEN, asked) == {bea.id}
    # No list, no statistics, no favourite table and no offer names her: she is as good as not
    # there.
    for where in ("here", "everywhere"):
        shown = (await ana.slash("/leaderboard", where=where)).private
        alt = shown.attachments[0].description or ""
        assert "Bea" not in alt and "1. Ana" in alt and "2. Cem" in alt
    for hers, nobodys in (("Bea", "Bob"), (str(bea.id), "123"), (f"<@{bea.id}>", "9" * 19)):
        for name in (hers, nobodys):
            for options in ({"player": name}, {"with": name}, {"player": "Cem", "with": name}):
                assert (await ana.slash("/stats", **options)).private.content == NOTHING
    alt = (await ana.slash("/stats")).private.attachments[0].description or ""
    assert "Bea" not in alt and "Favourite" not in alt
    assert not (await ana.autocomplete("/stats", player="b")).choices
    # She sees her own, to herself alone.
    assert "**Bea**: 4 matches" in (await bea.slash("/stats")).private.content
    assert "to be shown to nobody" in (await bea.slash("/stats", public=True)).private.content
    await bea.slash("/me settings", standing="shown")
    assert "**Bea**" in (await ana.slash("/stats", player="Bea")).private.content


async def test_nobody_learns_of_matches_on_other_servers(world: World) -> None:
    ana, bea, cem = world.ana, world.bea, world.cem
    await have_played(world, *[(ana, bea)] * 3, guild=77)
    await have_played(world, (cem, ana))
    assert (await cem.slash("/stats", player=str(bea.id))).private.content == NOTHING
    told = (await cem.slash("/stats", player="Ana", where="everywhere")).private.content
    assert told == "**Ana**: 4 matches, 3 won."
    shown = (await cem.slash("/stats", player="Ana", where="everywhere")).private
    assert "Bea" not in (shown.attachments[0].description or "")
    assert "1 match, 0 won" in (await cem.slash("/stats", player="Ana")).private.content
