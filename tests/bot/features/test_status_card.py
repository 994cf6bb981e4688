"""The status card: posted by a manager, edited as matches go on, and replaced when it must be."""

import asyncio

import pytest

from bot.features import status_card
from bot.features.status_card import StatusCards
from bot.kernel.room import Room
from bot.local.model import Message
from bot.model import Pace, Person, Place, Shards, Terms, TimeTerms
from tests.bot.world import World


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status_card, "EDIT_INTERVAL_SECONDS", 0.01)
    monkeypatch.setattr(status_card, "RETRY_SECONDS", 0.05)


def cards(world: World) -> list[Message]:
    """The status cards that everybody sees."""
    return [one for one in world.discord.messages() if one.is_layout and "Matches on" in one.text]


async def post_card(world: World) -> Message:
    """Have the server's owner post the card in the first channel."""
    listed = await world.owner.ask("/games")
    await world.owner.press(listed, label="Post a status card here")
    (card,) = cards(world)
    return card


async def in_place(world: World, room: Room) -> str:
    """The line of the only match on the only card."""
    await world.wait_until_idle()
    (card,) = cards(world)
    (line,) = [line for line in card.content.splitlines() if line.startswith("**Blue Lagoon**")]
    return line


async def test_a_manager_posts_it_and_it_follows_the_matches(world: World) -> None:
    card = await post_card(world)
    assert "No match is in play" in card.content and not card.mentions and not card.pings
    assert card.labels == ["My matches", "Open tables"]
    room = await world.start_match()
    line = await in_place(world, room)
    assert "Ana and Bea" in line and "**Ana**'s turn: place a piece" in line
    thread = (await world.reload(room)).record.place.thread
    assert f"/{thread})" in line and "<t:" in line
    await world.play(world.ana, room, "17!")
    assert "**Bea**'s turn" in await in_place(world, room)
    # It is still the same message, and it never mentioned anybody.
    assert cards(world) == [card] and not card.mentions
    await world.resign(world.bea, await world.reload(room))
    await world.wait_until_idle()
    assert "No match is in play" in card.content


async def test_it_says_when_a_single_answer_is_missing(world: World) -> None:
    card = await post_card(world)
    lobby = await world.ana.slash("/game new", game="conquest", settings="start=variable")
    await world.bea.click(lobby.message, label="Join")
    await world.ana.click(lobby.message, label="Start")
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    assert "Everyone else" not in card.content, "both choose their first pieces"
    await world.play(world.bea, room, "t,t,t,t,done!")
    await world.wait_until_idle()
    assert "**Ana**'s turn" in card.content
    assert card.content.splitlines()[-1].endswith("Everyone else has answered.")


async def test_its_buttons_answer_privately(world: World) -> None:
    await world.start_match()
    card = await post_card(world)
    assert "Your matches" in (await world.ana.press(card, label="My matches")).content
    assert "No table" in (await world.cem.press(card, label="Open tables")).content


async def test_only_managers_can_post_and_remove_it(world: World) -> None:
    assert "Post a status card here" not in (await world.ana.ask("/games")).labels
    assert "manage this server" in (await world.ana.ask("/games", card="post")).content
    assert not cards(world)
    assert "is posted" in (await world.owner.ask("/games", card="post")).content
    assert len(cards(world)) == 1
    assert "manage this server" in (await world.ana.ask("/games", card="remove")).content
    listed = await world.owner.ask("/games")
    assert "is gone" in (await world.owner.press(listed, label="Remove the status card")).content
    room = await world.start_match()
    await world.play(world.ana, room, "17!")
    assert not cards(world)
    direct = await world.owner.ask("/games", channel=world.discord.dm(world.owner), card="post")
    assert "in a server's channel" in direct.content


async def test_a_server_has_one_card_at_a_time(world: World) -> None:
    card = await post_card(world)
    hall = world.discord.add_channel("hall")
    await world.owner.ask("/games", channel=hall, card="post")
    assert card.deleted
    (card,) = cards(world)
    assert card.channel is hall


async def test_a_missing_permission_is_told_at_once(world: World) -> None:
    world.discord.deny(world.channel, "send_messages")
    answer = await world.owner.ask("/games", card="post")
    assert "Send Messages" in answer.content and not cards(world)


async def test_many_changes_cause_few_edits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    interval = 0.5
    monkeypatch.setattr(status_card, "EDIT_INTERVAL_SECONDS", interval)
    room = await world.start_match()
    card = await post_card(world)

    def shown() -> int:
        """Count how often the card was sent or edited."""
        return len([one for one in world.discord.snapshots if one.data.get("id") == str(card.id)])

    clock = asyncio.get_running_loop().time
    before, start = shown(), clock()
    world.waits_for_all = False
    # An odd number of moves: after an even one the card could read as before, and be left alone.
    for person, move in ((world.ana, "17!"), (world.bea, "18!"), (world.ana, "19!")):
        await world.play(person, room, move)
    world.waits_for_all = True

    async def is_played() -> bool:
        return (await world.reload(room)).playing().number == 3

    await world.wait_until(is_played)
    await world.discord.until(lambda: shown() > before, about="an edit of the card")
    await world.wait_until_idle()
    after = shown()
    # One edit for each interval that has passed, however long the moves took.
    assert after - before <= 1 + (clock() - start) / interval
    # A choice that is not confirmed changes nothing that others may see.
    await world.play(world.bea, room, "20")
    await world.wait_until_idle()
    assert shown() == after


async def test_a_deleted_card_is_posted_again(world: World) -> None:
    room = await world.start_match()
    card = await post_card(world)
    world.discord.delete_message(card)
    await world.play(world.ana, room, "17!")
    assert "**Bea**'s turn" in await in_place(world, room)


