"""/stats and /leaderboard, and who may see what."""

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

NOTHING = "There's nothing to show for that player here."


COUNT = SelectOne(int, "SELECT count(*) FROM finishes")


async def play_and_rate(
    world: World,
    *tables: Sequence[Player],
    game: str = "blue_lagoon",
    kind: Kind = Kind.RATED,
    guild: int | None = None,
    computer: bool = False,
    character: str = "",
) -> None:
    """Record matches with these placings, a day apart, and rate them."""
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
                character=character if level else "",
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


async def test_the_leaderboard_is_a_picture_with_an_alt_text(world: World) -> None:
    ana, bea, cem = world.ana, world.bea, world.cem
    await play_and_rate(world, *[(ana, bea, cem)] * 3, (cem, ana), guild=None)
    shown = await ana.ask("/leaderboard", game="Blue Lagoon")
    (picture,) = shown.attachments
    alt = picture.description or ""
    assert picture.filename == "leaderboard.png" and world.discord.state.guild_name in alt
    board = Board(game="blue_lagoon", guild=world.guild)
    listed = await world.matches.store.read(rating_queries.board, board)
    assert [(one.place, one.rating.name) for one in listed] == [(1, "Ana"), (2, "Bea"), (3, "Cem")]
    order = [
        alt.index(f"{one.place}. {one.rating.name} {one.rating.shown} (provisional)")
        for one in listed
    ]
    assert order == sorted(order)
    # All games together, on all servers: the lists of the other games are empty.
    alt = (await ana.ask("/leaderboard", where="everywhere")).attachments[0].description
    assert alt is not None and alt.count("nobody yet") == len(GAMES) - 1 and "1. Ana" in alt
    # With two matches here nobody is listed.
    dag = world.add_person("Dag")
    await play_and_rate(world, *[(dag, ana)] * 2)
    shown = await bea.slash("/leaderboard", game="blue_lagoon", public=True)
    assert not shown.ephemeral and "Dag" not in (shown.message.attachments[0].description or "")
    refused = await ana.slash("/leaderboard", game="chess")
    assert "Blue Lagoon" in refused.private.content


async def test_computers_are_listed_by_level_below_people(world: World) -> None:
    """Those without a character, from before there were any, just by their level."""
    table = (world.ana, world.bea)
    await play_and_rate(world, table, table, computer=True, character="hermit")
    await play_and_rate(world, table, computer=True)
    shown = await world.ana.ask("/leaderboard", players="computers")
    alt = shown.attachments[0].description or ""
    assert "Hinano, strong" in alt and ". strong" in alt and "Ana" not in alt
    people = (await world.ana.ask("/leaderboard")).attachments[0].description or ""
    assert "strong" not in people and "Ana" in people


