"""People at the local Discord, for tests: they type commands, click, choose, submit, and see what Discord shows them.

    async with LocalDiscord() as discord:
        …start the bot with discord.url and discord.token…
        await discord.ready()
        ana, bob = discord.user("Ana"), discord.user("Bob")
        lobby = await ana.slash("/game new", game="blue_lagoon")
        await bob.click(lobby.message, label="Join")
        choices = (await ana.autocomplete("/play", move="g", focused="move")).choices
        panel = await ana.click(await discord.message("Ana's turn"), label="Your move")
        assert panel.ephemeral and panel.message not in bob.messages()
        await ana.choose(panel.message, "Where to?", ["c4"])

Each of them waits for the bot's answer and returns a `Response`. What a client of Discord would not let a person do
(an option missing, a disabled button, somebody else's private message) raises `Impossible`.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bot.local import interactions, slash
from bot.local.interactions import Interaction
from bot.local.model import BUTTON, SELECTS, STRING_SELECT, TEXT_INPUT, Channel, Message, User, mentioned, walk
from bot.local.refusal import Json
from bot.local.response import Response, Sight, Wait
from bot.local.slash import Impossible

if TYPE_CHECKING:
    from bot.local.server import LocalDiscord


class Person:
    """A named person in the server."""

    def __init__(self, discord: "LocalDiscord", user: User) -> None:
        self.discord = discord
        self.user = user

    def __repr__(self) -> str:
        return f"<Person {self.name}>"

    @property
    def name(self) -> str:
        """The name that the server shows."""
        return self.user.name

    @property
    def id(self) -> int:
        """The user id."""
        return self.user.id

    @property
    def mention(self) -> str:
        """How a message calls this person."""
        return f"<@{self.user.id}>"

    # Acting

    async def slash(
        self,
        command: str,
        /,
        *,
        channel: Channel | None = None,
        wait: Wait = "answer",
        options: dict[str, Any] | None = None,
        **values: Any,
    ) -> Response:
        """Type a slash command, e.g. `slash("/game new", game="blue_lagoon")`; `options` for names used up here."""
        place = self._place(channel)
        given = {**(options or {}), **values}
        data = slash.invoke(self.discord.state, command, given, in_dm=place.recipient is not None)
        return await self._do(interactions.COMMAND, place, data, wait=wait)

    async def autocomplete(
        self,
        command: str,
        /,
        *,
        focused: str | None = None,
        channel: Channel | None = None,
        wait: Wait = "answer",
        options: dict[str, Any] | None = None,
        **values: Any,
    ) -> Response:
        """Type into an option, the last one named unless said otherwise, and see what is offered."""
        place = self._place(channel)
        given = {**(options or {}), **values}
        focus = focused or list(given)[-1]
        data = slash.invoke(self.discord.state, command, given, focused=focus, in_dm=place.recipient is not None)
        return await self._do(interactions.AUTOCOMPLETE, place, data, wait=wait)

    async def click(
        self,
        message: Message | Response,
        label: str | None = None,
        *,
        custom_id: str | None = None,
        forged: bool = False,
        wait: Wait = "answer",
    ) -> Response:
        """Press a button. `forged`: send a custom id that need not be there, as a changed client could."""
        post = self._seen(message)
        if not forged:
            button = post.button(label, custom_id)
            if button.get("disabled") or "custom_id" not in button:
                raise Impossible(f"{button.get('label')!r} cannot be pressed")
            custom_id = button["custom_id"]
        data = {"custom_id": custom_id, "component_type": BUTTON}
        return await self._do(interactions.COMPONENT, post.channel, data, message=post, wait=wait)

    async def choose(
        self,
        message: Message | Response,
        which: str | None,
        values: "str | Person | Sequence[str | Person]",
        *,
        forged: bool = False,
        wait: Wait = "answer",
    ) -> Response:
        """Choose in the menu with this custom id or placeholder; options by value or label."""
        post = self._seen(message)
        picked = [values] if isinstance(values, str | Person) else list(values)
        if forged:
            data: Json = {"custom_id": which, "component_type": STRING_SELECT, "values": picked}
        else:
            menu = post.select(which)
            if menu.get("disabled"):
                raise Impossible(f"the menu {which!r} is disabled")
            data = self._chosen(menu, picked)
        return await self._do(interactions.COMPONENT, post.channel, data, message=post, wait=wait)

    async def submit(self, opened: Response, fields: dict[str, Any], *, wait: Wait = "answer") -> Response:
        """Fill in a modal that opened, by label or custom id, and send it."""
        modal = opened.modal
        left = dict(fields)
        components = [self._filled(part, left) for part in modal["components"]]
        if left:
            raise Impossible(f"no such field: {', '.join(left)}")
        data = {"custom_id": modal["custom_id"], "components": components}
        origin = opened.interaction
        place, message = origin.channel, origin.message
        return await self._do(interactions.SUBMIT, place, data, message=message, origin=origin, wait=wait)

    def say(self, content: str, channel: Channel | None = None) -> Message:
        """Write an ordinary message."""
        state = self.discord.state
        place = self._place(channel)
        message = Message(state.snowflake(), place, self.user, state.clock.now(), content)
        message.mentions = message.pings = [state.users[user] for user in mentioned(content) if user in state.users]
        state.add_message(message)
        return message

    # Seeing

    def messages(self, channel: Channel | None = None) -> list[Message]:
        """The messages that this person sees, private ones included, oldest first."""
        state = self.discord.state
        found = [m for m in state.messages.values() if channel in (None, m.channel)]
        return [m for m in found if self.sees(m)]

    def saw(self) -> list[Sight]:
        """All that this person could ever see, as it was shown: also what was edited or deleted since."""
        return [sight for sight in self.discord.sights if self.discord.sees(self.user, sight)]

    def inbox(self) -> list[Message]:
        """The private messages between the bot and this person."""
        return self.messages(self.discord.dm(self))

    def pings(self) -> list[Message]:
        """The messages that notified this person."""
        return [m for m in self.messages() if self.user in m.pings]

    def sees(self, message: Message) -> bool:
        """Whether this person sees a message."""
        if message.only_for is not None:
            return message.only_for is self.user
        return self.discord.state.may(self.user, message.channel, "view_channel")

    # Inside

    def _place(self, channel: Channel | None) -> Channel:
        place = channel or self.discord.channel()
        if place.gone or not self.discord.state.may(self.user, place, "view_channel"):
            raise Impossible(f"{self.name} cannot see #{place.name}")
        return place

    def _seen(self, message: Message | Response) -> Message:
        post = message.last if isinstance(message, Response) else message
        if post.deleted or not self.sees(post):
            raise Impossible(f"{self.name} cannot see that message")
        return post

    def _chosen(self, menu: Json, picked: list[Any]) -> Json:
        if menu["type"] == STRING_SELECT:
            by_label = {option["label"]: option["value"] for option in menu["options"]}
            known = {option["value"] for option in menu["options"]}
            values = [value if value in known else by_label.get(value) for value in picked]
            if None in values:
                raise Impossible(f"no option {picked!r}; there is {', '.join(by_label)}")
        else:
            values = [str(value.id) for value in picked]
        low, high = menu.get("min_values", 1), menu.get("max_values", 1)
        if not low <= len(set(values)) <= high or len(set(values)) < len(values):
            raise Impossible(f"{len(values)} chosen where {low} to {high} may be")
        data: Json = {"custom_id": menu["custom_id"], "component_type": menu["type"], "values": values}
        people = [value for value in picked if isinstance(value, Person)]
        if people:
            data["resolved"] = slash.resolved_users(self.discord.state, [person.user for person in people])
        return data

    def _filled(self, part: Json, fields: dict[str, Any]) -> Json:
        if part["type"] not in (1, 18):
            return {"type": part["type"], "id": part.get("id", 0)}
        item = next(walk(part.get("components", [part.get("component")])))
        label: str = part.get("label") or item.get("label") or ""
        key = item["custom_id"] if item["custom_id"] in fields else label
        sent: Json = {"type": item["type"], "id": item.get("id", 0), "custom_id": item["custom_id"]}
        if item["type"] == TEXT_INPUT:
            sent["value"] = _typed(item, label, fields.pop(key, item.get("value") or ""))
        elif item["type"] in SELECTS:
            picked = fields.pop(key, [])
            sent |= self._chosen(item, [picked] if isinstance(picked, str) else list(picked))
            del sent["component_type"]
        if part["type"] == 1:
            return {"type": 1, "components": [sent]}
        return {"type": 18, "id": part.get("id", 0), "component": sent}

    async def _do(
        self,
        kind: int,
        place: Channel,
        data: Json,
        *,
        wait: Wait,
        message: Message | None = None,
        origin: Interaction | None = None,
    ) -> Response:
        if not interactions.can_be_used(place):
            raise Impossible(f"#{place.name} is archived or gone")
        found = self.discord.interactions.create(kind, self.user, place, data, message=message, origin=origin)
        return await Response(self.discord, found).settle(wait)


def _typed(item: Json, label: str, value: str) -> str:
    low, high = item.get("min_length", 0), item.get("max_length", 4000)
    if item.get("required", True):
        low = max(low, 1)
    if (value or low) and not low <= len(value) <= high:
        raise Impossible(f"{label!r} takes {low} to {high} characters, not {len(value)}")
    return value


async def together(*actions: Any) -> list[Response]:
    """Let several people act at the same time."""
    return list(await asyncio.gather(*actions))
