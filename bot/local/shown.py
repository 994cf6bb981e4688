"""What a player's page is shown: Discord's own objects, their texts read and what is not plain in them worked out."""

import json

from bot.local import wire
from bot.local.markdown import Reader
from bot.local.model import SELECTS, Message, User, walk
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
    found["pings"] = [str(person.id) for person in post.pings]
    found["calls"] = viewer in post.mentions
    found["content"] = [post.content] if post.kind == THREAD_CREATED else read.blocks(post.content)
    found["files"] = _unseen_files(found)
    for embed in found["embeds"]:
        _read_embed(read, embed)
    _read_components(state, read, found["components"])
    if "interaction_metadata" in found:
        used_by = state.users[int(found["interaction_metadata"]["user"]["id"])]
        found["interaction_metadata"]["user"] = user(state, used_by)
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


def _read_embed(read: Reader, embed: Json) -> None:
    title = embed.get("title")
    for picture in (embed[key] for key in ("image", "thumbnail") if key in embed):
        picture.setdefault("description", title)
    if title:
        embed["title"] = read.inline(title)
    if "description" in embed:
        embed["description"] = read.blocks(embed["description"])
    for field in embed.get("fields", []):
        field["name"], field["value"] = read.inline(field["name"]), read.blocks(field["value"])


def _read_components(state: State, read: Reader, components: list[Json]) -> None:
    for part in walk(components):
        if part["type"] == TEXT_DISPLAY:
            part["content"] = read.blocks(part["content"])
        elif part["type"] in SELECTS and "options" not in part:
            part["options"] = [{"label": person.name, "value": str(person.id)} for person in state.people]
