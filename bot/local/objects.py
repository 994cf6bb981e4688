"""Discord's JSON objects, made from the state for REST responses and gateway events."""

import copy
from datetime import UTC, datetime

from bot.local import components, permissions
from bot.local.errors import Json
from bot.local.model import DM, Attachment, Channel, Message, Thread, User
from bot.local.state import State

FILE_LIMIT = 10 * 1024 * 1024
"""Largest file in bytes that Discord accepts without a boost or a subscription."""
REQUEST_LIMIT = 25 * 1024 * 1024
"""How many bytes all files of a request may have together."""
MEDIA_LOADED = 2
"""The `loading_state` of media that Discord could load."""


def timestamp(moment: float) -> str:
    """Return a time in ISO 8601, as Discord writes it."""
    return datetime.fromtimestamp(moment, UTC).isoformat()


def user(person: User) -> Json:
    """Return a user object."""
    return {
        "id": str(person.id),
        "username": person.username,
        "global_name": None if person.bot else person.name,
        "discriminator": "0000" if person.bot else "0",
        "avatar": None,
        "bot": person.bot,
        "public_flags": 0,
    }


def own_user(state: State) -> Json:
    """Return the bot's own user object, which has a few more fields."""
    return {
        **user(state.bot),
        "verified": True,
        "mfa_enabled": False,
        "email": None,
        "flags": 0,
        "locale": "en-US",
    }


def member(state: State, person: User) -> Json:
    """Return a member object with its user inside."""
    return {
        "user": user(person),
        "nick": person.name if person.bot else None,
        # Ids of roles, not role objects: discord.py dies of an event that it cannot parse.
        "roles": [str(state.bot_role)] if person.bot else [str(role) for role in person.roles],
        "joined_at": timestamp(state.clock.now()),
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "avatar": None,
        "communication_disabled_until": None,
    }


def application(state: State) -> Json:
    """Return the bot's application object."""
    return {
        "id": str(state.application),
        "name": state.bot.name,
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "owner": user(state.owner),
        "flags": 0,
        "team": None,
        "tags": [],
        "approximate_guild_count": len(state.guilds),
    }


def guild(state: State, guild_id: int) -> Json:
    """Return a server as GUILD_CREATE describes it."""
    threads = [one for one in state.threads() if one.guild == guild_id]
    return {
        **_GUILD_DEFAULTS,
        **guild_language(state),
        "id": str(guild_id),
        "name": state.guild_name,
        "owner_id": str(state.owner.id),
        "unavailable": False,
        "member_count": len(state.users),
        "joined_at": timestamp(state.clock.now()),
        "roles": roles(state, guild_id),
        # Discord lists channels that the bot cannot see as well, but not such threads.
        "channels": [
            channel(state, place) for place in state.text_channels if place.guild == guild_id
        ],
        "threads": [
            thread(state, one) for one in threads if state.may(state.bot, one, "view_channel")
        ],
        "members": [member(state, state.bot)],
    }


def guild_language(state: State) -> Json:
    """The server's language: 'en-US' unless it is a Community server, which alone can choose."""
    if not state.guild_locale:
        return {"preferred_locale": "en-US", "features": []}
    return {"preferred_locale": state.guild_locale, "features": ["COMMUNITY"]}


_GUILD_DEFAULTS: Json = {
    "large": False,
    "icon": None,
    "emojis": [],
    "stickers": [],
    "verification_level": 0,
    "default_message_notifications": 1,
    "explicit_content_filter": 0,
    "mfa_level": 0,
    "nsfw_level": 0,
    "premium_tier": 0,
    "system_channel_flags": 0,
    "afk_timeout": 300,
    "presences": [],
    "voice_states": [],
    "stage_instances": [],
    "guild_scheduled_events": [],
    "soundboard_sounds": [],
}
"""The fields of a small server without special features."""


def roles(state: State, guild_id: int) -> list[Json]:
    """Return the objects of a server's roles."""
    found = [
        _role(guild_id, "@everyone", 0, {}),
        _role(state.bot_role, state.bot.name, 1, {"tags": {"bot_id": str(state.bot.id)}}),
    ]
    if guild_id == state.guild:
        found += [role(state, added) for added in state.roles]
    return found


def role(state: State, role_id: int) -> Json:
    """Return the object of a role that was added to the server."""
    return _role(role_id, state.roles[role_id], 2, {})


