"""/stats and /leaderboard.

The answer must be the same for a hidden player, for one without results here, and for one who does
not exist, so that it reveals nothing about them.
"""

import re

from discord import app_commands
from msgspec.structs import replace

from bot.features.ratings import queries
from bot.features.ratings.records import EVERYWHERE as ALL_SERVERS
from bot.features.ratings.records import Board, Pool
from bot.features.ratings.rules import LISTED_SECONDS, MIN_MATCHES_LISTED
from bot.features.ratings.scale import NEWCOMER
from bot.features.ratings.service import Standing
from bot.features.ratings.statistics import (
    describe_last_results,
    describe_player,
    draw_leaderboard,
    draw_pair,
    draw_player,
    meetings,
)
from bot.runtime.base import DAY, Refused
from bot.text import say
from bot.ui import (
    Choices,
    Item,
    MotuInteraction,
    Part,
    PeopleMenu,
    autocomplete,
    escape_text,
    hidden_players,
    must_be_in_server,
    one_line,
    parse_game,
    reply,
    service,
    slash,
)
from engine import GAMES
from engine.players import CHARACTERS, LEVELS

MENTION = re.compile(r"<@!?(\d{1,19})>|(\d{1,19})")
MAX_USER_ID = 2**63 - 1
"""The largest integer of the databases; no id of Discord's is larger."""
HERE, EVERYWHERE = "here", "everywhere"
MAX_LISTED_ALONE, MAX_LISTED_EACH = 15, 5
"""How many players a leaderboard lists for a single game, and for each game if it shows all."""

WHERE = ("standing.{}", (HERE, EVERYWHERE))
"""The choices of the option `where`, after the text key of their labels."""


@slash(
    "stats",
    dms=True,
    extras=reply.IF_SLOW,
    choices={"where": WHERE},
)
@app_commands.rename(other="with")
async def stats(
    interaction: MotuInteraction,
    player: str = "",
    other: str = "",
    game: str = "",
    where: str = HERE,
    public: bool = False,
) -> None:
    """Show the statistics of a player, or of two who have played together."""
    if public:
        reply.speak_to_channel(interaction)
    game_id = parse_game(game) if game.strip() else None
    user = await _parse_player(interaction, player) if player.strip() else interaction.user.id
    rival = await _parse_player(interaction, other) if other.strip() else None
    await show_stats(interaction, user, rival, game_id, where, public)


class StatsMenu(Item, template=rf"st:(?P<where>{HERE}|{EVERYWHERE}):(?P<game>[a-z0-9_]{{0,40}})"):
    """The menu of people under private statistics, which replaces them with another player's."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the statistics of the chosen player."""
        game, where = self.fields["game"], self.fields["where"]
        game_id = parse_game(game) if game else None
        user = await _parse_player(interaction, " ".join(self.values))
        await show_stats(interaction, user, None, game_id, where)


async def show_stats(
    interaction: MotuInteraction,
    user: int,
    rival: int | None,
    game_id: str | None,
    where: str,
    public: bool = False,
) -> None:
    """Show the statistics of a player, or of two who have played together."""
    store, draw = interaction.client.kernel.store, interaction.client.pictures.draw
    guild = None if where == EVERYWHERE else interaction.guild_id
    scope = _describe_scope(interaction, where)
    facts = {"game": GAMES[game_id].title if game_id else None, "scope": escape_text(scope, 120)}
    await _check_may_be_shown(interaction, user, public)
    await service(interaction, Standing).wait_until_rated()
    player = await store.read(queries.load_player, user, guild, game_id)
    is_own = user == interaction.user.id
    if guild is None and (public or not is_own):
        # Whom a player meets on other servers is private.
        player = replace(player, companions=[])
    if rival is None:
        if not player.played:
            if not is_own:
                raise Refused("standing.nothing", **facts)
            elsewhere = await store.read(queries.load_player, user, None, game_id)
            raise Refused(
                "standing.none_here" if elsewhere.played else "standing.none_yet", **facts
            )
        text = describe_player(player, is_own)
        if guild is not None or is_own:
            text = "\n".join((text, *describe_last_results(player)))
        picture = await draw(draw_player, player, scope)
    else:
        if rival == user:
            raise Refused("standing.same")
        await _check_may_be_shown(interaction, rival, public)
        mine = player.played
        theirs = (await store.read(queries.load_player, rival, guild, game_id)).played
        together = meetings(mine, theirs)
        if not together:
            raise Refused("standing.never_together", **facts)
        names = [escape_text(one.name) for one in together[-1]]
        text = say("standing.pair", one=names[0], other=names[1], matches=len(together))
        picture = await draw(draw_pair, mine, theirs, scope)
    menus: list[Part] = []
    if not public and interaction.guild_id is not None:
        # In a direct message the menu would be empty.
        menus.append(PeopleMenu(f"st:{where}:{game_id or ''}", say("standing.see_player")))
    await reply.show(interaction, text, menus, [picture], public=public)


