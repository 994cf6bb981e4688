"""What a player's page is shown: Discord's own objects, their texts read and what is not plain in them worked out."""

import json
from collections import Counter
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from bot.local import wire
from bot.local.markdown import Reader
from bot.local.model import DM, LOADING, SELECTS, TEXT, Channel, Message, Thread, User, walk
from bot.local.refusal import Json
from bot.local.rules.component import TEXT_DISPLAY
from bot.local.state import State

THREAD_CREATED = 18
"""The type of the message that a thread leaves in its channel: its content is the thread's name."""


def user(state: State, person: User) -> Json:
    """Somebody with a name and a colour."""
    # Steps of the golden angle keep the colours apart.
    hue = 250 + 137.5 * list(state.users).index(person.id)
    return {**wire.user(person), "name": person.name, "hue": hue % 360}


def reader(state: State, viewer: User) -> Reader:
    """Reads texts for a player."""

    def person(number: int) -> str | None:
        return state.users[number].name if number in state.users else None

    def channel(number: int) -> str | None:
        found = state.channels.get(number)
        return found.name if found is not None and state.may(viewer, found, "view_channel") else None

    return Reader(viewer.id, state.guild, person, channel)


def message(state: State, post: Message, viewer: User) -> Json:
    """A message that a player sees."""
    found = wire.message(state, post)
    read = reader(state, viewer)
    found["author"] = user(state, post.author)
    found["private"], found["thinking"] = post.ephemeral, bool(post.flags & LOADING)
    found["calls"] = viewer in post.mentions
    found["content"] = [post.content] if post.kind == THREAD_CREATED else read.blocks(post.content)
    for media, alt in _media(found):
        media.setdefault("description", alt)
        _locate(state, media)
    found["files"] = _unseen_files(found)
    for embed in found["embeds"]:
        _read_embed(read, embed)
    _read_components(state, read, found["components"])
    used = found.get("interaction_metadata", {})
    if "name" in used:
        found["used"] = {"name": used["name"], "user": user(state, state.users[int(used["user"]["id"])])}
    return found


def modal(state: State, opened: Json, viewer: User) -> Json:
    """A form that a player has to fill in."""
    found: Json = json.loads(json.dumps(opened))
    _read_components(state, reader(state, viewer), found["components"])
    return found


def _unseen_files(found: Json) -> list[Json]:
    """The files that no embed and no layout shows."""
    elsewhere = json.dumps([found["embeds"], found["components"]])
    return [file for file in found["attachments"] if json.dumps(file["url"]) not in elsewhere]


def _media(found: Json) -> Iterator[tuple[Json, str]]:
    """Every picture and file, and its alt text."""
    yield from ((file, file.get("description") or "") for file in found["attachments"])
    for embed in found["embeds"]:
        yield from ((embed[key], embed.get("title") or "") for key in ("image", "thumbnail") if key in embed)
    for part in walk(found["components"]):
        for holder in (part, *part.get("items", [])):
            yield from ((holder[key], holder.get("description") or "") for key in ("media", "file") if key in holder)


def _locate(state: State, media: Json) -> None:
    """Where a file is at this server; the page may have come by another name of this machine."""
    here = f"{state.url}/attachments/"
    if media["url"].startswith(here):
        path = media["src"] = media["url"].removeprefix(state.url)
        media.setdefault("filename", unquote(urlsplit(path).path.rpartition("/")[2]))


def _read_embed(read: Reader, embed: Json) -> None:
    if embed.get("title"):
        embed["title"] = read.inline(embed["title"])
    if embed.get("description"):
        embed["description"] = read.blocks(embed["description"])
    for field in embed.get("fields", []):
        field["name"], field["value"] = read.inline(field["name"]), read.blocks(field["value"])


def _read_components(state: State, read: Reader, components: list[Json]) -> None:
    for part in walk(components):
        if part["type"] == TEXT_DISPLAY:
            part["content"] = read.blocks(part["content"])
        elif part["type"] in SELECTS and "options" not in part:
            part["options"] = [{"label": person.name, "value": str(person.id)} for person in state.people]


# Places


def places(state: State, viewer: User, opened: int | None) -> list[Json]:
    """The list of channels as a player has it: threads that are archived are in it while they are open or unread."""
    calls = _calls(state, viewer)
    told = [_place(state, viewer, channel, calls[channel.id]) for channel in _in_order(state, viewer)]
    return [place for place in told if not place["archived"] or place["unread"] or place["id"] == str(opened)]


def _in_order(state: State, viewer: User) -> Iterator[Channel]:
    """Text channels, each with its threads below it, those of late first; then private ones."""
    seen = [channel for channel in state.channels.values() if state.may(viewer, channel, "view_channel")]
    threads = [channel for channel in seen if isinstance(channel, Thread)]
    threads.sort(key=lambda thread: (thread.archived, -(thread.last_message or thread.id)))
    for top in sorted((one for one in seen if one.kind == TEXT), key=lambda channel: channel.position):
        yield top
        yield from (thread for thread in threads if thread.parent == top.id)
    yield from (channel for channel in seen if channel.kind == DM)


def _calls(state: State, viewer: User) -> Counter[int]:
    """How often somebody was called since, by channel."""
    pings = (post for post in state.messages.values() if viewer in post.pings and not post.ephemeral)
    return Counter(post.channel.id for post in pings if post.id > state.last_seen(viewer, post.channel))


def _place(state: State, viewer: User, channel: Channel, calls: int) -> Json:
    thread = channel if isinstance(channel, Thread) else None
    return {
        "id": str(channel.id),
        "name": f"{state.bot.name} (private)" if channel.kind == DM else channel.name,
        "kind": "thread" if thread else "private" if channel.kind == DM else "text",
        "parent": str(thread.parent) if thread else None,
        "archived": thread is not None and thread.archived,
        "unread": (channel.last_message or 0) > state.last_seen(viewer, channel),
        "calls": calls,
    }
