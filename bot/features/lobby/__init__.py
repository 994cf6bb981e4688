"""Lobbies: opened, joined, set up and started; solo matches and rematches too.

service.py         what can be done to a match before it begins
rules.py           what may happen then: pure functions
game_settings.py   the settings of a game, read and offered
opening_rules.py   who may open a match, and where
opening.py         /game new
solo.py            /solo and /learn
maps.py            /game map
actions.py         what people do to a lobby, by button or by command
commands.py        /game join, leave, start, cancel
buttons.py         the buttons and menus of a lobby
computer_seats.py  the button Add computer
time_terms.py      the button Time…
terms_notices.py   tells those who sit in a lobby that the time has changed
rematch.py         the button Rematch
moving.py          /game move
controls.py        the ids of a lobby's buttons and menus
messages.py        what a lobby's message says
posts.py           lobby messages, made and kept up to date
"""

from bot.features.lobby import buttons, commands, computer_seats, maps, moving, opening, rematch, solo, time_terms
from bot.features.lobby.posts import LobbyMessages
from bot.features.lobby.service import Lobby
from bot.features.lobby.terms_notices import TermsNotices
from bot.features.reminders.service import TERMS, Reminders
from bot.features.server_settings.limits import Limits
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.client import MotuClient
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what works without Discord."""
    return Parts(services=(Lobby(kernel, kernel.services.require(Limits)),))


def connect(client: MotuClient) -> Parts:
    """Make what posts and edits the messages of lobbies."""
    lobby, reminders = client.services.require(Lobby), client.services.require(Reminders)
    messages = LobbyMessages(client, lobby, reminders)
    notices = TermsNotices(client, reminders)
    return Parts(
        services=(messages, notices, time_terms.TermsOfLobbies()),
        jobs={TERMS: notices.tell_after_quiet_hours},
        subscribers=(messages.on_change,),
        on_result=(messages.show_result,),
        on_start=(messages.start,),
        on_close=(messages.close,),
    )


FEATURE = Feature(
    name="lobby",
    build=build,
    connect=connect,
    commands=(solo.solo, solo.learn),
    subcommands={
        "game": (
            opening.new,
            commands.join,
            commands.leave,
            commands.start,
            commands.cancel,
            maps.change_map,
            moving.move,
        )
    },
    items=(
        buttons.LobbyControl,
        computer_seats.ComputerControl,
        time_terms.TimeControl,
        rematch.RematchButton,
    ),
)
