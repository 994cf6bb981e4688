"""Votes through commands and buttons."""

from typing import Any

from bot.features.votes import queries as vote_queries
from bot.kernel.room import Room
from bot.local.model import Message
from bot.model import Status
from bot.ui import describe
from tests.bot.world import Player, World


async def newest_vote(world: World, room: Room) -> Any:
    """Return the newest vote's message."""
    await world.wait_until_idle()
    votes = await world.matches.store.read(vote_queries.votes, room.record.id)
    place = world.place(await world.reload(room))
    return next(message for message in world.posts(place) if message.id == votes[-1].message)


async def ask(world: World, room: Room, who: Player, command: str, **options: Any) -> Any:
    place = world.place(await world.reload(room))
    answered = await who.slash(command, channel=place, **options)
    assert "discord.com/channels" in answered.private.content
    return await newest_vote(world, room)


async def test_a_table_pauses_resumes_and_ends_with_its_buttons(world: World) -> None:
    room = await world.start_match(world.bea, world.cem)
    asked = await ask(world, room, world.ana, "game pause")
    assert f"**Ana** wants to pause Blue Lagoon (`{room.record.id}`)." in asked.content
    assert "Not voted yet: Bea and Cem" in asked.content
    assert asked.labels == ["Yes", "No"]
    await world.bea.click(asked, label="No")
    await world.bea.click(asked, label="Yes")
    done = await newest_vote(world, room)
    assert "Yes: Ana and Bea" in done.content and "**Paused." in done.content and done.labels == []
    assert (await world.reload(room)).record.status is Status.ON_HOLD
    place = world.place(await world.reload(room))
    assert "agreed to a break" in (await world.ana.ask("/play", channel=place)).content
    resumed = await ask(world, room, world.cem, "game resume")
    posts = len(world.posts(place))
    await world.bea.click(resumed, label="Yes")
    await world.wait_until_idle()
    assert (await world.reload(room)).record.status is Status.RUNNING
    assert len(world.posts(place)) == posts + 1, "the turn is posted anew"
    ended = await ask(world, room, world.ana, "game end")
    await world.bea.click(ended, label="Yes")
    await world.cem.click(ended, label="Yes")
    assert "ended without a result" in (await newest_vote(world, room)).content
    await world.wait_until_idle()
    assert "without a result" in (await world.ana.ask("/play", channel=place)).content
    (board,) = [message for message in world.posts(place) if message.labels]
    assert board.labels == ["Rematch", "My view", "Log", "Fairness"]
    assert board.content.startswith("**Blue Lagoon ended without a result.**")
    assert "turn: " not in board.content
    assert "without a result" in place.name


async def replace_player(world: World, room: Room, who: Player, whose: str) -> Message:
    """Choose somebody in the menu of /game replace, and return the private answer."""
    response = await who.slash("/game replace", channel=world.place(await world.reload(room)))
    answer = await who.choose(response, f"rp:{room.record.id}", [whose])
    assert answer.private is response.private, "the answer takes the place of the menu"
    return answer.private


async def test_the_player_to_remove_is_chosen_in_a_menu(world: World) -> None:
    opened = await world.open_lobby()
    await world.add_computer(opened.message)
    for person in (world.bea, world.cem):
        await person.click(opened, label="Join")
    await world.ana.click(opened, label="Start")
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    response = await world.ana.slash("/game remove", channel=world.place(room))
    (menu,) = response.message.selects
    assert [option["label"] for option in menu["options"]] == ["Bea", "Cem"]
    answer = await world.ana.choose(response, menu["custom_id"], ["Bea"])
    assert answer.private is response.private and "Vote started" in answer.private.content
    assert "Bea" in (await newest_vote(world, room)).content
    forged = await world.ana.choose(response, menu["custom_id"], ["9"], forged=True)
    assert "out of date" in forged.private.content


