"""A Discord on this machine: REST v10 and the gateway, as far as Motu uses them, to play without a token and to test.

In a test, with the bot in a process of its own:

    async with LocalDiscord() as discord:
        process = …start the bot with discord.url and discord.token…
        await discord.ready()
        ana = discord.user("Ana")
        answer = await ana.slash("/game new", game="blue_lagoon")
        discord.faults.answer("POST", "/channels/*/messages", 429)   # the next post is rate limited once
        discord.gateway.drop()                                      # the socket breaks; the bot resumes
        discord.deny(discord.channel("general"), "send_messages")   # the bot may no longer post there
        assert discord.unknown_routes == [] and discord.crashes == []

`HandClock` lets tests pass 3 seconds or 15 minutes without waiting; see `bot.local.driver` for what people can do.
As its own process: `python -m bot.local --port 8123`. A bot is pointed at it with `point_at(url)`.
"""

from bot.local.clock import HandClock, WallClock
from bot.local.driver import Person, together
from bot.local.point import point_at
from bot.local.response import Response, Sight
from bot.local.server import LocalDiscord
from bot.local.slash import Impossible

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
