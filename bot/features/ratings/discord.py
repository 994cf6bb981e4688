"""/stats and /leaderboard.

The answer is the same for somebody who wants to be shown to nobody, who has no result here, or who
does not exist.
"""

import re

from discord import app_commands
from msgspec.structs import replace

from bot.features.ratings import queries
from bot.features.ratings.records import EVERYWHERE as ALL_SERVERS
from bot.features.ratings.records import Board, Pool
from bot.features.ratings.rules import IDLE, LEAST, SETTLED
from bot.features.ratings.service import Standing
from bot.features.ratings.statistics import draw_leaderboard, draw_pair, draw_player, meetings
from bot.runtime.base import DAY, Refused
from bot.text import say
from bot.ui import (
    Choices,
    MotuInteraction,
    autocomplete,
    escaped,
    hidden_players,
    meant_game,
    must_be_in_server,
    one_line,
    reply,
    service,
    slash,
)
from engine import GAMES

MENTION = re.compile(r"<@!?(\d{1,19})>|(\d{1,19})")
LARGEST_ID = 2**63 - 1
"""The largest number that a database can look up; Discord gives out no larger id."""
HERE, EVERYWHERE = "here", "everywhere"
LONG, SHORT = 15, 5
"""People listed for one game, and for each if all are shown."""

WHERE = ("standing.{}", (HERE, EVERYWHERE))
"""The choices of where, after the text that labels each."""


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
    store, draw = interaction.client.kernel.store, interaction.client.pictures.draw
    game_id = meant_game(game) if game.strip() else None
    user = await _meant(interaction, player) if player.strip() else interaction.user.id
    rival = await _meant(interaction, other) if other.strip() else None
    guild = None if where == EVERYWHERE else interaction.guild_id
    scope = _scope(interaction, where)
    asked = {"game": GAMES[game_id].title if game_id else None, "scope": escaped(scope, 120)}
    await _check_may_be_shown(interaction, user, public)
    await service(interaction, Standing).settled()
    found = await store.read(queries.load_player, user, guild, game_id)
    if rival is None:
        is_own = user == interaction.user.id
        if not found.played:
            raise Refused("standing.none_yet" if is_own else "standing.nothing", **asked)
        if guild is None and not is_own:
            # With whom somebody plays on other servers is nobody's business here.
            found = replace(found, companions=[])
        name = escaped(found.played[-1].name)
        said = say("standing.player", name=name, matches=len(found.proper), wins=found.wins)
        picture = await draw(draw_player, found, scope)
    else:
        if rival == user:
            raise Refused("standing.same")
        await _check_may_be_shown(interaction, rival, public)
        mine = found.played
        theirs = (await store.read(queries.load_player, rival, guild, game_id)).played
        together = meetings(mine, theirs)
        if not together:
            raise Refused("standing.never_together", **asked)
        names = [escaped(one.name) for one in together[-1]]
        said = say("standing.pair", one=names[0], other=names[1], matches=len(together))
        picture = await draw(draw_pair, mine, theirs, scope)
    await reply.show(interaction, said, pictures=[picture], public=public)


@stats.autocomplete("player")
@stats.autocomplete("other")
@autocomplete
async def _complete_player(interaction: MotuInteraction, current: str) -> Choices:
    wanted = current.strip().casefold()
    known = await _known_people(interaction)
    named = sorted((name, str(user)) for user, name in known.items())
    return [(name, user) for name, user in named if wanted in name.casefold()]


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
    games = [meant_game(game)] if game.strip() else list(GAMES)
    most = LONG if game.strip() else SHORT
    kernel, pool = interaction.client.kernel, Pool(players)
    own = 0 if public else interaction.user.id
    await service(interaction, Standing).settled()
    board = Board(game="", guild=ALL_SERVERS, pool=pool)
    if pool is Pool.PEOPLE:
        board = Board(
            game="",
            guild=guild,
            everywhere=where == EVERYWHERE,
            least=LEAST,
            since=int(kernel.now()) - IDLE,
            most=most,
            besides=own,
        )
    boards = [
        (one, await kernel.store.read(queries.board, replace(board, game=one))) for one in games
    ]
    scope = say("standing.of_computers") if pool is Pool.COMPUTERS else _scope(interaction, where)
    note = say(f"standing.note_{pool}", settled=SETTLED, least=LEAST, days=IDLE // DAY)
    if await kernel.store.read(queries.has_unrated):
        note = say("standing.worked_out", note=note)
    picture = await interaction.client.pictures.draw(
        draw_leaderboard, boards, scope, note, pool, own
    )
    said = say("standing.board", scope=escaped(scope, 120))
    await reply.show(interaction, said, pictures=[picture], public=public)


async def _known_people(interaction: MotuInteraction) -> dict[int, str]:
    """Return the people who can be named: rated on this server, or played with, and not hidden.

    By their names in one line.
    """
    store, asker = interaction.client.kernel.store, interaction.user.id
    known = await store.read(queries.people_known_to, asker, interaction.guild_id)
    return {user: one_line(name) for user, name in known.items()}


async def _meant(interaction: MotuInteraction, typed: str) -> int:
    """Return whom a name, a mention or an id means; an unknown one is refused as if they had no
    results.
    """
    known = await _known_people(interaction)
    wanted = " ".join(typed.split()).casefold()
    named = [user for user, name in known.items() if name.casefold() == wanted]
    if len(named) > 1:
        raise Refused("standing.several")
    if named:
        return named[0]
    found = MENTION.fullmatch(typed.strip())
    user = int(found[1] or found[2]) if found else 0
    if not 0 < user <= LARGEST_ID:
        raise Refused("standing.nothing")
    return user


async def _check_may_be_shown(interaction: MotuInteraction, user: int, public: bool) -> None:
    """Refuse to show somebody who is hidden, or whom nobody here can know as a player."""
    client, asker = interaction.client, interaction.user.id
    if user == asker:
        if public and await hidden_players(client, [user]):
            raise Refused("standing.hidden_yourself")
    elif not await client.kernel.store.read(queries.is_known, user, interaction.guild_id, asker):
        raise Refused("standing.nothing")


def _scope(interaction: MotuInteraction, where: str) -> str:
    """Return in words which matches are meant."""
    guild = interaction.guild
    if where == EVERYWHERE or interaction.guild_id is None:
        return say("standing.on_all")
    return say("standing.on_server", server=one_line(guild.name, 40) if guild else "")
