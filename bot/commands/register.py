"""All commands, and who serves which button or menu."""

from collections.abc import Coroutine
from typing import Any

from discord import app_commands

from bot.commands import (
    catch_up,
    export,
    games,
    help,
    lobby,
    look,
    me,
    past,
    plan,
    play,
    privacy,
    replay,
    review,
    rewind,
    rules,
    settings,
    solo,
    standing,
    vacation,
    votes,
)
from bot.components.items import (
    AgainItem,
    Asked,
    ControlItem,
    GamesItem,
    HelpItem,
    LobbyItem,
    MeItem,
    PastItem,
    PlanItem,
    RewindItem,
    RulesItem,
    ServerItem,
    TurnItem,
    VoteItem,
)
from bot.matches.seats import TAKE
from bot.panel import presses
from bot.reply import Acknowledgement
from bot.which_match import give_again

COMMANDS = (
    *solo.COMMANDS,
    *play.COMMANDS,
    *rewind.COMMANDS,
    *plan.COMMANDS,
    *look.COMMANDS,
    *review.COMMANDS,
    *standing.COMMANDS,
    *catch_up.COMMANDS,
    games.games,
    help.help_screen,
    *replay.COMMANDS,
    *export.COMMANDS,
    rules.rules,
    settings.settings,
)
"""All commands that stand alone."""

GROUPS = (lobby.game, vacation.vacation, me.me)
"""Those that have others behind their name; votes.py, pace.py and privacy.py add theirs to them."""

IN_DIRECT_MESSAGES = (
    "solo",
    "learn",
    "play",
    "undo",
    "rewind",
    "plan",
    "resign",
    "board",
    "hand",
    "log",
    "games",
    "rules",
    "review",
    "catchup",
    "help",
    "note",
    "me",
    "replay",
    "stats",
    "export",
    "verify",
    "vacation",
)
"""The commands that are of use without a server; all others are not offered there."""


def add_all(tree: app_commands.CommandTree[Any]) -> None:
    """Let a bot have all commands."""
    for group in GROUPS:
        tree.add_command(group)
    for command in COMMANDS:
        tree.add_command(command)
    for name in IN_DIRECT_MESSAGES:
        shown: Any = tree.get_command(name)
        shown.allowed_contexts = app_commands.AppCommandContext(dm_channel=True)


def acknowledgement_of(item: Any) -> Acknowledgement:
    """Return how a press of a button or menu is acknowledged."""
    match item:
        case LobbyItem() if item.fields["what"] not in lobby.PRIVATE_CONTROLS:
            return Acknowledgement.IN_PLACE
        case VoteItem() if item.fields["what"] != TAKE:
            return Acknowledgement.IN_PLACE
        case HelpItem() if item.fields["game"]:
            # It begins a match, whose lobby everyone may see.
            return Acknowledgement.IF_SLOW
    return Acknowledgement.AT_ONCE


def serve(interaction: Asked, item: Any) -> Coroutine[Any, Any, None]:
    """What a press leads to."""
    match item:
        case ControlItem():
            return presses.pressed(interaction, item.control, item.values)
        case LobbyItem():
            return lobby.pressed(interaction, item)
        case PastItem():
            return past.pressed(interaction, item)
        case TurnItem():
            return look.pressed(interaction, item)
        case PlanItem():
            return plan.pressed(interaction, item)
        case RewindItem():
            return rewind.pressed(interaction, item)
        case VoteItem():
            return votes.pressed(interaction, item)
        case RulesItem():
            return rules.turned(interaction, item)
        case HelpItem():
            return help.pressed(interaction, item)
        case GamesItem():
            return games.pressed(interaction, item)
        case MeItem() if item.fields["what"] in (privacy.FORGET, privacy.KEEP):
            return privacy.pressed(interaction, item)
        case MeItem():
            return me.pressed(interaction, item)
        case ServerItem():
            return settings.pressed(interaction, item)
        case AgainItem():
            return give_again(interaction, item)
    raise TypeError(f"nobody serves {type(item).__name__}")
