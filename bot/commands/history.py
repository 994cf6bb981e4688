"""/board, /hand, /log, /rules, /games: looking at matches without touching them."""

import io
from collections.abc import Sequence
from itertools import count
from typing import Any

import discord
from discord import app_commands

from bot import board, ids, panel, private, reply, text
from bot.commands import completion
from bot.errors import NotFound, Refused
from bot.here import here, meant_game, my_match, my_seat, named, seat_of
from bot.items import Asked, RulesItem, TurnItem
from bot.parts import CHOICES, CONTENT, Menu, Row, choice, cut, lines_within
from bot.pictures import Picture
from bot.room import Room, Status
from engine import GAMES, Seat, find_game
from engine.core.words import words_of

LINES = 40
"""Log entries shown in a message; the file has them all."""


@app_commands.command(name="board", description="Show the board again")
@app_commands.describe(
    mine="As you alone see it, with your draft", in_words="The board in words", match="Which match, if several"
)
@app_commands.rename(in_words="text")
async def show_board(interaction: Asked, mine: bool = False, in_words: bool = False, match: str | None = None) -> None:
    """The public picture, the private one, or either in words."""
    room = await my_match(interaction, match, seated=mine)
    seat = my_seat(interaction, room) if mine else None
    text.playing(room)
    public = seat is None and not in_words and interaction.channel_id == room.info.place.posts_to
    await reply.acknowledge(interaction, private=not public)
    if in_words:
        await _in_words(interaction, room, seat)
    else:
        await _picture(interaction, room, seat)


async def _picture(interaction: Asked, room: Room, seat: Seat | None) -> None:
    if seat is not None:
        await _my_view(interaction, room)
        return
    picture = await interaction.client.pictures.board(text.playing(room).view(None), text.plain_names(room))
    await reply.show(interaction, _summary(room, None), pictures=[picture])


def _summary(room: Room, seat: Seat | None) -> str:
    over = text.playing(room).outcome is not None
    turn = text.ranking_lines(room) if over else [text.whose_turn(room)]
    return "\n".join([f"**{text.title(room)}**", *turn, *text.status_lines(room, seat)])


async def _in_words(interaction: Asked, room: Room, seat: Seat | None) -> None:
    view, scene = text.playing(room).view(seat), {}
    if seat is not None:
        made = panel.build(room, seat)
        scene = {"rings": made.rings, "question": made.question}
    said = await interaction.client.pictures.text_board(view, text.plain_names(room), **scene)
    if len(said) + 8 <= CONTENT:
        await reply.show(interaction, f"```\n{said.replace('```', '')}\n```")
        return
    picture = Picture(said.encode(), "The board in words", "board.txt")
    await reply.show(interaction, "The board in words:", pictures=[picture])


@app_commands.command(name="hand", description="Show what is yours in a match, for your eyes only")
@app_commands.describe(match="Which match, if you have several")
async def hand(interaction: Asked, match: str | None = None) -> None:
    """What lies before a player, in words, and the board as he sees it."""
    await reply.acknowledge(interaction)
    room = await my_match(interaction, match, seated=True)
    await _my_view(interaction, room, await _held(interaction, room, my_seat(interaction, room)))


async def _held(interaction: Asked, room: Room, seat: Seat) -> list[str]:
    """The lines of the board in words that are about this seat, each with its place, and what is its own alone."""
    match = text.playing(room)
    codes = tuple(f"P{number + 1}" for number in range(match.seats))
    lines = (await interaction.client.pictures.text_board(match.view(seat), codes)).splitlines()
    return _own_lines(lines, codes[seat])


def _own_lines(lines: Sequence[str], code: str) -> list[str]:
    """What a board in words says of a seat, with all that stands below a heading of its own."""
    found: list[str] = []
    below = False
    for line in lines:
        below = below and bool(line)
        if below or line.startswith("Your "):
            found.append(line)
        elif line.endswith(f"{code}:"):
            below = True
        elif own := _own_line(line, code):
            found.append(own)
    return found


