"""The options that menus offer to a person, and how interactions describe those chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.local import objects
from bot.local.components import Kind
from bot.local.errors import Impossible, Json
from bot.local.model import Channel, Thread, User
from bot.local.state import State

USER, ROLE, CHANNEL = "user", "role", "channel"
"""The kinds of objects that an option of a menu can stand for."""


@dataclass(frozen=True)
class Option:
    """Something that can be chosen in a menu or a group of boxes."""

    value: str
    """What is sent: a text of the bot's, or the id of a person, role or channel."""
    label: str
    kind: str = ""
    """`USER`, `ROLE` or `CHANNEL`; empty for a text."""


def offered(state: State, viewer: User, place: Channel, part: Json) -> list[Option]:
    """Return what a person can choose in a menu or group that is shown in a channel."""
    kind = part["type"]
    if kind == Kind.CHANNEL_MENU:
        return _channels(state, viewer, place, part.get("channel_types"))
    if kind not in (Kind.USER_MENU, Kind.ROLE_MENU, Kind.MENTIONABLE_MENU):
        return [Option(option["value"], option["label"]) for option in part["options"]]
    found: list[Option] = []
    if kind != Kind.ROLE_MENU:
        found += [Option(str(user.id), user.name, USER) for user in _people(state, place)]
    if kind != Kind.USER_MENU and place.guild:
        roles = objects.roles(state, place.guild)
        found += [Option(role["id"], role["name"], ROLE) for role in roles]
    return found


def _people(state: State, place: Channel) -> list[User]:
    """Return the people of a server, or the two who share direct messages."""
    if place.recipient is not None:
        return [place.recipient, state.bot]
    return [user for user in state.users.values() if user.is_member]


def _channels(
    state: State, viewer: User, place: Channel, types: Sequence[int] | None
) -> list[Option]:
    """Return the channels and open threads of a server that a person sees."""
    found: list[Option] = []
    for channel in state.channels.values():
        if not channel.guild or channel.guild != place.guild:
            continue
        if not state.may(viewer, channel, "view_channel"):
            continue
        if types and channel.kind not in types:
            continue
        if not (isinstance(channel, Thread) and channel.archived):
            found.append(Option(str(channel.id), channel.name, CHANNEL))
    return found


def default_values(part: Json) -> list[str]:
    """Return what is chosen beforehand in a menu or group."""
    chosen = [option["value"] for option in part.get("options", ()) if option.get("default")]
    return chosen + [str(value["id"]) for value in part.get("default_values", ())]


def pick(title: str, options: list[Option], wanted: Any) -> list[Option]:
    """Return the options that are wanted, each given by its value or label, or by its object.

    `title` names the menu in the error.
    """
    if isinstance(wanted, str) or not isinstance(wanted, Sequence):
        wanted = [wanted]
    by_label = {option.label: option for option in options}
    by_value = {option.value: option for option in options}
    picked: list[Option] = []
    for one in wanted:
        # People and channels have ids.
        key = str(getattr(one, "id", one))
        option = by_value.get(key) or by_label.get(key)
        if option is None or option in picked:
            raise Impossible("not_listed", option=title, value=str(one))
        picked.append(option)
    return picked


def check_count(count: int, low: int, high: int) -> None:
    """Refuse to choose fewer or more options than a menu or group asks for."""
    if not low <= count <= high:
        raise Impossible("number_chosen", low=low, high=high)


def resolve(state: State, viewer: User, place: Channel, picked: Sequence[Option]) -> Json:
    """Return the objects of the people, roles and channels that were chosen."""
    found: dict[str, Json] = {}
    for option in picked:
        key = int(option.value) if option.kind else 0
        if option.kind == USER:
            user = state.users[key]
            found.setdefault("users", {})[option.value] = objects.user(user)
            if place.guild:
                member = objects.member(state, user)
                # Discord leaves these out, since the user is beside the member.
                for field in ("user", "deaf", "mute"):
                    del member[field]
                granted = str(state.permissions(user, place))
                found.setdefault("members", {})[option.value] = {**member, "permissions": granted}
        elif option.kind == ROLE:
            roles = {role["id"]: role for role in objects.roles(state, place.guild)}
            found.setdefault("roles", {})[option.value] = roles[option.value]
        elif option.kind == CHANNEL:
            channel = state.channels[key]
            found.setdefault("channels", {})[option.value] = {
                **objects.channel(state, channel),
                "permissions": str(state.permissions(viewer, channel)),
                "app_permissions": str(state.permissions(state.bot, channel)),
            }
    return found