@stats.autocomplete("player")
@stats.autocomplete("other")
@autocomplete
async def _complete_player(interaction: MotuInteraction, current: str) -> Choices:
    wanted = current.strip().casefold()
    people = await _known_people(interaction)
    matching = sorted((name, str(user)) for user, name in people.items())
    return [(name, user) for name, user in matching if wanted in name.casefold()]


@slash(
    "leaderboard",
    extras=reply.IF_SLOW,
    choices={"where": WHERE, "players": ("standing.{}", Pool)},
)
async def leaderboard(
    interaction: MotuInteraction,
    game: str = "",
    where: str = HERE,
    players: str = Pool.PEOPLE,
    public: bool = False,
) -> None:
    """Show the ratings of a server in one game, or the best in each."""
    guild = must_be_in_server(interaction)
    if public:
        reply.speak_to_channel(interaction)
    games = [parse_game(game)] if game.strip() else list(GAMES)
    most = MAX_LISTED_ALONE if game.strip() else MAX_LISTED_EACH
    kernel, pool = interaction.client.kernel, Pool(players)
    own = 0 if public else interaction.user.id
    await service(interaction, Standing).wait_until_rated()
    all_computers = len(LEVELS) * (len(CHARACTERS) + 1)
    board = Board(
        game="", guild=ALL_SERVERS, pool=pool, most=all_computers if game.strip() else most
    )
    if pool is Pool.PEOPLE:
        board = Board(
            game="",
            guild=guild,
            everywhere=where == EVERYWHERE,
            least=MIN_MATCHES_LISTED,
            since=int(kernel.now()) - LISTED_SECONDS,
            most=most,
            besides=own,
        )
    boards = [
        (one, await kernel.store.read(queries.board, replace(board, game=one))) for one in games
    ]
    scope = (
        say("standing.of_computers")
        if pool is Pool.COMPUTERS
        else _describe_scope(interaction, where)
    )
    note = say(
        f"standing.note_{pool}",
        newcomer=NEWCOMER,
        least=MIN_MATCHES_LISTED,
        days=LISTED_SECONDS // DAY,
    )
    if await kernel.store.read(queries.has_unrated):
        note = say("standing.worked_out", note=note)
    picture = await interaction.client.pictures.draw(
        draw_leaderboard, boards, scope, note, pool, own
    )
    text = say("standing.board", scope=escape_text(scope, 120))
    await reply.show(interaction, text, pictures=[picture], public=public)


async def _known_people(interaction: MotuInteraction) -> dict[int, str]:
    """Return the names of the players whom the user may look up.

    These are people rated on this server or met in a match, unless they are hidden.
    """
    store, asker = interaction.client.kernel.store, interaction.user.id
    people = await store.read(queries.people_known_to, asker, interaction.guild_id)
    return {user: one_line(name) for user, name in people.items()}


async def _parse_player(interaction: MotuInteraction, typed: str) -> int:
    """Return the player with this name, mention or id; an unknown name counts as no results."""
    people = await _known_people(interaction)
    wanted = " ".join(typed.split()).casefold()
    matching = [user for user, name in people.items() if name.casefold() == wanted]
    if len(matching) > 1:
        raise Refused("standing.several")
    if matching:
        return matching[0]
    mention = MENTION.fullmatch(typed.strip())
    user = int(mention[1] or mention[2]) if mention else 0
    if not 0 < user <= MAX_USER_ID:
        raise Refused("standing.nothing")
    return user


async def _check_may_be_shown(interaction: MotuInteraction, user: int, public: bool) -> None:
    """Refuse to show a player who is hidden or whom the user cannot know."""
    client, asker = interaction.client, interaction.user.id
    if user == asker:
        if public and await hidden_players(client, [user]):
            raise Refused("standing.hidden_yourself")
    elif not await client.kernel.store.read(queries.is_known, user, interaction.guild_id, asker):
        raise Refused("standing.nothing")


def _describe_scope(interaction: MotuInteraction, where: str) -> str:
    """Describe which matches count: those on this server, or all."""
    guild = interaction.guild
    if where == EVERYWHERE or interaction.guild_id is None:
        return say("standing.on_all")
    return say("standing.on_server", server=one_line(guild.name, 40) if guild else "")