def _own_line(line: str, code: str) -> str:
    """'F7 R P1: 2 face down' as 'F7: 2 face down', 'R P1: 5 points' as 'You: 5 points'; '' if it is another's."""
    before, mine, after = line.partition(f"{code}:")
    place = " ".join(before.split()[:-1]) or "You"
    return f"{place}: {after.strip()}" if mine else ""


async def _my_view(interaction: Asked, room: Room, held: Sequence[str] = ()) -> None:
    seat = my_seat(interaction, room)
    picture = await private.private_picture(interaction, room, seat, panel.build(room, seat))
    drafted = text.told_singly(room, text.playing(room).draft(seat).events, seat)
    lines = [_summary(room, seat), *held, *(f"Drafted: {line}" for line in drafted)]
    await reply.show(interaction, "\n".join(lines), pictures=[picture])


@app_commands.command(name="log", description="What happened so far")
@app_commands.describe(whole="Everything, as a file", match="Which match, if several")
async def log(interaction: Asked, whole: bool = False, match: str | None = None) -> None:
    """The log as the asker may know it."""
    await reply.acknowledge(interaction)
    room = await my_match(interaction, match, seated=False)
    await _show_log(interaction, room, whole)


async def _show_log(interaction: Asked, room: Room, whole: bool) -> None:
    text.playing(room)
    lines = await _log_lines(interaction, room)
    head = f"**{text.title(room)}** (`{room.info.id}`)"
    if room.info.status is Status.FINISHED:
        transcript = await interaction.client.matches.transcript(room.info.id)
        head = "\n".join([head, *board.unsealed(room)])
        await reply.tell(interaction, _log_text(head, lines), file=_file(transcript, room, "transcript"))
    elif whole:
        await reply.tell(interaction, head, file=_file("\n".join(lines), room, "log"))
    else:
        await reply.tell(interaction, _log_text(head, lines))


async def _log_lines(interaction: Asked, room: Room) -> list[str]:
    seat = seat_of(interaction, room)
    over = room.info.status is Status.FINISHED
    lines, numbers, view = [], count(1), text.playing(room).view(seat)
    for entry in await interaction.client.matches.history(room.info.id, seat):
        said = text.told(room, entry.events, seat, view)
        if said:
            # A gap in the numbers would tell of a commit that the asker may know nothing of.
            number = f"{entry.number if over else next(numbers)}. " if entry.number else ""
            lines.append(number + " ".join(said))
    return lines


def _log_text(head: str, lines: list[str]) -> str:
    shown = lines_within(lines[-LINES:], CONTENT - len(head) - 1, "…") if lines else ["Nothing has happened yet."]
    return "\n".join([head, *shown])


def _file(content: str, room: Room, what: str) -> discord.File:
    return discord.File(io.BytesIO(content.encode()), f"{room.info.game}-{room.info.id}-{what}.txt")


@app_commands.command(name="games", description="All your matches, those waiting for you first")
async def games(interaction: Asked) -> None:
    """The asker's open matches everywhere, with links."""
    await reply.acknowledge(interaction)
    rooms = await interaction.client.matches.of_user(interaction.user.id)
    if not rooms:
        await reply.tell(interaction, "You are in no match. `/game new` opens a lobby.")
        return
    lines = [_game_line(room, interaction.user.id) for room in rooms]
    shown: list[str] = []
    for line in lines:
        if sum(map(len, shown)) + len(shown) + len(line) > CONTENT - 40:
            shown.append(f"… and {len(lines) - len(shown)} more.")
            break
        shown.append(line)
    await reply.tell(interaction, "\n".join(shown))


def _game_line(room: Room, user: int) -> str:
    waits = room.match is not None and room.seat_of(user) in room.match.waiting_for()
    lead = "**Your move:** " if waits and room.info.status is Status.RUNNING else ""
    who = ", ".join(text.marked_names(room))
    return cut(f"- {lead}{text.title(room)} with {who}: {text.state_of(room)}", 400) + f" {text.link(room)}"


