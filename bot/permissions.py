"""What the bot asks for, and nothing more."""

import discord

from bot.components.items import Asked
from bot.errors import Refused
from bot.text import listed, say

NEEDED = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "embed_links",
    "attach_files",
    "read_message_history",
)
PERMISSIONS = discord.Permissions(**dict.fromkeys(NEEDED, True))
"""All the permissions of the invitation link."""


def invitation(application: int) -> str:
    """The link that invites the bot with exactly these permissions."""
    return discord.utils.oauth_url(application, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


def missing(permissions: discord.Permissions, in_thread: bool, wants_thread: bool) -> list[str]:
    """The names of what the bot lacks to play where those permissions hold."""
    needed = ["view_channel", "embed_links", "attach_files", "read_message_history"]
    needed.append("send_messages_in_threads" if in_thread else "send_messages")
    if wants_thread:
        needed += ["create_public_threads", "send_messages_in_threads"]
    return [say(f"permission.{key}") for key in NEEDED if key in needed and not getattr(permissions, key)]


def check_can_post(interaction: Asked, wants_thread: bool) -> None:
    """Refuse at once where posts would fail later, naming what is missing."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    lacking = missing(interaction.app_permissions, in_thread, wants_thread)
    if lacking:
        raise Refused(say("refusal.permissions", number=len(lacking), permissions=listed(lacking)))
