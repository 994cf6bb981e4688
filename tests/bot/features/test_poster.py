"""/poster: a finished match as one picture."""

from tests.bot.features.test_review import end_solo_match
from tests.bot.world import World


async def test_a_finished_match_is_posted_as_one_picture(world: World) -> None:
    room = await end_solo_match(world, "blue_lagoon", 3)
    await world.ana.slash("/poster", channel=world.place(room))
    await world.wait_until_idle()
    (post,) = [one for one in world.posts(room) if "in one picture" in one.content]
    (file,) = post.attachments
    assert file.filename == f"blue_lagoon-{room.record.id}.png"
    assert "Played " in (file.description or "")


async def test_a_running_match_has_no_poster(world: World) -> None:
    await world.ana.slash("/solo", game="maori")
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    refused = await world.ana.slash("/poster", channel=world.place(room), match=room.record.id)
    assert "poster is in" not in refused.private.content
