"""A Discord on this machine, as far as Motu uses one: to play in a browser without a token, and to
test the bot.

The bot is the real one in a process of its own. Only `redirect.py` tells its discord.py to come
here:

    browser tabs --HTTP, WebSocket--> LocalDiscord <--REST v10, gateway WebSocket-- bot (discord.py)
    tests ----------Python-----------^

Where to look:

    server.py         LocalDiscord: all of it on one port; what tests do with it
    model.py          people, channels, messages, files
    state.py          people, channels and messages, and who hears of changes; clock.py: the time
    table_file.py     keeps it from one start to the next
    rest.py           what the bot asks for: login, errors, files. routes.py: route by route
    gateway.py        what the bot is told
    posting.py        messages out of what the bot sends
    interactions.py   commands, presses and completions, with their 3 seconds and 15 minutes
    command_limits.py, message_limits.py   what Discord refuses, in errors.py's words
    permissions.py    what a bot may do where
    objects.py        all of it as Discord's JSON
    faults.py         trouble on demand: 429, 500, cut lines, answers that hang
    person.py         people in tests, and what they see (response.py)
    slash.py          the commands as a client offers them
    command_line.py, suggestions.py   read and complete a typed command
    table.py, tab.py  the page in the browser, and one open tab of it
    page_data.py, markdown.py, page/  what a page is sent, and what runs in it

What it does not have is not needed: modals, Components V2, embeds with pictures, reactions,
private threads, members of threads, and routes that nobody asks for. A request for one is refused
or noted in `unknown_routes`.

    async with LocalDiscord() as discord:
        process = …start the bot with discord.url and discord.token…
        await discord.ready()
        ana = discord.user("Ana")
        answer = await ana.slash("/game new", game="blue_lagoon")
        # The next post is rate limited once.
        discord.faults.answer("POST", "/channels/*/messages", 429)
        # The socket breaks, and the bot resumes.
        discord.gateway.drop()
        # The bot may no longer post there.
        discord.deny(discord.channel("general"), "send_messages")
        assert discord.unknown_routes == [] and discord.crashes == []

With a `HandClock` tests pass 3 seconds or 15 minutes without waiting. As a process: `python -m
bot.local --port 8123`.
"""

from bot.local.clock import HandClock, WallClock
from bot.local.errors import Impossible
from bot.local.person import Person, together
from bot.local.redirect import point_at
from bot.local.response import Response, Sight
from bot.local.server import LocalDiscord

__all__ = [
    "HandClock",
    "Impossible",
    "LocalDiscord",
    "Person",
    "Response",
    "Sight",
    "WallClock",
    "point_at",
    "together",
]
