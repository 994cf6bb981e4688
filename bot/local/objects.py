"""The state as Discord's JSON objects, as REST and the gateway give them."""

import copy
from datetime import UTC, datetime

from bot.local import permissions
from bot.local.errors import Json
from bot.local.model import DM, Attachment, Channel, Message, Thread, User
from bot.local.state import State

FILE_LIMIT = 10 * 1024 * 1024
"""Bytes that one file may have."""


def timestamp(moment: float) -> str:
    """A time as Discord writes it."""
    return datetime.fromtimestamp(moment, UTC).isoformat()


def user(person: User) -> Json:
    """A user object."""
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
    """The bot's own user, which is told more of itself."""
    return {
        **user(state.bot),
        "verified": True,
        "mfa_enabled": False,
        "email": None,
        "flags": 0,
        "locale": "en-US",
    }


def member(state: State, person: User) -> Json:
    """A member object with its user inside."""
    return {
        "user": user(person),
        "nick": person.name if person.bot else None,
        # Ids: role objects here would end the bot's process, as whatever it cannot parse does.
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
    """The bot's application."""
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
    """A server as GUILD_CREATE tells it; a bot is told of channels that it cannot see, too."""
    threads = [one for one in state.threads() if one.guild == guild_id]
    return {
        **_PLAIN_GUILD,
        "id": str(guild_id),
        "name": state.guild_name,
        "owner_id": str(state.owner.id),
        "unavailable": False,
        "member_count": len(state.users),
        "joined_at": timestamp(state.clock.now()),
        "roles": [
            _role(guild_id, "@everyone", 0, {}),
            _role(state.bot_role, state.bot.name, 1, {"tags": {"bot_id": str(state.bot.id)}}),
            *(role(state, added) for added in state.roles if guild_id == state.guild),
        ],
        "channels": [
            channel(state, place) for place in state.text_channels if place.guild == guild_id
        ],
        "threads": [
            thread(state, one) for one in threads if state.may(state.bot, one, "view_channel")
        ],
        "members": [member(state, state.bot)],
    }


_PLAIN_GUILD: Json = {
    "large": False,
    "icon": None,
    "features": [],
    "emojis": [],
    "stickers": [],
    "preferred_locale": "en-US",
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
"""What a small plain server is like."""


def role(state: State, role_id: int) -> Json:
    """A role that was added to the server."""
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
    """A channel object of any type."""
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
    """A thread object."""
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
    """An attachment object."""
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


def message(state: State, post: Message) -> Json:
    """A message object.

    Keys that do not apply are left out: discord.py chokes on a null where it expects none.
    """
    found: Json = {
        "id": str(post.id),
        "channel_id": str(post.channel.id),
        "author": user(post.author),
        "content": post.content,
        "timestamp": timestamp(post.created),
        "edited_timestamp": None if post.edited is None else timestamp(post.edited),
        "tts": False,
        "mention_everyone": False,
        "mentions": [user(person) for person in post.mentions],
        "mention_roles": [],
        "attachments": [attachment(file) for file in post.attachments],
        "embeds": copy.deepcopy(post.embeds),
        "components": copy.deepcopy(post.components),
        "pinned": False,
        "type": post.kind,
        "flags": post.flags,
    }
    if post.nonce is not None:
        found["nonce"] = post.nonce
    if post.interaction is not None:
        # Answers to interactions go through a webhook that the application is.
        found |= {"webhook_id": str(state.application), "application_id": str(state.application)}
        found["interaction_metadata"] = copy.deepcopy(post.interaction)
    if post.reference is not None:
        found["message_reference"] = dict(post.reference)
    if post.thread is not None and not post.thread.gone:
        found["thread"] = thread(state, post.thread)
    return found
