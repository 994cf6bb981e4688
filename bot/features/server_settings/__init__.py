"""Server settings: where matches are played on a server, by whom, how, and how many at once.

They are stored as one JSON document per server. Members who may manage the server change them with
/settings. Servers.within_limits enforces the limits on matches.
"""

import re
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from contextlib import asynccontextmanager, nullcontext
from enum import StrEnum
from typing import Any, Literal

import discord
import msgspec
from discord import app_commands
from msgspec import Struct
from msgspec.structs import asdict, replace

from bot.kernel import queries
from bot.kernel.clocks import GRANTS
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.model import Pace
from bot.runtime.base import HOUR, Locks, Refused, log_error
from bot.store.sql import SelectOne
from bot.text import and_list, say
from bot.ui import (
    MAX_PICKED,
    Choices,
    Content,
    Entered,
    Feature,
    Field,
    Form,
    MotuInteraction,
    Part,
    PickField,
    Section,
    autocomplete,
    escape_text,
    filter_choices,
    form_button,
    must_be_in_server,
    radio_or_menu,
    reply,
    service,
    slash,
    with_heading,
)
from bot.ui.permissions import describe_missing, may_manage, results_channel_problem

KEY = "settings"
"""The key in the table of server settings."""
NEWCOMER_LIMIT = 10
"""The most matches at once for a player who has finished none yet, lest they overcommit."""
PLAYER_LIMIT = 100
"""The most matches at once for any player."""
NONE = "0"
"""The option that stands for no limit."""
PER_PLAYER_LIMITS = tuple(map(str, (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50)))
PER_SERVER_LIMITS = (
    NONE,
    *["1", "2", "3", "5", "8", "10", "15", "20", "30", "50", "100", "200", "500"],
)
"""The limits on matches to choose from."""
MENTION = re.compile(r"(?:<#|<@&)?(\d{15,20})>?")
MAX_NAME_CHARACTERS = 90
"""How much of an unknown name a refusal repeats."""
MAX_NAMED_CHANNELS = 20
"""The most channels named in one text."""
MAX_PROBLEMS = 10
"""The most channels whose missing permissions are listed."""

count_finished_matches = SelectOne(
    int,
    """
    SELECT count(*) FROM seats JOIN matches ON id = match_id
    WHERE user_id = {user} AND NOT seats.is_open AND is_seated AND status = 'finished'
    """,
)
"""Count the matches that a player has finished."""
count_open_matches = SelectOne(
    int, "SELECT count(*) FROM matches WHERE guild = {guild} AND is_open AND id != {match}"
)
"""Count the open matches of a server, except one."""


class Threads(StrEnum):
    """Whether matches get threads of their own."""

    FREE = "free"
    """The host of a match decides."""
    ALWAYS = "always"
    NEVER = "never"


class ServerSettings(Struct, frozen=True, omit_defaults=True):
    """The settings of a server. The defaults hold until somebody changes them."""

    channels: tuple[int, ...] = ()
    """The channels where matches may be opened; none means everywhere."""
    threads: Threads = Threads.FREE
    pace: Pace = Pace.NONE
    """The default pace of new matches."""
    hosts: int = 0
    """The role whose members may open matches; 0 for everybody."""
    films: bool = True
    """Whether to add a film of the ending to the last post of a match."""
    chronicle: int = 0
    """The channel where results are posted; 0 for none."""
    is_chronicle_lost: bool = False
    """Whether the bot cannot post results there, and has told the server's owner so."""
    per_player: int = 0
    """The most matches that one player may be in at once on this server; 0 for no limit."""
    per_server: int = 0
    """The most matches that may be open at once on this server; 0 for no limit."""


DEFAULTS = ServerSettings()


