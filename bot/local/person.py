"""People in tests: they type commands, press buttons, choose in menus, fill in forms, and see.

    async with LocalDiscord() as discord:
        …start the bot with discord.url and discord.token…
        await discord.wait_until_ready()
        ana, bob = discord.user("Ana"), discord.user("Bob")
        lobby = await ana.slash("/game new", game="blue_lagoon")
        await bob.click(lobby.message, label="Join")
        choices = (await ana.autocomplete("/play", move="g", focused="move")).choices
        panel = await ana.click(await discord.message("Ana's turn"), label="Your move")
        assert panel.ephemeral and panel.message not in bob.messages()
        await ana.choose(panel.message, "Where to?", ["c4"])
        note = await ana.click(panel, label="Note…")
        await ana.submit(note, {"Your note": "Watch the north coast."})

Each action waits for the bot's answer and returns a `Response`. What Discord's clients would not
let a person do (a missing option, a disabled button, somebody else's ephemeral message) raises
`Impossible`.
"""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bot.local import choosing, interactions
from bot.local.components import ENTITY_MENUS, Kind
from bot.local.errors import Impossible, Json
from bot.local.forms import Filling
from bot.local.interactions import Interaction
from bot.local.model import Channel, Message, User, mentioned
from bot.local.response import Response, Snapshot, Wait
from bot.local.slash import Command, commands, invoke, refuse_command

if TYPE_CHECKING:
    from bot.local.server import LocalDiscord


