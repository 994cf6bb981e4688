"""People at the local Discord, for tests: they type commands, click, choose, and see what Discord
shows them.

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

Each of them waits for the bot's answer and returns a `Response`. What a client of Discord would not
let a person do (an option missing, a disabled button, somebody else's private message) raises
`Impossible`.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bot.local import interactions
from bot.local.errors import Impossible, Json
from bot.local.model import BUTTON, MENU, Channel, Message, User, mentioned
from bot.local.response import Response, Sight, Wait
from bot.local.slash import Command, commands, invoke

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
        """Type a slash command, e.g.

        `slash("/game new", game="blue_lagoon")`; `options` for names used up here.
        """
        place = self._place(channel)
        data = invoke(self._command(command, place), {**(options or {}), **values})
        self.discord.rest.posting.send_files(place, data)
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
        """Type into an option, the last one named unless said otherwise, and see what is
        offered.
        """
        place = self._place(channel)
        given = {**(options or {}), **values}
        data = invoke(self._command(command, place), given, focused=focused or list(given)[-1])
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
        """Press a button.

        `forged`: send a custom id that need not be there, as a changed client could.
        """
        post = self._seen(message)
        if not forged:
            button = post.button(label, custom_id)
            if button.get("disabled"):
                raise Impossible("disabled", control=button["label"])
            custom_id = button["custom_id"]
        data = {"custom_id": custom_id, "component_type": BUTTON}
        return await self._do(interactions.COMPONENT, post.channel, data, message=post, wait=wait)

    async def choose(
        self,
        message: Message | Response,
        which: str | None,
        values: str | Sequence[str],
        *,
        forged: bool = False,
        wait: Wait = "answer",
    ) -> Response:
        """Choose in the menu with this custom id or placeholder; options by value or label."""
        post = self._seen(message)
        picked = [values] if isinstance(values, str) else list(values)
        if not forged:
            menu = post.select(which)
            which, picked = menu["custom_id"], _picked(menu, picked)
        data: Json = {"custom_id": which, "component_type": MENU, "values": picked}
        return await self._do(interactions.COMPONENT, post.channel, data, message=post, wait=wait)

    def say(self, content: str, channel: Channel | None = None) -> Message:
        """Write an ordinary message."""
        state = self.discord.state
        message = Message(
            state.snowflake(), self._place(channel), self.user, state.clock.now(), content
        )
        message.mentions = message.pings = [
            state.users[user] for user in mentioned(content) if user in state.users
        ]
        state.add_message(message)
        return message

    # Seeing

    def messages(self, channel: Channel | None = None) -> list[Message]:
        """The messages that this person sees, private ones included, oldest first."""
        every = self.discord.state.messages.values()
        return [
            message
            for message in every
            if channel in (None, message.channel) and self.sees(message)
        ]

    def saw(self) -> list[Sight]:
        """All that this person could ever see, as it was shown: also what was edited or deleted
        since.
        """
        return [sight for sight in self.discord.sights if self.discord.sees(self.user, sight)]

    def inbox(self) -> list[Message]:
        """The private messages between the bot and this person."""
        return self.messages(self.discord.dm(self))

    def pings(self) -> list[Message]:
        """The messages that notified this person."""
        return [message for message in self.messages() if self.user in message.pings]

    def sees(self, message: Message) -> bool:
        """Whether this person sees a message."""
        if message.only_for is not None:
            return message.only_for is self.user
        return self.discord.state.may(self.user, message.channel, "view_channel")

    # Inside

    def _place(self, channel: Channel | None) -> Channel:
        place = channel or self.discord.channel()
        if place.gone or not self.discord.state.may(self.user, place, "view_channel"):
            raise Impossible("channel_gone")
        return place

    def _command(self, typed: str, place: Channel) -> Command:
        name = " ".join(typed.removeprefix("/").split())
        known = commands(self.discord.state, place, self.user)
        if name not in known:
            raise Impossible("no_command", command=name)
        return known[name]

    def _seen(self, message: Message | Response) -> Message:
        post = message.last if isinstance(message, Response) else message
        if post.deleted or not self.sees(post):
            raise Impossible("message_gone")
        return post

    async def _do(
        self, kind: int, place: Channel, data: Json, *, wait: Wait, message: Message | None = None
    ) -> Response:
        if not interactions.can_be_used(place):
            raise Impossible("thread_archived")
        made = self.discord.interactions.create(kind, self.user, place, data, message)
        return await Response(self.discord, made).settle(wait)


def _picked(menu: Json, wanted: list[str]) -> list[str]:
    """The values of the options that are chosen, if a menu lets them be chosen."""
    if menu.get("disabled"):
        raise Impossible("disabled", control=menu.get("placeholder"))
    by_label = {option["label"]: option["value"] for option in menu["options"]}
    by_value = {option["value"]: option["value"] for option in menu["options"]}
    values: list[str] = []
    for one in wanted:
        value = by_value.get(one) or by_label.get(one)
        if value is None or value in values:
            raise Impossible("not_listed", option=menu.get("placeholder"), value=one)
        values.append(value)
    low, high = menu.get("min_values", 1), menu.get("max_values", 1)
    if not low <= len(values) <= high:
        raise Impossible("number_chosen", low=low, high=high)
    return values


async def together(*actions: Any) -> list[Response]:
    """Let several people act at the same time."""
    return list(await asyncio.gather(*actions))