async def test_a_newcomer_chooses_among_free_seats_in_a_menu(world: World) -> None:
    opened = await world.open_lobby()
    for _ in range(2):
        await world.add_computer(opened.message)
    await world.ana.click(opened, label="Start")
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    response = await world.bea.slash("/game replace", channel=world.place(room))
    assert "Several seats are free" in response.private.content
    (menu,) = response.message.selects
    answer = await world.bea.choose(response, menu["custom_id"], [menu["options"][1]["value"]])
    assert "You asked for" in answer.private.content
    (vote,) = await world.matches.votes.find_open(room.record.id, "replace")
    assert vote.facts["seat"] == 2


async def test_a_player_is_removed_by_the_others(world: World) -> None:
    room = await world.start_match(world.bea, world.cem)
    place = world.place(await world.reload(room))
    offered = (await world.ana.autocomplete("/game remove", channel=place, player="")).choices
    assert [choice["value"] for choice in offered] == ["Bea", "Cem"]
    assert (
        "Nobody at this table"
        in (await world.ana.ask("/game remove", channel=place, player="Zoe")).content
    )
    asked = await ask(world, room, world.ana, "game remove", player="Bea")
    assert "about you" in (await world.bea.press(asked, label="No")).content
    await world.cem.click(asked, label="Yes")
    assert "Bea was removed" in (await newest_vote(world, room)).content
    assert (
        "not in this match"
        in (await world.bea.ask("/hand", channel=place, match=room.record.id)).content
    )
    assert (
        "Bea was removed.\n1. A computer took over for Bea"
        in (await world.cem.ask("/log", channel=place)).content
    )


async def test_a_stranger_and_a_closed_vote_are_answered_privately(world: World) -> None:
    room = await world.start_match(world.bea)
    asked = await ask(world, room, world.ana, "game pause")
    assert "match's players can vote" in (await world.cem.press(asked, label="Yes")).content
    assert [button["custom_id"] for button in asked.buttons] == [
        f"b:{room.record.id}:1:yes",
        f"b:{room.record.id}:1:no",
    ]
    await world.matches.votes.cast(room.record.id, 1, world.bea.id, "yes")
    assert "is over" in (await world.bea.press(asked, label="No")).content


async def test_the_vote_message_follows_changes_of_players(world: World) -> None:
    room = await world.start_match(world.bea, world.cem)
    asked = await ask(world, room, world.ana, "game end")
    assert "Not voted yet: Bea and Cem" in asked.content
    sure = await world.cem.ask("/resign", channel=world.place(await world.reload(room)))
    await world.cem.click(sure, label="Yes, give up my seat")
    assert "Not voted yet: Bea\n" in (await newest_vote(world, room)).content


async def test_a_vote_survives_a_restart_and_its_missing_message_is_posted(world: World) -> None:
    room = await world.start_match(world.bea)
    # The vote is in the database, and nobody has seen it yet.
    await world.matches.votes.propose(room.record.id, room.record.chairs[0], "pause")
    await world.matches.ballots.close()
    await world.restart()
    asked = await newest_vote(world, room)
    await world.bea.click(asked, label="Yes")
    assert "**Paused." in (await newest_vote(world, room)).content


async def test_an_offered_seat_says_whose_it_is_and_how_the_match_stands(world: World) -> None:
    room = await world.start_match(world.bea, world.cem)
    offered = (await replace_player(world, room, world.cem, "Cem")).content
    assert f"**Cem**'s seat in Blue Lagoon (`{room.record.id}`) is on offer." in offered
    post = world.newest(room)
    assert "**Cem** wants to leave Blue Lagoon" in post.content
    for move in ("", "17!"):
        if move:
            await world.play(world.ana, room, move)
        standing = " ".join(describe.status_lines(await world.reload(room), None))
        assert f"The match so far: {standing}" in post.content
    eve = world.add_person("Eve")
    text = (await eve.press(post, label="Take over the seat")).content
    assert f"You asked for **Cem**'s seat in Blue Lagoon (`{room.record.id}`)." in text
    for who in (world.ana, world.bea):
        vote = next(one for one in world.posts(room) if "Eve** wants to take over" in one.content)
        await who.click(vote, label="Yes")
    (welcome,) = [one for one in world.posts(room) if "You're in" in one.content]
    assert f"you've taken over Cem's seat in Blue Lagoon (`{room.record.id}`)" in welcome.content