class Person:
    """A member of the server, who acts and sees through a client."""

    def __init__(self, discord: "LocalDiscord", user: User) -> None:
        self.discord = discord
        self.user = user

    def __repr__(self) -> str:
        return f"<Person {self.name}>"

    @property
    def name(self) -> str:
        """The displayed name."""
        return self.user.name

    @property
    def id(self) -> int:
        """The user id."""
        return self.user.id

    @property
    def mention(self) -> str:
        """The text that mentions this person in a message."""
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
        """Use a slash command, e.g. `slash("/game new", game="blue_lagoon")`.

        `options` is for options whose names are parameters here, such as `channel`.
        """
        place = self._visible_channel(channel)
        data = invoke(self._find_command(command, place), {**(options or {}), **values})
        self.discord.rest.posting.upload_command_files(place, data)
        return await self.interact(interactions.COMMAND, place, data, wait=wait)

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
        """Type into an option, by default the last one given, and see what is offered."""
        place = self._visible_channel(channel)
        given = {**(options or {}), **values}
        focused = focused or list(given)[-1]
        data = invoke(self._find_command(command, place), given, focused=focused)
        return await self.interact(interactions.AUTOCOMPLETE, place, data, wait=wait)

    async def click(
        self,
        message: Message | Response,
        label: str | None = None,
        *,
        custom_id: str | None = None,
        forged: bool = False,
        wait: Wait = "answer",
    ) -> Response:
        """Press a button, found by its label or custom id.

        If `forged`, send the custom id whether there is such a button or not, as a modified client
        could.
        """
        post = self._visible_message(message)
        data: Json = {"custom_id": custom_id, "component_type": Kind.BUTTON}
        if not forged:
            button = post.button(label, custom_id)
            if button.get("disabled"):
                raise Impossible("disabled", control=button["label"])
            if "url" in button:
                raise Impossible("link", control=button["label"])
            data |= {"custom_id": button["custom_id"], "id": button["id"]}
        return await self.interact(
            interactions.COMPONENT, post.channel, data, message=post, wait=wait
        )

    async def choose(
        self,
        message: Message | Response,
        which: str | None,
        values: Any,
        *,
        forged: bool = False,
        wait: Wait = "answer",
    ) -> Response:
        """Choose in the menu with this custom id or placeholder.

        Options are given by value or label; people, roles and channels by id, name or as such.
        """
        post = self._visible_message(message)
        if forged:
            chosen = [values] if isinstance(values, str) else list(values)
            data: Json = {"custom_id": which, "component_type": Kind.MENU, "values": chosen}
        else:
            data = self._choose(post, post.select(which), values)
        return await self.interact(
            interactions.COMPONENT, post.channel, data, message=post, wait=wait
        )

    def _choose(self, post: Message, menu: Json, values: Any) -> Json:
        """Return the data of an interaction that chooses in a menu, if the menu allows this."""
        title = menu.get("placeholder") or "the menu"
        if menu.get("disabled"):
            raise Impossible("disabled", control=title)
        state, place = self.discord.state, post.channel
        picked = choosing.pick(title, choosing.offered(state, self.user, place, menu), values)
        choosing.check_count(len(picked), menu.get("min_values", 1), menu.get("max_values", 1))
        data: Json = {
            "custom_id": menu["custom_id"],
            "component_type": menu["type"],
            "id": menu["id"],
            "values": [option.value for option in picked],
        }
        if menu["type"] in ENTITY_MENUS:
            data["resolved"] = choosing.resolve(state, self.user, place, picked)
        return data

    async def submit(
        self,
        response: Response,
        values: Mapping[str, Any] | None = None,
        *,
        wait: Wait = "answer",
    ) -> Response:
        """Submit the form that the bot has opened, with values by label or custom id.

        Fields that are not given keep what they contain.
        """
        opened = response.interaction
        if opened.user is not self.user:
            raise Impossible("no_form")
        filling = Filling(self.discord.rest.posting, response.form, self.user, opened.channel)
        data = filling.submit(values or {})
        return await self.interact(
            interactions.SUBMISSION,
            opened.channel,
            data,
            message=opened.message,
            trigger=opened,
            wait=wait,
        )

    def say(self, content: str, channel: Channel | None = None) -> Message:
        """Write an ordinary message."""
        state = self.discord.state
        place = self._visible_channel(channel)
        message = Message(state.snowflake(), place, self.user, state.clock.now(), content)
        message.mentions = message.pings = [
            state.users[user] for user in mentioned(content) if user in state.users
        ]
        state.add_message(message)
        return message

    # Seeing

    def messages(self, channel: Channel | None = None) -> list[Message]:
        """Return the messages that this person sees, ephemeral ones included, oldest first."""
        found = list(self.discord.state.messages.values())
        if channel is not None:
            found = [message for message in found if message.channel is channel]
        return [message for message in found if self.sees(message)]

    def visible_snapshots(self) -> list[Snapshot]:
        """Return everything this person could ever see, even what was edited or deleted since."""
        return [one for one in self.discord.snapshots if self.discord.sees(self.user, one)]

    def inbox(self) -> list[Message]:
        """Return the direct messages between the bot and this person."""
        return self.messages(self.discord.dm(self))

    def pings(self) -> list[Message]:
        """Return the messages that notified this person."""
        return [message for message in self.messages() if self.user in message.pings]

    def sees(self, message: Message) -> bool:
        """Return whether this person sees a message."""
        if message.only_for is not None:
            return message.only_for is self.user
        return self.discord.state.may(self.user, message.channel, "view_channel")

    # What a client checks before it sends an interaction

    def _visible_channel(self, channel: Channel | None) -> Channel:
        """Return a channel, or the first one, if this person sees it."""
        found = channel or self.discord.channel()
        if found.gone or not self.discord.state.may(self.user, found, "view_channel"):
            raise Impossible("channel_gone")
        return found

    def _visible_message(self, message: Message | Response) -> Message:
        """Return a message, or the newest one of a response, if this person sees it."""
        post = message.last if isinstance(message, Response) else message
        if post.deleted or not self.sees(post):
            raise Impossible("message_gone")
        return post

    def _find_command(self, typed: str, place: Channel) -> Command:
        """Return a command that this person can use in a channel."""
        name = " ".join(typed.removeprefix("/").split())
        known = commands(self.discord.state, place, self.user)
        if name not in known:
            raise refuse_command(self.discord.state, place, name)
        return known[name]

    async def interact(
        self,
        kind: int,
        place: Channel,
        data: Json,
        *,
        wait: Wait,
        message: Message | None = None,
        trigger: Interaction | None = None,
    ) -> Response:
        """Send an interaction and wait for the response; tests may override this to wait longer."""
        if not interactions.accepts_interactions(place):
            raise Impossible("thread_archived")
        interaction = self.discord.interactions.create(
            kind, self.user, place, data, message, trigger
        )
        return await Response(self.discord, interaction).wait(wait)


async def together(*actions: Any) -> list[Response]:
    """Run actions of several people at the same time, and return their responses."""
    return list(await asyncio.gather(*actions))
