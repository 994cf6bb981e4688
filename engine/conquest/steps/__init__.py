"""The steps of the rulebook, one class each; a module covers one Step of the turn.

Saved matches keep steps by class name and fields, so a class or field is never renamed.

setup.py       Homes and pieces at the start
order.py       Turn Order Step, and the sequence of a turn
explore.py     Exploration Step; kumara.py: the search for Kumara
movement.py    Movement, up to the Battles
battle.py      Battles; aftermath.py: retreat and conquest; after_loss.py: lost Homes, elimination
build.py       Building Step
victory.py     Victory Step
"""

from engine.conquest.steps.after_loss import CheckEmpires, NameHome
from engine.conquest.steps.aftermath import SettleAftermath, SettleBattle
from engine.conquest.steps.battle import (
    EndBattle,
    FormRows,
    GiveBattleOrders,
    NextBattle,
    OpenBattle,
    PickBattle,
    React,
    RollBattle,
    SettleRoll,
    TakeCasualty,
)
from engine.conquest.steps.build import (
    BeginBuilding,
    BuildAhead,
    BuildInSecret,
    RevealBuilds,
    ShowCards,
)
from engine.conquest.steps.explore import (
    BeginExploration,
    DrawMarker,
    EndExploration,
    ExploreOn,
    KeepTile,
    LaunchExplorer,
    LookAtTile,
    SetCourse,
)
from engine.conquest.steps.kumara import RollKumara, SailEast
from engine.conquest.steps.movement import (
    AskHex,
    BeginMovement,
    EndMovement,
    MoveStack,
    MoveTo,
    PickCompany,
    PickPieces,
)
from engine.conquest.steps.order import BeginTurn, ChooseFirst, EndTurn, GiveMarker, StrikeMalaria
from engine.conquest.steps.setup import AddStartPiece, PickHome, PlaceHomes, RevealStart
from engine.conquest.steps.victory import (
    AnswerVictory,
    CountAgain,
    CountPoints,
    DeclareVictory,
    FellDeclared,
    HearDeclarations,
    Recount,
)

AnyStep = (
    PickHome
    | PlaceHomes
    | AddStartPiece
    | RevealStart
    | BeginTurn
    | StrikeMalaria
    | GiveMarker
    | ChooseFirst
    | BeginExploration
    | LaunchExplorer
    | DrawMarker
    | LookAtTile
    | KeepTile
    | ExploreOn
    | SetCourse
    | RollKumara
    | SailEast
    | EndExploration
    | BeginMovement
    | PickCompany
    | PickPieces
    | MoveStack
    | MoveTo
    | AskHex
    | EndMovement
    | NextBattle
    | PickBattle
    | OpenBattle
    | GiveBattleOrders
    | FormRows
    | RollBattle
    | React
    | SettleRoll
    | TakeCasualty
    | EndBattle
    | SettleAftermath
    | SettleBattle
    | CheckEmpires
    | NameHome
    | BeginBuilding
    | BuildAhead
    | BuildInSecret
    | RevealBuilds
    | ShowCards
    | CountPoints
    | DeclareVictory
    | HearDeclarations
    | AnswerVictory
    | FellDeclared
    | Recount
    | CountAgain
    | EndTurn
)
"""Every step that can be on the agenda; msgspec decodes saved agendas by this union."""

SECRET_STEPS = (
    AddStartPiece,
    GiveBattleOrders,
    React,
    SettleAftermath,
    BuildInSecret,
    DeclareVictory,
    AnswerVictory,
)
"""Steps in which several seats answer at once and in secret. Deforestation may not be played
meanwhile, as it would change what they are answering.
"""
