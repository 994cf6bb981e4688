"""An ordinary discord.py bot, run in a process of its own: python ordinary_bot.py URL TOKEN."""

import asyncio
import io
import sys

import discord
from discord import app_commands
from PIL import Image

from bot.local import point_at


def _draw() -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (7, 5), "teal").save(target, "PNG")
    return target.getvalue()


PICTURE = _draw()


def picture(name: str = "board.png") -> discord.File:
    return discord.File(io.BytesIO(PICTURE), name, description="a small board")


class Panel(discord.ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Redraw", custom_id="redraw")
    async def redraw(self, interaction: discord.Interaction, button: discord.ui.Button) -> None:
        await interaction.response.edit_message(
            content=f"redrawn for {interaction.user.display_name}", view=self
        )

    @discord.ui.button(label="Slowly", custom_id="slowly")
    async def slowly(self, interaction: discord.Interaction, button: discord.ui.Button) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(
            content="redrawn slowly", attachments=[picture("again.png")]
        )

    @discord.ui.button(label="Whisper", custom_id="whisper")
    async def whisper(self, interaction: discord.Interaction, button: discord.ui.Button) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.followup.send("for you alone", file=picture())
        await interaction.followup.send("and for you too", ephemeral=True)

    @discord.ui.button(label="Never", disabled=True, custom_id="never")
    async def never(self, interaction: discord.Interaction, button: discord.ui.Button) -> None:
        raise AssertionError

    @discord.ui.button(label="Rename", custom_id="rename")
    async def rename(self, interaction: discord.Interaction, button: discord.ui.Button) -> None:
        await interaction.response.send_modal(Survey("texts"))

    @discord.ui.select(
        placeholder="Pick a spot",
        custom_id="spot",
        max_values=2,
        options=[discord.SelectOption(label=f"Spot {n}", value=f"s{n}") for n in range(25)],
    )
    async def spot(self, interaction: discord.Interaction, select: discord.ui.Select) -> None:
        await interaction.response.edit_message(content="picked " + " ".join(select.values))


class Stone(discord.ui.DynamicItem[discord.ui.Button], template=r"stone:(?P<number>\d+)"):
    def __init__(self, number: int) -> None:
        super().__init__(discord.ui.Button(label=f"Stone {number}", custom_id=f"stone:{number}"))
        self.number = number

    @classmethod
    async def from_custom_id(cls, interaction, item, match) -> "Stone":  # type: ignore[no-untyped-def]
        return cls(int(match["number"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"stone {self.number}", ephemeral=True)


class Picker(discord.ui.View):
    """Menus of people and channels."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.select(cls=discord.ui.UserSelect, placeholder="Who?", custom_id="who", max_values=3)
    async def who(self, interaction: discord.Interaction, select: discord.ui.UserSelect) -> None:
        chosen = [f"{type(user).__name__} {user.display_name}" for user in select.values]
        await interaction.response.edit_message(content=", ".join(chosen))

    @discord.ui.select(cls=discord.ui.ChannelSelect, placeholder="Where?", custom_id="where")
    async def where(
        self, interaction: discord.Interaction, select: discord.ui.ChannelSelect
    ) -> None:
        (channel,) = select.values
        sends = channel.permissions.send_messages
        await interaction.response.edit_message(content=f"{channel.name}: {sends}")


class Survey(discord.ui.Modal, title="Survey"):
    """A form with every kind of field."""

    intro = discord.ui.TextDisplay("It takes a *minute*.")

    def __init__(self, fields: str) -> None:
        super().__init__()
        options = [("Red", "r"), ("Green", "g"), ("Blue", "b")]
        self.fields: dict[str, discord.ui.Item[Survey]] = {}
        if fields == "texts":
            self.fields = {
                "Name": discord.ui.TextInput(default="so far", max_length=20),
                "Story": discord.ui.TextInput(style=discord.TextStyle.long, required=False),
                "Silent": discord.ui.Checkbox(),
                "Map": discord.ui.FileUpload(max_values=2, required=False),
            }
        elif fields == "choices":
            self.fields = {
                "Menu": discord.ui.Select(
                    options=[discord.SelectOption(label=a, value=b) for a, b in options]
                ),
                "Radio": discord.ui.RadioGroup(
                    options=[discord.RadioGroupOption(label=a, value=b) for a, b in options]
                ),
                "Boxes": discord.ui.CheckboxGroup(
                    options=[discord.CheckboxGroupOption(label=a, value=b) for a, b in options]
                ),
            }
        else:
            self.fields = {
                "People": discord.ui.UserSelect(max_values=2),
                "Role": discord.ui.RoleSelect(required=False),
                "Either": discord.ui.MentionableSelect(required=False),
                "Channel": discord.ui.ChannelSelect(channel_types=[discord.ChannelType.text]),
            }
        for text, field in self.fields.items():
            self.add_item(discord.ui.Label(text=text, description="d", component=field))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        found = []
        for name, field in self.fields.items():
            values = getattr(field, "values", None)
            value = getattr(field, "value", None) if values is None else list(map(str, values))
            found.append(f"{name}={value}")
        text = "; ".join(found)
        if interaction.message is None:
            await interaction.response.send_message(text, ephemeral=True)
        else:
            await interaction.response.edit_message(content=text)


class Turn(discord.ui.LayoutView):
    """A layout in which a button stands beside a text, and others below the board."""

    def __init__(self, words: str = "Where to?") -> None:
        super().__init__(timeout=None)
        self.words = discord.ui.TextDisplay(words, id=7)
        undo: discord.ui.Button = discord.ui.Button(label="Undo", custom_id="undo")
        undo.callback = self.undo  # type: ignore[method-assign]
        board = discord.ui.MediaGallery()
        board.add_item(media="attachment://board.png", description="a small board")
        rules: discord.ui.Button = discord.ui.Button(label="Rules", url="https://example.org")
        container = discord.ui.Container(
            discord.ui.Section(self.words, accessory=undo),
            discord.ui.Separator(),
            board,
            discord.ui.ActionRow(rules, discord.ui.Button(label="Never", disabled=True)),
            accent_colour=0x3366CC,
        )
        self.add_item(container)

    async def undo(self, interaction: discord.Interaction) -> None:
        # What Discord sent with the press is enough to build the same layout again.
        assert interaction.message is not None
        view = discord.ui.LayoutView.from_message(interaction.message, timeout=None)
        words = view.find_item(7)
        assert isinstance(words, discord.ui.TextDisplay)
        words.content = f"undone by {interaction.user.mention}"
        await interaction.response.edit_message(view=view)


class OrdinaryBot(discord.Client):
    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.05)
        self.tree = app_commands.CommandTree(self)
        self.log: list[str] = []

    async def setup_hook(self) -> None:
        self.add_view(Panel())
        self.add_view(Turn())
        self.add_view(Picker())
        self.add_dynamic_items(Stone)
        add_commands(self)
        await self.tree.sync()

    async def on_ready(self) -> None:
        self.log.append("ready")

    async def on_resumed(self) -> None:
        self.log.append("resumed")


def add_commands(client: OrdinaryBot) -> None:
    tree = client.tree
    group = app_commands.Group(name="game", description="Games")

    @tree.command(description="Answers")
    async def ping(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"pong {interaction.user.display_name}")

    @tree.command(description="See what happened so far")
    async def log(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(", ".join(client.log) or "nothing")

    @group.command(name="new", description="A new game")
    @app_commands.choices(
        game=[app_commands.Choice(name=n.title(), value=n) for n in ("go", "chess")]
    )
    async def new(
        interaction: discord.Interaction,
        game: str,
        note: app_commands.Range[str, 2, 20] = "nothing",
        fast: bool = False,
    ) -> None:
        await interaction.response.send_message(
            f"{game}, {note}, {'fast' if fast else 'slow'}", view=Panel()
        )

    tree.add_command(group)

    @tree.command(description="Plays")
    async def play(interaction: discord.Interaction, move: str) -> None:
        await interaction.response.send_message(f"you played {move}", ephemeral=True)

    @play.autocomplete("move")
    async def moves(
        interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        return [
            app_commands.Choice(name=f"Go to {c}", value=c)
            for c in ("a1", "a2", "b1")
            if c.startswith(current)
        ]

    @tree.command(description="Draws in private")
    async def hand(interaction: discord.Interaction) -> None:
        embed = discord.Embed(title="Your hand", description="three cards")
        view = Panel()
        view.add_item(Stone(7))
        await interaction.response.send_message(
            embed=embed, file=picture(), view=view, ephemeral=True
        )

    @tree.command(description="Thinks first")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="thought", attachments=[picture()])
        await interaction.followup.send("and one thing more")
        await interaction.followup.send("a secret", ephemeral=True)

    @tree.command(description="Offers people and channels")
    async def pick(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Pick!", view=Picker())

    @tree.command(description="Asks for much")
    async def survey(interaction: discord.Interaction, fields: str) -> None:
        await interaction.response.send_modal(Survey(fields))

    @tree.command(description="Shows a layout")
    async def turn(interaction: discord.Interaction, later: bool = False) -> None:
        if later:
            await interaction.response.defer(ephemeral=True)
            await interaction.edit_original_response(view=Turn(), attachments=[picture()])
            await interaction.followup.send(view=Turn("Once more?"), file=picture())
        else:
            await interaction.response.send_message(view=Turn(), file=picture())

    @tree.command(description="Opens a thread")
    async def table(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True)
        assert isinstance(interaction.channel, discord.TextChannel)
        thread = await interaction.channel.create_thread(
            name="Table 1", type=discord.ChannelType.public_thread
        )
        message = await thread.send(
            f"Your turn {interaction.user.mention}",
            file=picture(),
            view=Panel(),
            nonce=str(interaction.id % 10**9),
            allowed_mentions=discord.AllowedMentions(users=[interaction.user]),
        )
        await message.edit(content="Your turn, now", view=None)
        await thread.edit(archived=True)
        await interaction.followup.send(thread.mention)

    @tree.command(description="A thread on a message")
    async def hang(interaction: discord.Interaction) -> None:
        answer = await interaction.response.send_message("hang on")
        assert isinstance(interaction.channel, discord.TextChannel)
        assert answer.message_id is not None
        thread = await interaction.channel.get_partial_message(answer.message_id).create_thread(
            name="Hanging"
        )
        await thread.send("down here")

    @tree.command(description="Writes privately")
    async def letter(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True)
        await interaction.user.send("dear friend")
        await interaction.followup.send("sent")

    @tree.command(description="Posts, and says what came of it")
    async def post(interaction: discord.Interaction, text: str) -> None:
        await interaction.response.defer(ephemeral=True)
        assert isinstance(interaction.channel, discord.abc.Messageable)
        try:
            message = await interaction.channel.send(text, nonce=text[:20])
        except discord.HTTPException as error:
            await interaction.followup.send(f"{error.status} {error.code}")
        else:
            await interaction.followup.send(f"posted {message.id}")

    @tree.command(description="Never answers")
    async def silence(interaction: discord.Interaction) -> None:
        await asyncio.sleep(0)

    @tree.command(description="Answers twice")
    async def twice(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("once")
        adapter = discord.webhook.async_.async_context.get()
        params = discord.webhook.async_.interaction_message_response_params(type=4, content="twice")
        try:
            await adapter.create_interaction_response(
                interaction.id, interaction.token, session=interaction._session, params=params
            )
        except discord.HTTPException as error:
            await interaction.followup.send(f"{error.status} {error.code}")


if __name__ == "__main__":
    point_at(sys.argv[1])
    OrdinaryBot().run(sys.argv[2], log_handler=None)
