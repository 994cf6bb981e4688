"""An emulator of Discord on this machine, as far as Motu uses Discord.

With it people play in a browser without a Discord account, and tests run the real bot. The bot is a
process of its own; `redirect.py` only points its discord.py here:

    browser tabs --HTTP, WebSocket--> LocalDiscord <--REST v10, gateway WebSocket-- bot (discord.py)
    tests ----------Python-----------^

Where to look:

    server.py         LocalDiscord: everything on one port, and what tests do with it
    model.py          the records: users, channels, messages, files
    state.py          all records, permissions, and listeners for changes; clock.py: the time
    table_file.py     saves the state from one start to the next
    rest.py           the REST API: authorization, errors, files. routes.py: its routes
    gateway.py        the WebSocket that tells the bot of events
    posting.py        messages made from what the bot sends
    interactions.py   commands, presses and forms, with their 3 seconds and 15 minutes
    components.py     the types of components, and how they contain each other
    command_limits.py, message_limits.py, component_limits.py, form_limits.py
                      what Discord refuses, with errors.py
    permissions.py    permission bits
    objects.py        Discord's JSON objects
    faults.py         failures on demand: 429, 500, broken connections, responses that hang
    person.py         people in tests, and what they see (response.py)
    slash.py, choosing.py, forms.py   commands, menus and forms as a client offers them
    command_line.py, suggestions.py   parse and complete a typed command
    table.py, tab.py  the page in the browser, and one open tab of it
    page_data.py, markdown.py, page/  the data that the page receives, and its JavaScript

What Motu does not use is missing: emoji on buttons, pictures in embeds, reactions,
private threads, thread members, and many routes. A request for one is refused or recorded in
`unknown_routes`.

    async with LocalDiscord() as discord:
        process = …start the bot with discord.url and discord.token…
        await discord.wait_until_ready()
        ana = discord.user("Ana")
        answer = await ana.slash("/game new", game="blue_lagoon")
        # The next message is rate limited once.
        discord.faults.respond_with("POST", "/channels/*/messages", 429)
        # The connection breaks, and the bot resumes.
        discord.gateway.drop()
        # The bot may no longer post there.
        discord.deny(discord.channel("general"), "send_messages")
        assert discord.unknown_routes == [] and discord.crashes == []

With a `ManualClock` tests let 3 seconds or 15 minutes pass without waiting. To run it as a process:
`python -m bot.local --port 8123`.
"""

from bot.local.clock import ManualClock, SystemClock
from bot.local.errors import Impossible
from bot.local.person import Person, together
from bot.local.redirect import point_at
from bot.local.response import Response, Snapshot
from bot.local.server import LocalDiscord

__all__ = [
    "Impossible",
    "LocalDiscord",
    "ManualClock",
    "Person",
    "Response",
    "Snapshot",
    "SystemClock",
    "point_at",
    "together",
]
