"""Checks of statistics, verification and export after a match."""

from contextlib import closing

from bot.features.ratings.records import Kind
from engine import GAMES
from engine.core.transcript import replay
from engine.core.words import points
from tests.bot.standings import find_finish
from tests.e2e.harness import Table


async def check_standing(table: Table) -> None:
    """Check the statistics of two people after their first match, and that hiding works."""
    outcome = table.match.outcome
    one = table.people[0]
    other = table.people[1]
    assert outcome is not None
    with closing(table.stage.database()) as database:
        finish = find_finish(database, table.id)
    assert finish is not None and {result.kind for result in finish.results} == {Kind.RATED}
    places = {result.user: result.place for result in finish.results}
    place, title = places[one.id], GAMES[finish.game].title
    own = await one.slash("/stats", channel=table.place)
    totals = f"**{one.name}**: 1 match with other people{', 1 win' if place == 1 else ''}."
    assert own.ephemeral and own.content.splitlines()[0] == totals
    (picture,) = own.message.attachments
    score = next(result.score for result in finish.results if result.user == one.id)
    assert f"{title}: finishes from first place down" in picture.description
    assert f"best score {points(score)}" in picture.description and "rating" in picture.description
    pair = await other.slash("/stats", channel=table.place, **{"with": one.name, "game": title})
    ahead = int(places[other.id] < place)
    level = int(places[other.id] == place)
    assert (
        f"{title}: {other.name} ahead {ahead}, tied {level},"
        in pair.message.attachments[0].description
    )
    verified = await other.slash("/verify", channel=table.place, match=table.id)
    assert "Everything checks out" in verified.content and verified.ephemeral
    exported = await other.slash("/export", channel=table.place, match=table.id)
    name = f"{finish.game}-{table.id}"
    assert exported.files.keys() == {f"{name}-transcript.txt", f"{name}.json"}
    assert replay(exported.files[f"{name}-transcript.txt"].decode()).outcome == outcome
    opening = await other.slash("/board", channel=table.place, match=table.id, at="1")
    assert opening.ephemeral and opening.message.attachments
    # After one match nobody is listed yet.
    board = await one.slash("/leaderboard", channel=table.place, game=finish.game)
    assert board.ephemeral and "nobody yet" in board.message.attachments[0].description
    await one.slash("/me settings", channel=table.place, standing="hidden")
    for options in ({"player": one.name}, {"with": one.mention}):
        refused = await other.slash("/stats", channel=table.place, **options)
        assert refused.content == "There's nothing to show for that player here."
    assert (await one.slash("/stats", channel=table.place)).content == own.content
