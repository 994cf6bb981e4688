"""What a player's page is told: Discord's own objects, their texts read and what is not plain in
them worked out.
"""

from collections import Counter
from collections.abc import Iterator

from bot.local import objects
from bot.local.errors import Json
from bot.local.markdown import Reader
from bot.local.model import DM, LOADING, TEXT, THREAD_CREATED, Channel, Message, Thread, User
from bot.local.state import State


def user(state: State, person: User) -> Json:
    """Somebody with a name and a colour."""
    # Steps of the golden angle keep the colours apart.
    hue = 250 + 137.5 * list(state.users).index(person.id)
    return {"id": str(person.id), "name": person.name, "bot": person.bot, "hue": hue % 360}


def message(state: State, post: Message, viewer: User) -> Json:
    """A message that a player sees."""

    def name_of_person(number: int) -> str | None:
        return state.users[number].name if number in state.users else None

    def name_of_channel(number: int) -> str | None:
        found = state.channels.get(number)
        return (
            found.name if found is not None and state.may(viewer, found, "view_channel") else None
        )

    read = Reader(viewer.id, state.guild, name_of_person, name_of_channel)
    found = objects.message(state, post)
    found["author"] = user(state, post.author)
    found["private"] = post.ephemeral
    found["thinking"] = bool(post.flags & LOADING)
    found["calls"] = viewer in post.mentions
    found["content"] = [post.content] if post.kind == THREAD_CREATED else read.blocks(post.content)
    for file in found["attachments"]:
        # The page may have come by another name of this machine.
        file["src"] = file["url"].removeprefix(state.url)
    for embed in found["embeds"]:
        if embed.get("title"):
            embed["title"] = read.inline(embed["title"])
        if embed.get("description"):
            embed["description"] = read.blocks(embed["description"])
        for field in embed.get("fields", []):
            field["name"], field["value"] = read.inline(field["name"]), read.blocks(field["value"])
    used = found.get("interaction_metadata", {})
    if "name" in used:
        found["used"] = {
            "name": used["name"],
            "user": user(state, state.users[int(used["user"]["id"])]),
        }
    return found


def places(state: State, viewer: User, opened: int | None) -> list[Json]:
    """The list of channels as a player has it: threads that are archived are in it while they
    are open or unread.
    """
    calls: Counter[int] = Counter()
    for post in state.messages.values():
        if (
            viewer in post.pings
            and not post.ephemeral
            and post.id > state.last_seen(viewer, post.channel)
        ):
            calls[post.channel.id] += 1
    found = []
    for channel in _in_order(state, viewer):
        thread = channel if isinstance(channel, Thread) else None
        is_unread = (channel.last_message or 0) > state.last_seen(viewer, channel)
        if thread and thread.archived and not is_unread and thread.id != opened:
            continue
        place = {
            "id": str(channel.id),
            "name": state.bot.name if channel.kind == DM else channel.name,
            "kind": "thread" if thread else "private" if channel.kind == DM else "text",
            "parent": str(thread.parent) if thread else None,
            "archived": thread is not None and thread.archived,
            "unread": is_unread,
            "calls": calls[channel.id],
        }
        found.append(place)
    return found


def _in_order(state: State, viewer: User) -> Iterator[Channel]:
    """Text channels, each with its threads below it, those of late first; then private ones."""
    seen = [
        channel for channel in state.channels.values() if state.may(viewer, channel, "view_channel")
    ]
    threads = [channel for channel in seen if isinstance(channel, Thread)]
    threads.sort(key=lambda thread: (thread.archived, -(thread.last_message or thread.id)))
    for top in sorted(
        (one for one in seen if one.kind == TEXT), key=lambda channel: channel.position
    ):
        yield top
        yield from (thread for thread in threads if thread.parent == top.id)
    yield from (channel for channel in seen if channel.kind == DM)