class Servers:
    """The settings of all servers. Server 0 stands for direct messages, which have none."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._locks = Locks()

    async def of(self, guild: int) -> ServerSettings:
        """Return the settings of a server."""
        if not guild:
            return DEFAULTS
        document = await self._kernel.store.read(queries.server_setting, guild, KEY)
        if document is None:
            return DEFAULTS
        try:
            return msgspec.json.decode(document, type=ServerSettings)
        except msgspec.MsgspecError as error:
            log_error(error, f"couldn't read the settings of server {guild}")
            return DEFAULTS

    async def change(self, guild: int, **choices: Any) -> ServerSettings:
        """Change some settings of a server, and return all of them."""
        # The lock lets two people change different settings at the same time.
        async with self._locks[f"settings-{guild}"]:
            settings = replace(await self.of(guild), **choices)
            document = msgspec.json.encode(settings).decode() if settings != DEFAULTS else None
            await self._kernel.store.write(queries.put_server_setting, guild, KEY, document)
            return settings

    @asynccontextmanager
    async def within_limits(
        self, user: int, guild: int, match_id: str, opens: bool = False
    ) -> AsyncIterator[None]:
        """Check that a player may join a match, or open it, in the body of this context.

        Refuse if they or the server have too many. Locks are held until the body is done, so that
        two requests at once cannot both get in under the limit.
        """
        kernel = self._kernel
        # Always lock the user before the server: in different orders, two requests could wait for
        # each other forever.
        server_lock = self._locks[f"server-{guild}"] if opens else nullcontext()
        async with self._locks[f"user-{user}"], server_lock:
            settings = await self.of(guild)
            rooms = await kernel.matches.of_user(user)
            others = [room for room in rooms if room.record.id != match_id]
            here = sum(room.record.place.guild == guild for room in others)
            if settings.per_player and here >= settings.per_player:
                raise Refused("limit.player_here", number=here, most=settings.per_player)
            # Only players with many matches need the query.
            if len(others) >= NEWCOMER_LIMIT:
                finished = await kernel.store.read(count_finished_matches, user) or 0
                most = player_limit(finished)
                if len(others) >= most:
                    raise Refused(
                        "limit.player",
                        grows=most < PLAYER_LIMIT,
                        finished=str(finished),
                        number=len(others),
                        most=most,
                        first=NEWCOMER_LIMIT,
                    )
            if opens and settings.per_server:
                number = await kernel.store.read(count_open_matches, guild, match_id) or 0
                if number >= settings.per_server:
                    raise Refused("limit.server", number=number, most=settings.per_server)
            yield


def player_limit(finished: int) -> int:
    """Return how many matches a player may be in at once, given how many they have finished."""
    return min(NEWCOMER_LIMIT + finished, PLAYER_LIMIT)


# To add a setting: a field of ServerSettings, an entry in GROUPS, an option of /settings, and its
# texts in [server].


class Setting(Struct, frozen=True, kw_only=True):
    """A setting in /settings: its field in a form, and how its value is shown."""

    key: str
    """The field of ServerSettings, which is also the key of its texts in [server]."""

    def describe(self, guild: discord.Guild, value: Any) -> str:
        """Return a value in words."""
        raise NotImplementedError

    def field(self, guild: discord.Guild, value: Any) -> Field:
        """Return the field of the form, with the current value."""
        raise NotImplementedError

    def read(self, guild: discord.Guild, entered: Entered) -> Any:
        """Return the value that was entered in a form; refuse what was not offered."""
        raise NotImplementedError

    def parse(self, guild: discord.Guild, typed: str) -> Any:
        """Return the value that was typed in a command; refuse what does not exist."""
        raise NotImplementedError


class OptionSetting(Setting, frozen=True, kw_only=True):
    """A setting with a fixed list of options."""

    options: Callable[[], Mapping[str, str]]
    """Returns the values as texts, with their labels."""

    def describe(self, guild: discord.Guild, value: Any) -> str:
        """Return a value in words."""
        # An older version may have stored a number that is no option any more.
        return self.options().get(option_value(value)) or str(value)

    def field(self, guild: discord.Guild, value: Any) -> Field:
        """Return the field of the form, with the current value."""
        options = self.options().items()
        return radio_or_menu(self.key, say(f"server.{self.key}"), options, option_value(value))

    def read(self, guild: discord.Guild, entered: Entered) -> Any:
        """Return the value that was entered; refuse what was not offered."""
        return self.parse(guild, entered.choice(self.key))

    def parse(self, guild: discord.Guild, typed: str) -> Any:
        """Return the value that was typed in a command; refuse what does not exist."""
        if typed not in self.options():
            raise Refused("refusal.foreign_choice")
        # msgspec converts the text to the type of the field.
        return getattr(msgspec.convert({self.key: typed}, ServerSettings, strict=False), self.key)


class PickSetting(Setting, frozen=True, kw_only=True):
    """A setting that names one of the server's roles or text channels, several of them, or none."""

    kind: Literal["roles", "channels"]
    in_words: Callable[[discord.Guild, Any], str]
    """Returns a value in words."""
    at_most: int = 1

    def describe(self, guild: discord.Guild, value: Any) -> str:
        """Return a value in words."""
        return self.in_words(guild, value)

    def field(self, guild: discord.Guild, value: Any) -> Field:
        """Return the field of the form, with the current value."""
        chosen = value if isinstance(value, tuple) else (value,)
        return PickField(
            key=self.key,
            label=say(f"server.{self.key}"),
            description=say(f"server.{self.key}_empty"),
            kind=self.kind,
            # Discord refuses a form that names a channel or role that has been deleted.
            chosen=tuple(one for one in chosen if self.find(guild, one)),
            at_most=self.at_most,
        )

    def read(self, guild: discord.Guild, entered: Entered) -> Any:
        """Return the value that was entered; refuse what was not offered."""
        picked = entered.picked(self.key)
        if len(picked) > self.at_most or not all(self.find(guild, one) for one in picked):
            raise Refused("refusal.foreign_choice")
        return self._value(guild, picked)

    def parse(self, guild: discord.Guild, typed: str) -> Any:
        """Return the value that was typed in a command; refuse what does not exist.

        Roles and channels are given by mention, name or id; several are separated by spaces.
        """
        if typed.strip().casefold() in say("server.words_for_none").split():
            return self._value(guild, ())
        available = guild.roles if self.kind == "roles" else guild.text_channels
        by_name = {chosen.name.casefold(): chosen.id for chosen in available}
        # The names of channels have no spaces.
        words = typed.replace(",", " ").split() if self.at_most > 1 else [typed.strip()]
        ids = []
        for word in words:
            mention = MENTION.fullmatch(word)
            chosen = int(mention[1]) if mention else by_name.get(word.removeprefix("#").casefold())
            if chosen is None or self.find(guild, chosen) is None:
                raise Refused(
                    f"server.unknown_{self.kind}", typed=escape_text(word[:MAX_NAME_CHARACTERS])
                )
            ids.append(chosen)
        return self._value(guild, tuple(dict.fromkeys(ids))[: self.at_most])

    def find(self, guild: discord.Guild, one: int) -> discord.Role | discord.TextChannel | None:
        """Return the role or text channel with an id, if the server has it."""
        if self.kind == "roles":
            return guild.get_role(one)
        channel = guild.get_channel(one)
        return channel if isinstance(channel, discord.TextChannel) else None

    def _value(self, guild: discord.Guild, picked: tuple[int, ...]) -> Any:
        if self.at_most > 1:
            return picked
        # Everybody has the role @everyone, whose id is the server's.
        return picked[0] if picked and picked[0] != guild.id else 0


