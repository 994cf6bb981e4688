"""The rules: pure functions over frozen states, without Discord, files or clocks."""

from engine.core.catalog import GAMES, find_game
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.errors import (
    BadSettings,
    EngineError,
    IllegalAnswer,
    Malformed,
    MatchOver,
    NotFinished,
    NothingToUndo,
    UnknownGame,
    UnreadableTurn,
)
from engine.core.event import Event, visible
from engine.core.game import Choice, Game, Outcome, Setting, View
from engine.core.match import Match, begin
from engine.core.record import Commit, Draft
from engine.core.save import load, save, snapshot
from engine.core.table import Table, commitment

__all__ = [
    "GAMES",
    "Answer",
    "BadSettings",
    "Choice",
    "Commit",
    "Decision",
    "Draft",
    "EngineError",
    "Event",
    "Game",
    "IllegalAnswer",
    "Malformed",
    "Match",
    "MatchOver",
    "NotFinished",
    "NothingToUndo",
    "Option",
    "Outcome",
    "Seat",
    "Setting",
    "Table",
    "UnknownGame",
    "UnreadableTurn",
    "View",
    "begin",
    "commitment",
    "find_game",
    "load",
    "save",
    "snapshot",
    "visible",
]