async def test_a_card_too_old_to_edit_is_replaced(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_card, "EDIT_TIMEOUT_SECONDS", 0.2)
    room = await world.start_match()
    card = await post_card(world)
    world.discord.faults.respond_with(
        "PATCH", f"/channels/*/messages/{card.id}", 429, code=30046, retry_after=600
    )
    await world.play(world.ana, room, "17!")
    assert "**Bea**'s turn" in await in_place(world, room)
    assert card.deleted and len(cards(world)) == 1


async def test_it_survives_a_restart(world: World) -> None:
    room = await world.start_match()
    card = await post_card(world)
    await world.stop()
    card.content = "?"
    await world.start()
    await world.wait_until_ready()
    assert "**Ana**'s turn" in card.content and cards(world) == [card]
    await world.play(world.ana, room, "17!")
    assert "**Bea**'s turn" in await in_place(world, room) and cards(world) == [card]


async def test_a_card_that_was_posted_but_not_recorded_is_found(world: World) -> None:
    # The response to the post is lost, and with it the id of the message.
    room = await world.start_match()
    world.discord.faults.cut("POST", f"/channels/{world.channel.id}/messages", applied=True)
    assert "is posted" in (await world.owner.ask("/games", card="post")).content
    await world.play(world.ana, room, "17!")
    assert "**Bea**'s turn" in await in_place(world, room)


async def test_a_failure_that_passes_is_retried(world: World) -> None:
    room = await world.start_match()
    await post_card(world)
    world.discord.faults.respond_with(
        "PATCH", f"/channels/{world.channel.id}/messages/*", 400, times=2
    )
    await world.play(world.ana, room, "17!")
    assert "**Bea**'s turn" in await in_place(world, room)


async def test_the_owner_is_told_when_the_channel_is_lost(world: World) -> None:
    room = await world.start_match()
    hall = world.discord.add_channel("hall")
    await world.owner.ask("/games", channel=hall, card="post")
    world.discord.deny(hall, "view_channel")
    await world.play(world.ana, room, "17!")
    await world.wait_until_idle()
    (told,) = world.posts(world.discord.dm(world.owner))
    assert "can't be updated" in told.content and "View Channel" in told.content
    await world.play(world.bea, room, "18!")
    assert len(world.posts(world.discord.dm(world.owner))) == 1


async def test_hidden_players_and_hidden_channels_stay_hidden(world: World) -> None:
    room = await world.start_match()
    await post_card(world)
    assert "Ana" in await in_place(world, room)
    await world.ana.ask("/me settings", standing="hidden")
    line = await in_place(world, room)
    assert "Ana" not in line and "somebody" in line.lower() and "Bea" in line
    await world.bea.ask("/me settings", standing="hidden")
    await world.wait_until_idle()
    (card,) = cards(world)
    assert "No match is in play" in card.content
    # A match in a channel that not everybody can see is not shown elsewhere.
    hall = world.discord.add_channel("hall")
    await world.ana.ask("/me settings", standing="shown")
    assert "Bea" not in await in_place(world, room)
    await world.owner.ask("/games", channel=hall, card="post")
    assert "Ana" in await in_place(world, room)
    world.discord.deny(world.channel, "view_channel", to=world.cem)
    await world.play(world.ana, room, "17!")
    await world.wait_until_idle()
    assert "No match is in play" in cards(world)[0].content


async def test_only_the_process_that_serves_the_server_edits(world: World) -> None:
    room = await world.start_match()
    card = await post_card(world)
    service = world.bot.services.require(StatusCards)
    store = world.bot.kernel.store
    shard = (world.guild >> 22) % 2
    before = card.content
    store.own = Shards(1 - shard, 1 - shard, 2)
    service.refresh_all()
    await asyncio.sleep(0.1)
    assert card.content == before
    # The other process has written; its notification names the match.
    store.own = Shards(shard, shard, 2)
    card.content = "?"
    service._shown.clear()
    service.on_notification(room.record.id)
    await world.wait_until_idle()
    assert "**Ana**'s turn" in card.content
    store.own = Shards()


async def test_a_card_lists_the_most_urgent_and_counts_the_rest(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_card, "MAX_TABLES", 2)
    place = Place(world.guild, world.channel.id, wants_thread=False)
    quick = Terms(time=TimeTerms(pace=Pace.QUICK))
    ana, bea = (Person(one.id, one.name) for one in (world.ana, world.bea))
    for terms in (Terms(), quick, Terms()):
        lobby = await world.matches.open_lobby("maori", {}, place, ana, terms=terms)
        await world.matches.join(lobby.record.id, bea)
        await world.matches.start(lobby.record.id, ana)
    await world.wait_until_idle()
    card = await post_card(world)
    lines = [line for line in card.content.splitlines() if line.startswith("**Maori")]
    assert len(lines) == 2 and "1 more" in card.content and "3 matches in play" in card.content
    # The only one with a clock is the most urgent.
    assert ["due <t:" in line for line in lines] == [True, False]
    # It plays in the channel itself, so the link leads to its newest post.
    assert all(f"/{world.channel.id}/" in line for line in lines)


async def test_a_card_that_cannot_be_posted_is_forgotten(world: World) -> None:
    world.discord.faults.respond_with(
        "POST", f"/channels/{world.channel.id}/messages", 400, times=99
    )
    assert "couldn't post" in (await world.owner.ask("/games", card="post")).content
    world.discord.faults.clear()
    await world.start_match()
    assert not cards(world)