@app_commands.command(name="rules", description="How a game goes")
@app_commands.describe(topic="Which page", game="Which game")
async def rules(interaction: Asked, topic: str | None = None, game: str | None = None) -> None:
    """A page of the rules, privately."""
    await reply.acknowledge(interaction)
    await show_rules(interaction, await _ruled(interaction, game, topic), topic or "")


async def _ruled(interaction: Asked, game: str | None, topic: str | None) -> str:
    """The game meant: the one named, the one played here, one that has the topic, or the only one."""
    if game:
        return meant_game(game)
    played = {room.info.game for room in await here(interaction)}
    with_topic = {g for g in GAMES if topic and _topic(g, topic)}
    for candidates in (played & with_topic, played, with_topic, set(GAMES)):
        if len(candidates) == 1:
            return candidates.pop()
    raise Refused(f"Say which game with `game:`: {', '.join(GAMES)}.")


async def show_rules(interaction: Asked, game_id: str, topic: str) -> None:
    """A page of a game's rules with the menu of the others."""
    game, wording = find_game(game_id), words_of(game_id)
    if not wording.topics:
        raise NotFound(f"There is no rules help for {game.title} yet.")
    key = _topic(game_id, topic) if topic else next(iter(wording.topics))
    if not key:
        raise NotFound(f"There is no such page. Pages: {', '.join(wording.topics)}.")
    page = wording.topics[key]
    said = f"**{game.title}: {page.get('title', key)}**\n{page.get('text', '')}"
    await reply.tell(interaction, said, _pages(game_id, key))


def _pages(game_id: str, shown: str) -> list[Row]:
    topics = words_of(game_id).topics
    lines = tuple(
        choice(key, page.get("title", key), chosen=key == shown) for key, page in list(topics.items())[:CHOICES]
    )
    return [Menu(ids.rules(game_id), "Another page", lines)] if len(lines) > 1 else []


def _topic(game_id: str, typed: str) -> str:
    """A topic's key, from its key or title in any case."""
    wanted = typed.strip().casefold()
    topics = words_of(game_id).topics
    return next((key for key, page in topics.items() if wanted in (key, page.get("title", "").casefold())), "")


async def turned(interaction: Asked, item: RulesItem) -> None:
    """Another page was chosen: the private message shows it."""
    game_id, topic = item.fields["game"], item.values[0] if item.values else item.fields["topic"]
    key = _topic(find_game(game_id).id, topic)
    if not key:
        raise NotFound("That page of the rules is gone. `/rules` shows those there are.")
    page = words_of(game_id).topics[key]
    await reply.acknowledge(interaction)
    said = f"**{find_game(game_id).title}: {page.get('title', key)}**\n{page.get('text', '')}"
    await reply.show(interaction, said, _pages(game_id, key))


async def pressed(interaction: Asked, item: TurnItem) -> None:
    """A button under a turn was pressed; the answer is private."""
    await reply.acknowledge(interaction)
    room = await named(interaction, item.fields["match"])
    match item.fields["what"]:
        case "move":
            await private.open_panel(interaction, room)
        case "view":
            await _watched(interaction, room)
        case "log":
            await _show_log(interaction, room, whole=False)
        case "rules":
            await show_rules(interaction, room.info.game, "")
        case _:
            raise Refused("This button is of another time. `/play` opens your panel.")


async def _watched(interaction: Asked, room: Room) -> None:
    """My view: a player's own, or for a watcher what everyone sees."""
    await _picture(interaction, room, seat_of(interaction, room))


@show_board.autocomplete("match")
@hand.autocomplete("match")
@log.autocomplete("match")
async def _complete_match(interaction: Asked, current: str) -> completion.Choices:
    return await completion.matches(interaction, current)


@rules.autocomplete("topic")
async def _complete_topic(interaction: Asked, current: str) -> completion.Choices:
    return await completion.topics(interaction, current)


@rules.autocomplete("game")
async def _complete_game(interaction: Asked, current: str) -> completion.Choices:
    return await completion.games(interaction, current)


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (show_board, hand, log, games, rules)
