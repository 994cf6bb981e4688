"""/stats and /leaderboard: how people stand.

Whoever wants to be shown to nobody, whoever has no result here and whoever does not exist get the same answer.
"""

import re
from typing import Any

from discord import app_commands
from msgspec.structs import replace

from bot import reply
from bot.clock import DAY
from bot.commands import completion
from bot.components.items import Asked
from bot.components.parts import CHOICES
from bot.errors import Refused
from bot.matches.rating import IDLE, LEAST, SETTLED, Pool
from bot.text import say
from bot.text.names import escaped, one_line
from bot.which_match import meant_game, must_be_in_server
from engine import GAMES

MENTION = re.compile(r"<@!?(\d{1,19})>|(\d{1,19})")
LARGEST_ID = 2**63 - 1
"""As large as a database can look up; Discord gives out no larger one."""
HERE, EVERYWHERE = "here", "everywhere"
LONG, SHORT = 15, 5
"""How many are listed of one game, and of each if all are shown."""

WHERE = [app_commands.Choice(name=say(f"standing.{where}"), value=where) for where in (HERE, EVERYWHERE)]


@app_commands.command(name="stats", description=say("command.stats.description"), extras=reply.IF_SLOW)
@app_commands.describe(
    player=say("command.stats.player"),
    other=say("command.stats.other"),
    game_id=say("command.stats.game"),
    where=say("command.stats.where"),
    public=say("command.stats.public"),
)
@app_commands.choices(where=WHERE)
@app_commands.rename(game_id="game", other="with")
async def stats(
    interaction: Asked,
    player: str = "",
    other: str = "",
    game_id: str = "",
    where: str = HERE,
    public: bool = False,
) -> None:
    """What is told of a player, or of two who have played together."""
    game = meant_game(game_id) if game_id.strip() else None
    user = await _meant(interaction, player) if player.strip() else interaction.user.id
    rival = await _meant(interaction, other) if other.strip() else None
    await _check_may_be_shown(interaction, user, public)
    if rival is not None:
        if rival == user:
            raise Refused(say("standing.same"))
        await _check_may_be_shown(interaction, rival, public)
    if rival is None:
        await _show_player(interaction, user, game, where, public)
    else:
        await _show_pair(interaction, (user, rival), game, where, public)


async def _show_player(interaction: Asked, user: int, game: str | None, where: str, public: bool) -> None:
    standing, guild = interaction.client.matches.standing, _guild(interaction, where)
    found = await standing.of_player(user, guild, game)
    if guild is None and user != interaction.user.id:
        # With whom somebody plays on other servers is nobody's business here.
        found = replace(found, favourite=None)
    if not found.name:
        is_own = user == interaction.user.id
        raise Refused(
            say("standing.none_yet", **_facts(interaction, game, where)) if is_own else say("standing.nothing")
        )
    picture = await interaction.client.pictures.player_sheet(found, _scope(interaction, where))
    facts = {"name": escaped(found.name), "matches": found.matches, "wins": found.wins}
    await reply.show(interaction, say("standing.player", **facts), pictures=[picture], public=public)


async def _show_pair(interaction: Asked, users: tuple[int, int], game: str | None, where: str, public: bool) -> None:
    standing, guild = interaction.client.matches.standing, _guild(interaction, where)
    found = await standing.of_pair(*users, guild, game)
    if found is None:
        raise Refused(say("standing.never_together", **_facts(interaction, game, where)))
    most = found.games[0].game
    curves = [(await standing.of_player(user, guild, most)).curve for user in users]
    picture = await interaction.client.pictures.pair_sheet(found, _scope(interaction, where), curves)
    one, other = map(escaped, found.names)
    said = say("standing.pair", one=one, other=other, matches=len(found.meetings))
    await reply.show(interaction, said, pictures=[picture], public=public)