def _role(role_id: int, name: str, position: int, more: Json) -> Json:
    return {
        "id": str(role_id),
        "name": name,
        "permissions": str(permissions.EVERY),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": bool(more),
        "mentionable": False,
        "flags": 0,
        **more,
    }


def channel(state: State, place: Channel) -> Json:
    """Return a channel object of any type."""
    if isinstance(place, Thread):
        return thread(state, place)
    last = None if place.last_message is None else str(place.last_message)
    if place.recipient is not None:
        return {
            "id": str(place.id),
            "type": DM,
            "last_message_id": last,
            "recipients": [user(place.recipient)],
        }
    return {
        "id": str(place.id),
        "guild_id": str(place.guild),
        "type": place.kind,
        "name": place.name,
        "position": place.position,
        "topic": None,
        "nsfw": False,
        "parent_id": None,
        "rate_limit_per_user": 0,
        "flags": 0,
        "last_message_id": last,
        "permission_overwrites": [
            {"id": str(person), "type": 1, "allow": str(allow), "deny": str(deny)}
            for person, (allow, deny) in place.overwrites.items()
        ],
    }


def thread(state: State, place: Thread) -> Json:
    """Return a thread object."""
    when = timestamp(place.archived_at or state.clock.now())
    return {
        "id": str(place.id),
        "guild_id": str(place.guild),
        "parent_id": str(place.parent),
        "owner_id": str(place.owner),
        "type": place.kind,
        "name": place.name,
        "message_count": 0,
        "member_count": 1,
        "rate_limit_per_user": 0,
        "flags": 0,
        "last_message_id": None if place.last_message is None else str(place.last_message),
        "thread_metadata": {
            "archived": place.archived,
            "locked": place.locked,
            "auto_archive_duration": place.archive_after,
            "archive_timestamp": when,
            "create_timestamp": when,
        },
    }


def attachment(file: Attachment) -> Json:
    """Return an attachment object."""
    found: Json = {
        "id": str(file.id),
        "filename": file.filename,
        "size": len(file.data),
        "url": file.url,
        "proxy_url": file.url,
    }
    for key in ("description", "content_type", "width", "height"):
        value = getattr(file, key)
        if value is not None:
            found[key] = value
    return found


def resolve_components(post: Message) -> list[Json]:
    """Return a message's components with the addresses and sizes of the media in them."""
    found = copy.deepcopy(post.components)
    by_name = {f"{components.ATTACHMENT_SCHEME}{file.filename}": file for file in post.attachments}
    for part in components.walk(found):
        for item in components.media(part):
            file = by_name.get(item["url"])
            item.update(_resolve_media(item["url"], file))
            if file is not None and part["type"] == components.Kind.FILE:
                part |= {"name": file.filename, "size": len(file.data)}
    return found


def _resolve_media(url: str, file: Attachment | None) -> Json:
    """Return what Discord adds to the address of a media item."""
    if file is None:
        return {"proxy_url": url, "loading_state": MEDIA_LOADED}
    return {
        "url": file.url,
        "proxy_url": file.url,
        "width": file.width,
        "height": file.height,
        "content_type": file.content_type,
        "attachment_id": str(file.id),
        "loading_state": MEDIA_LOADED,
    }


def message(state: State, post: Message) -> Json:
    """Return a message object."""
    found: Json = {
        "id": str(post.id),
        "channel_id": str(post.channel.id),
        "author": user(post.author),
        "content": "" if post.is_layout else post.content,
        "timestamp": timestamp(post.created),
        "edited_timestamp": None if post.edited is None else timestamp(post.edited),
        "tts": False,
        "mention_everyone": False,
        "mentions": [user(person) for person in post.mentions],
        "mention_roles": [],
        "attachments": [attachment(file) for file in post.attachments],
        "embeds": copy.deepcopy(post.embeds),
        "components": resolve_components(post),
        "pinned": False,
        "type": post.kind,
        "flags": post.flags,
    }
    # Fields that do not apply are left out: discord.py fails on a null where it expects none.
    if post.nonce is not None:
        found["nonce"] = post.nonce
    if post.interaction is not None:
        # The webhook that posts responses to interactions has the application's id.
        found |= {"webhook_id": str(state.application), "application_id": str(state.application)}
        found["interaction_metadata"] = copy.deepcopy(post.interaction)
    if post.reference is not None:
        found["message_reference"] = dict(post.reference)
    if post.thread is not None and not post.thread.gone:
        found["thread"] = thread(state, post.thread)
    return found