async def test_a_player_sees_their_results_and_the_unrated_ones(world: World) -> None:
    ana, bea, cem = world.ana, world.bea, world.cem
    game, other = "maori", "polynesia"
    await play_and_rate(world, (ana, bea), (ana, bea), (bea, ana), (cem, bea, ana), game=game)
    await play_and_rate(world, (bea, ana), game=game, kind=Kind.UNRATED)
    await play_and_rate(world, (ana,), (ana,), game=game, kind=Kind.SOLO, computer=True)
    shown = await ana.ask("/stats")
    totals, solo, _, *last = shown.content.splitlines()
    assert totals == "**Ana**: 5 matches with other people, 2 wins."
    assert solo == "Solo: 2 matches against computers, 2 wins."
    ends = [line.rsplit(", <t:", 1)[0] for line in last]
    name = title(game)
    assert ends == [
        f"- **1st of 2** in {name}, solo: 90 points",
        f"- **1st of 2** in {name}, solo: 90 points",
        f"- **2nd of 2** in {name}, with Bea: 89 points",
        f"- **3rd of 3** in {name}, with Cem and Bea: 88 points",
        f"- **2nd of 2** in {name}, with Bea: 89 points",
    ]
    alt = shown.attachments[0].description or ""
    assert (
        f"{name}: finishes from first place down 2, 2, 1; best score 90, average 89.2; rating"
        in alt
    )
    assert "Win streak: none right now; best 2." in alt
    assert f"Favourite game: {name}, 7 matches." in alt
    assert f"Favourite table: 4 matches of {name} with Bea." in alt
    assert f"{name}, solo: 2 played, 2 won, best score 90." in alt
    assert "Not rated: by choice (1 match)." in alt and "Resigned" not in alt
    # A refusal is always private, even if the answer would be public.
    refused = (await ana.ask("/stats", game=other, public=True)).content
    assert f"You haven't finished a match of {GAMES[other].title} on" in refused
    assert not (await ana.slash("/stats", public=True)).ephemeral
    # Find another player by name, by mention and by completion, and show the two together.
    offered = (await ana.autocomplete("/stats", player="be")).choices
    assert [(one["name"], one["value"]) for one in offered] == [("Bea", str(bea.id))]
    for meant in ("bea", f"<@{bea.id}>"):
        text = (await ana.ask("/stats", player=meant)).content
        assert "**Bea**: 5 matches with other people, 2 wins." in text
    pair = await cem.ask("/stats", **{"player": "Ana", "with": "Bea"})
    assert pair.content == "**Ana** and **Bea**: 5 matches together."
    alt = pair.attachments[0].description or ""
    assert f"{title(game)}: Ana ahead 2, tied 0, Bea ahead 3; average scores 89.2 and 89.4." in alt
    assert (
        "two different"
        in (await ana.ask("/stats", **{"with": "Ana", "player": str(ana.id)})).content
    )
    assert "haven't finished" in (await ana.ask("/stats", **{"with": "Cem", "game": other})).content


async def test_a_hidden_player_is_shown_to_nobody(world: World) -> None:
    ana, bea, cem = world.ana, world.bea, world.cem
    await play_and_rate(world, *[(ana, bea, cem)] * 4)
    shown = await bea.ask("/me settings")
    assert "Others can see your results" in shown.content and "Hide my results" in shown.labels
    hidden = await bea.press(shown, label="Hide my results")
    assert "Only you can see your results" in hidden.content
    asked = [ana.id, bea.id, cem.id]
    store = world.matches.store
    assert await store.read(queries.players_with_setting, HIDDEN, asked) == {bea.id}
    # No list, no statistics, no favourite company and no completion names her.
    for where in ("here", "everywhere"):
        shown = await ana.ask("/leaderboard", where=where)
        alt = shown.attachments[0].description or ""
        assert "Bea" not in alt and "1. Ana" in alt and "2. Cem" in alt
    for hers, nobodys in (("Bea", "Bob"), (str(bea.id), "123"), (f"<@{bea.id}>", "9" * 19)):
        for name in (hers, nobodys):
            for options in ({"player": name}, {"with": name}, {"player": "Cem", "with": name}):
                assert (await ana.ask("/stats", **options)).content == NOTHING
    shown = await ana.ask("/stats")
    alt = shown.attachments[0].description or ""
    assert "Bea" not in alt and "Favourite table" not in alt
    assert "Bea" not in shown.content and "with Cem and another player:" in shown.content
    assert not (await ana.autocomplete("/stats", player="b")).choices
    # She sees her own results, privately.
    assert "**Bea**: 4 matches" in (await bea.ask("/stats")).content
    assert "hidden your results" in (await bea.ask("/stats", public=True)).content
    await bea.slash("/me settings", standing="shown")
    assert "**Bea**" in (await ana.ask("/stats", player="Bea")).content


async def test_matches_on_other_servers_stay_private(world: World) -> None:
    ana, bea, cem = world.ana, world.bea, world.cem
    await play_and_rate(world, *[(ana, bea)] * 3, guild=77)
    await play_and_rate(world, (cem, ana))
    assert (await cem.ask("/stats", player=str(bea.id))).content == NOTHING
    text = (await cem.ask("/stats", player="Ana", where="everywhere")).content
    assert text == "**Ana**: 4 matches with other people, 3 wins."
    shown = await cem.ask("/stats", player="Ana", where="everywhere")
    assert "Bea" not in (shown.attachments[0].description or "")
    text = (await cem.ask("/stats", player="Ana")).content
    assert "1 match with other people." in text and "with Cem:" in text
    # Ana sees in private with whom she has played, but not in a public answer.
    assert "with Bea:" in (await ana.ask("/stats", where="everywhere")).content
    shown = (await ana.slash("/stats", where="everywhere", public=True)).message
    assert "Bea" not in shown.content + (shown.attachments[0].description or "")
    text = (await bea.ask("/stats")).content
    assert "but you have elsewhere: pick `where: all servers`" in text


