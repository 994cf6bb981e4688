"""The data that a player's page receives: Discord's objects with their markdown parsed.

Derived data, such as unread counts, is computed here rather than in JavaScript.
"""

import copy
from collections import Counter
from collections.abc import Iterator

from bot.local import choosing, components, objects
from bot.local.components import ENTITY_MENUS, Kind
from bot.local.errors import Json
from bot.local.markdown import MarkdownParser
from bot.local.model import DM, LOADING, TEXT, THREAD_CREATED, Channel, Message, Thread, User
from bot.local.state import State

FIRST_HUE = 250
"""The hue of the first user's avatar, in degrees of the colour wheel."""
GOLDEN_ANGLE = 137.5
"""The difference in hue between two users who joined one after the other, in degrees."""
SIGNS = {choosing.USER: "", choosing.ROLE: "@", choosing.CHANNEL: "#"}
"""What precedes the names of people, roles and channels in menus."""


def user(state: State, person: User) -> Json:
    """Return a user's name and the hue of their avatar."""
    # Steps of the golden angle keep the colours of any number of users well apart.
    hue = FIRST_HUE + GOLDEN_ANGLE * list(state.users).index(person.id)
    return {"id": str(person.id), "name": person.name, "bot": person.bot, "hue": hue % 360}


def _parser(state: State, viewer: User) -> MarkdownParser:
    """Return a parser for the texts that a player sees."""

    def user_name(user_id: int) -> str | None:
        return state.users[user_id].name if user_id in state.users else None

    def channel_name(channel_id: int) -> str | None:
        channel = state.channels.get(channel_id)
        if channel is None or not state.may(viewer, channel, "view_channel"):
            return None
        return channel.name

    return MarkdownParser(viewer.id, state.guild, user_name, channel_name)


def message(state: State, post: Message, viewer: User) -> Json:
    """Return a message as a player sees it."""

    found = objects.message(state, post)
    markdown = _parser(state, viewer)
    found["author"] = user(state, post.author)
    found["private"] = post.ephemeral
    found["thinking"] = bool(post.flags & LOADING)
    found["calls"] = viewer in post.mentions
    found["layout"] = post.is_layout
    if post.kind == THREAD_CREATED:
        # The content is the thread's name, which is not markdown.
        found["content"] = [post.content]
    else:
        found["content"] = markdown.parse_blocks(found["content"])
    for file in found["attachments"]:
        file["src"] = _local_address(state, file["url"])
    for embed in found["embeds"]:
        if embed.get("title"):
            embed["title"] = markdown.parse_inline(embed["title"])
        if embed.get("description"):
            embed["description"] = markdown.parse_blocks(embed["description"])
        for field in embed.get("fields", []):
            field["name"] = markdown.parse_inline(field["name"])
            field["value"] = markdown.parse_blocks(field["value"])
    sizes = {str(file.id): len(file.data) for file in post.attachments}
    for part in components.walk(found["components"]):
        _prepare_component(state, part, viewer, post.channel, markdown)
        for item in components.media(part):
            item["src"] = _local_address(state, item["url"])
            item["size"] = sizes.get(item.get("attachment_id", ""))
    command = found.get("interaction_metadata", {})
    if "name" in command:
        used_by = state.users[int(command["user"]["id"])]
        found["used"] = {"name": command["name"], "user": user(state, used_by)}
    return found


def _local_address(state: State, url: str) -> str:
    """Return the address of a file for the page, which may be open as localhost or 127.0.0.1."""
    return url.removeprefix(state.url)


def _prepare_component(
    state: State, part: Json, viewer: User, place: Channel, markdown: MarkdownParser
) -> None:
    """Parse the text of a component, and list the people and channels that it offers."""
    if part["type"] == Kind.TEXT:
        part["content"] = markdown.parse_blocks(part["content"])
    elif part["type"] in ENTITY_MENUS:
        part["options"] = options(state, part, viewer, place)


def options(state: State, menu: Json, viewer: User, place: Channel) -> list[Json]:
    """Return the options of a menu of people, roles or channels, as those of any other menu."""
    chosen = choosing.default_values(menu)
    found = []
    for option in choosing.offered(state, viewer, place, menu):
        sign = SIGNS[option.kind]
        # The role @everyone has its sign in its name.
        label = option.label if option.label.startswith(sign) else f"{sign}{option.label}"
        is_chosen = option.value in chosen
        found.append({"value": option.value, "label": label, "default": is_chosen})
    return found


def form(state: State, data: Json, viewer: User, place: Channel) -> Json:
    """Return a form as a player sees it."""
    found = copy.deepcopy(data)
    markdown = _parser(state, viewer)
    for part in components.walk(found["components"]):
        _prepare_component(state, part, viewer, place, markdown)
    return found


def places(state: State, viewer: User, opened: int | None) -> list[Json]:
    """Return a player's list of channels and threads, with unread messages and mentions.

    `opened` is the one that the page shows.
    """
    unread_pings: Counter[int] = Counter()
    for post in state.messages.values():
        if viewer not in post.pings or post.ephemeral:
            continue
        if post.id > state.last_read(viewer, post.channel):
            unread_pings[post.channel.id] += 1
    found = []
    for channel in _list_channels(state, viewer):
        is_unread = (channel.last_message or 0) > state.last_read(viewer, channel)
        place = {
            "id": str(channel.id),
            "name": channel.name,
            "kind": "text",
            "parent": None,
            "archived": False,
            "unread": is_unread,
            "calls": unread_pings[channel.id],
        }
        if isinstance(channel, Thread):
            # Archived threads disappear from the list, as on Discord.
            if channel.archived and not is_unread and channel.id != opened:
                continue
            place["kind"] = "thread"
            place["parent"] = str(channel.parent)
            place["archived"] = channel.archived
        elif channel.kind == DM:
            place["kind"] = "private"
            place["name"] = state.bot.name
        found.append(place)
    return found


def _list_channels(state: State, viewer: User) -> Iterator[Channel]:
    """Yield each text channel and below it its threads, latest first; then direct messages."""
    channels = state.channels.values()
    visible = [channel for channel in channels if state.may(viewer, channel, "view_channel")]
    threads = [channel for channel in visible if isinstance(channel, Thread)]
    threads.sort(key=lambda thread: (thread.archived, -(thread.last_message or thread.id)))
    text_channels = [channel for channel in visible if channel.kind == TEXT]
    for parent in sorted(text_channels, key=lambda channel: channel.position):
        yield parent
        yield from (thread for thread in threads if thread.parent == parent.id)
    yield from (channel for channel in visible if channel.kind == DM)