def option_value(value: Any) -> str:
    """Return the option that stands for the value of a setting."""
    # The format 'd' turns True into '1'.
    return f"{value:d}" if isinstance(value, int) else str(value)


def describe_channels(guild: discord.Guild, channels: tuple[int, ...]) -> str:
    """Return where matches may be opened, in words."""
    if not channels:
        return say("server.everywhere")
    existing = [f"<#{channel}>" for channel in channels if guild.get_channel(channel)]
    names = and_list(existing[:MAX_NAMED_CHANNELS]) if existing else ""
    return say(
        "server.in_channels", channels=names, more=max(len(existing) - MAX_NAMED_CHANNELS, 0)
    )


def pace_label(pace: Pace) -> str:
    """Return the name of a pace with its times in hours."""
    granted = asdict(GRANTS[pace]) if pace in GRANTS else {}
    hours = {field: seconds // HOUR for field, seconds in granted.items()}
    return say(f"server.pace_{pace}", **hours)


def describe_hosts(guild: discord.Guild, role: int) -> str:
    """Return who may open matches, in words."""
    if not role:
        return say("server.everybody")
    return say("server.role", role=f"<@&{role}>", gone=guild.get_role(role) is None)


def describe_results_channel(guild: discord.Guild, channel: int) -> str:
    """Return where results are posted, in words."""
    if not channel:
        return say("server.chronicle_none")
    is_there = guild.get_channel(channel) is not None
    return say("server.chronicle_there", channel=f"<#{channel}>", there=is_there)


def limit_setting(key: str, numbers: Iterable[str]) -> OptionSetting:
    """Return a setting that limits the number of matches, with these numbers to choose from."""

    def label(number: str) -> str:
        if number == NONE:
            return say("server.no_limit")
        return say("server.at_once", number=int(number))

    return OptionSetting(key=key, options=lambda: {number: label(number) for number in numbers})


CHANNELS = PickSetting(
    key="channels", kind="channels", in_words=describe_channels, at_most=MAX_PICKED
)
THREADS = OptionSetting(
    key="threads", options=lambda: {one: say(f"server.threads_{one}") for one in Threads}
)
HOSTS = PickSetting(key="hosts", kind="roles", in_words=describe_hosts)
RESULTS = PickSetting(key="chronicle", kind="channels", in_words=describe_results_channel)
PACE = OptionSetting(key="pace", options=lambda: {pace: pace_label(pace) for pace in Pace})
PER_PLAYER = limit_setting("per_player", PER_PLAYER_LIMITS)
PER_SERVER = limit_setting("per_server", PER_SERVER_LIMITS)
FILMS = OptionSetting(
    key="films", options=lambda: {"1": say("server.films_on"), "0": say("server.films_off")}
)
GROUPS = {
    "place": (CHANNELS, THREADS, HOSTS, RESULTS),
    "matches": (PACE, PER_PLAYER, PER_SERVER, FILMS),
}
"""All settings, by the form that has them."""


# The command and its forms


@slash(
    "settings",
    choices={
        "threads": ("server.threads_{}", Threads),
        "pace": ("pace.{}", Pace),
        "per_player": ("{}", PER_PLAYER_LIMITS),
        "per_server": ("{}", PER_SERVER_LIMITS),
    },
)
@app_commands.rename(chronicle="results")
@app_commands.default_permissions(manage_guild=True)
async def settings(
    interaction: MotuInteraction,
    channels: str | None = None,
    threads: str | None = None,
    hosts: str | None = None,
    chronicle: str | None = None,
    pace: str | None = None,
    per_player: str | None = None,
    per_server: str | None = None,
    films: bool | None = None,
) -> None:
    """Change the settings that are given, then show them all; if one is invalid, change none."""
    guild = managed_guild(interaction)
    changes: dict[str, Any] = {}
    typed: tuple[tuple[Setting, str | None], ...] = (
        (CHANNELS, channels),
        (THREADS, threads),
        (HOSTS, hosts),
        (RESULTS, chronicle),
        (PACE, pace),
        (PER_PLAYER, per_player),
        (PER_SERVER, per_server),
    )
    for setting, text in typed:
        if text is not None:
            changes[setting.key] = setting.parse(guild, text)
    if films is not None:
        changes["films"] = films
    await change_settings(interaction, guild, changes)


@settings.autocomplete("channels")
@settings.autocomplete("chronicle")
@autocomplete
async def _complete_channels(interaction: MotuInteraction, current: str) -> Choices:
    """Suggest text channels after those that are typed already."""
    *done, last = current.split(" ")
    channels = interaction.guild.text_channels if interaction.guild else []
    wanted = last.removeprefix("#").casefold()
    offered = [" ".join((*done, f"#{one.name}")) for one in channels if wanted in one.name]
    if not done:
        offered.insert(0, say("server.words_for_none").split()[0])
    return [(one, one) for one in offered]


@settings.autocomplete("hosts")
@autocomplete
async def _complete_roles(interaction: MotuInteraction, current: str) -> Choices:
    """Suggest roles, highest first."""
    roles = reversed(interaction.guild.roles) if interaction.guild else []
    names = [one.name for one in roles if not one.is_default() and not one.is_bot_managed()]
    none = say("server.words_for_none").split()[0]
    return filter_choices(current, [(one, one) for one in (none, *names)])


class SettingsForm(Form, template=rf"s:(?P<group>{'|'.join(GROUPS)})", command="settings"):
    """A group of the server's settings."""

    async def content(self, interaction: MotuInteraction) -> Content:
        """Return the current settings."""
        guild, group = managed_guild(interaction), self.fields["group"]
        current = await service(interaction, Servers).of(guild.id)
        fields = [one.field(guild, getattr(current, one.key)) for one in GROUPS[group]]
        return Content(say(f"server.group_{group}"), fields)

    async def on_submit(self, interaction: MotuInteraction, entered: Entered) -> None:
        """Save the settings, and show all of them."""
        guild = managed_guild(interaction)
        changes = {one.key: one.read(guild, entered) for one in GROUPS[self.fields["group"]]}
        await change_settings(interaction, guild, changes)


async def change_settings(
    interaction: MotuInteraction, guild: discord.Guild, changes: dict[str, Any]
) -> None:
    """Change some of the settings, and show all of them."""
    servers = service(interaction, Servers)
    if "chronicle" in changes:
        # Try the newly chosen channel, even if the bot could not post in the last one.
        changes["is_chronicle_lost"] = False
    before = await servers.of(guild.id)
    after = await servers.change(guild.id, **changes) if changes else before
    parts: list[Part] = []
    if problems := find_problems(interaction, after, {*before.channels, before.chronicle}):
        left_out = len(problems) - MAX_PROBLEMS
        if left_out > 0:
            problems[MAX_PROBLEMS:] = [say("server.lacks_more", number=left_out)]
        parts.append(with_heading(say("server.lacking"), "\n".join(problems)))
    for group, listed in GROUPS.items():
        lines = [
            say(
                "server.setting",
                name=say(f"server.{one.key}"),
                value=one.describe(guild, getattr(after, one.key)),
            )
            for one in listed
        ]
        parts.append(Section("\n".join(lines), form_button(f"s:{group}", say("server.edit"))))
    head = with_heading(say("server.title"), say("server.about"))
    await reply.show(interaction, head, parts)


def managed_guild(interaction: MotuInteraction) -> discord.Guild:
    """Return the server; refuse users who may not manage it."""
    must_be_in_server(interaction)
    # `default_permissions` is not enough: an admin can make the command available to everybody.
    if not may_manage(interaction):
        raise Refused("server.not_yours")
    if interaction.guild is None:
        # Just after startup, Discord may not have sent this server's data yet.
        raise Refused("refusal.restarting")
    return interaction.guild


def find_problems(
    interaction: MotuInteraction, settings: ServerSettings, former_channels: Collection[int]
) -> list[str]:
    """Return what the bot lacks in each channel where matches are opened or results are posted.

    Channels that were just chosen, and so are not among the `known` ones, come first.
    """
    place = interaction.channel
    here = place.parent_id if isinstance(place, discord.Thread) else interaction.channel_id
    client, wants_thread = interaction.client, settings.threads is not Threads.NEVER
    # If matches may be opened everywhere, only this channel is checked.
    problems = {
        channel: describe_missing(client, channel, wants_thread)
        for channel in settings.channels or (here or 0,)
    }
    if settings.chronicle and not problems.get(settings.chronicle):
        problems[settings.chronicle] = results_channel_problem(client, settings.chronicle)
    in_order = sorted(problems, key=lambda channel: channel in former_channels)
    return [problem for channel in in_order if (problem := problems[channel])]


FEATURE = Feature(
    name="server_settings",
    build=lambda kernel: Parts(services=(Servers(kernel),)),
    commands=(settings,),
    forms=(SettingsForm,),
)