async def test_a_solo_match_is_shown_and_not_rated(world: World) -> None:
    await world.ana.slash("/solo", game="maori", level="easy", seats="2")
    (room,) = await world.matches.here(world.channel.id)
    room = await world.play_out(room)
    await world.wait_until_idle()
    assert "Ratings" not in world.newest(room).content
    assert "Not rated" not in world.newest(room).content
    shown = await world.ana.ask("/stats")
    first, invitation, _, last = shown.content.splitlines()
    outcome = room.playing().outcome
    assert outcome is not None
    won = int(0 in outcome.winners)
    assert first == f"**Ana**: 1 match against computers{', 1 win' if won else ''}."
    assert "Open a table with `/game new`: everyone's rating starts at 1000." in invitation
    assert last.startswith(f"- **{'1st' if won else '2nd'} of 2** in Maori, solo: ")
    alt = shown.attachments[0].description or ""
    assert f"Maori, solo: 1 played, {won} won, best score" in alt and "rating" not in alt
    # Only Ana herself is invited to play with others.
    text = (await world.bea.ask("/stats", player=str(world.ana.id))).content
    assert first in text and "/game new" not in text
    alt = (await world.ana.ask("/leaderboard")).attachments[0].description or ""
    assert "Ana" not in alt


async def test_the_last_post_says_how_the_match_has_changed_ratings(world: World) -> None:
    room = await world.play_out(await world.start_match())
    outcome = room.playing().outcome
    assert outcome is not None and len(outcome.winners) == 1
    names = [world.ana.name, world.bea.name]
    winner, loser = names[outcome.winners[0]], names[1 - outcome.winners[0]]
    assert (
        f"Ratings (provisional): **{winner}** +34, now 1034; **{loser}** −18, now 982."
        in world.boards(room)[-1].content.splitlines()
    )
    for player in (world.ana, world.bea):
        alt = (await player.ask("/stats")).attachments[0].description or ""
        rating = 1034 if player.name == winner else 982
        assert f"rating {rating} (provisional)" in alt
    # The next change starts from there, and players who hide their results are left out.
    await world.bea.slash("/me settings", standing="hidden")
    room = await world.play_out(await world.start_match())
    (line,) = [
        line for line in world.boards(room)[-1].content.splitlines() if line.startswith("Ratings")
    ]
    assert "Bea" not in line
    assert line.startswith("Ratings (provisional): **Ana** ")
    change, now = line.removeprefix("Ratings (provisional): **Ana** ").split(", now ")
    was = 1034 if winner == "Ana" else 982
    assert was + int(change.replace("−", "-")) == int(now.removesuffix("."))


async def test_the_last_post_says_why_a_match_is_not_rated(world: World) -> None:
    room = await world.start_match()
    await world.resign(world.bea, room)
    await world.wait_until_posted()
    assert "Not rated: everyone else left." in world.boards(room)[-1].content.splitlines()
    text = (await world.ana.ask("/stats")).content
    assert text.startswith("**Ana**: no match played to the end yet.")
    assert "- **Not rated** in Blue Lagoon: everyone else left, <t:" in text
    text = (await world.bea.ask("/stats")).content
    assert "- **Resigned** in Blue Lagoon, with Ana, <t:" in text


async def test_another_player_is_chosen_in_a_menu(world: World) -> None:
    await play_and_rate(world, *[(world.ana, world.bea)] * 3)
    shown = await world.ana.slash("/stats", game="Blue Lagoon")
    (menu,) = shown.message.selects
    other = await world.ana.choose(shown, menu["custom_id"], [world.bea])
    assert other.message is shown.message and "**Bea**" in other.content
    assert other.message.selects == [menu], "the same game and server"
    nobody = await world.ana.choose(shown, menu["custom_id"], [world.cem])
    assert NOTHING in nobody.private.content
    public = await world.ana.slash("/stats", public=True)
    assert not public.last.selects