@app_commands.command(name="leaderboard", description=say("command.leaderboard.description"), extras=reply.IF_SLOW)
@app_commands.describe(
    game_id=say("command.leaderboard.game"),
    where=say("command.leaderboard.where"),
    players=say("command.leaderboard.players"),
    public=say("command.stats.public"),
)
@app_commands.choices(
    where=WHERE,
    players=[app_commands.Choice(name=say(f"standing.{pool}"), value=pool) for pool in Pool],
)
@app_commands.rename(game_id="game")
async def leaderboard(
    interaction: Asked, game_id: str = "", where: str = HERE, players: str = Pool.PEOPLE, public: bool = False
) -> None:
    """The ratings of a server in one game, or the best in each."""
    guild = must_be_in_server(interaction)
    games = [meant_game(game_id)] if game_id.strip() else list(GAMES)
    standing, pool, own = interaction.client.matches.standing, Pool(players), 0 if public else interaction.user.id
    most = LONG if game_id.strip() else SHORT
    boards = [(game, await standing.board(game, guild, pool, where == EVERYWHERE, most, own)) for game in games]
    scope = say("standing.of_computers") if pool is Pool.COMPUTERS else _scope(interaction, where)
    note = say(f"standing.note_{pool}", settled=SETTLED, least=LEAST, days=IDLE // DAY)
    if await standing.is_being_worked_out():
        note = say("standing.worked_out", note=note)
    picture = await interaction.client.pictures.leaderboard(boards, scope, note, pool, own)
    said = say("standing.board", scope=escaped(scope, 120))
    await reply.show(interaction, said, pictures=[picture], public=public)


async def _meant(interaction: Asked, typed: str) -> int:
    """Whom somebody means by a name, a mention or an id; refused as if they had no results if nobody is."""
    known = await _known(interaction)
    wanted = " ".join(typed.split()).casefold()
    called = [user for user, name in known if one_line(name).casefold() == wanted]
    if len(called) > 1:
        raise Refused(say("standing.several"))
    if called:
        return called[0]
    found = MENTION.fullmatch(typed.strip())
    user = int(found[1] or found[2]) if found else 0
    if not 0 < user <= LARGEST_ID:
        raise Refused(say("standing.nothing"))
    return user


async def _known(interaction: Asked) -> list[tuple[int, str]]:
    """People who can be named: those who are rated on the server, or with whom the asker has played; nobody hidden."""
    standing = interaction.client.matches.standing
    found = dict(await standing.company_of(interaction.user.id))
    if interaction.guild_id is not None:
        found |= dict(await standing.people_of(interaction.guild_id))
    return list(found.items())


async def _check_may_be_shown(interaction: Asked, user: int, public: bool) -> None:
    """Refuse to show somebody who does not want it, or of whom nobody here can know that they play."""
    standing, guild = interaction.client.matches.standing, interaction.guild_id
    is_hidden = await standing.is_hidden(user)
    if user == interaction.user.id:
        if is_hidden and public:
            raise Refused(say("standing.hidden_yourself"))
        return
    if is_hidden or not await standing.is_known_here(user, guild, interaction.user.id):
        raise Refused(say("standing.nothing"))


def _guild(interaction: Asked, where: str) -> int | None:
    """The server whose matches are meant; None for all."""
    return None if where == EVERYWHERE else interaction.guild_id


def _scope(interaction: Asked, where: str) -> str:
    guild = interaction.guild
    if where == EVERYWHERE or interaction.guild_id is None:
        return say("standing.on_all")
    return say("standing.on_server", server=one_line(guild.name, 40) if guild else "")


def _facts(interaction: Asked, game: str | None, where: str) -> dict[str, Any]:
    """Of what somebody wanted to know it, for a refusal."""
    return {"game": GAMES[game].title if game else None, "scope": escaped(_scope(interaction, where), 120)}


@stats.autocomplete("player")
@stats.autocomplete("other")
@completion.quiet
async def _complete_player(interaction: Asked, current: str) -> completion.Choices:
    wanted = current.strip().casefold()
    named = sorted((one_line(name), str(user)) for user, name in await _known(interaction))
    return completion.choices([(name, user) for name, user in named if wanted in name.casefold()][:CHOICES])


completion.offer(completion.games, "game_id", stats, leaderboard)


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (stats, leaderboard)
