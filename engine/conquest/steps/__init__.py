"""The steps of the rulebook, a class each."""

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

SECRET_STEPS = (
    AddStartPiece,
    GiveBattleOrders,
    React,
    SettleAftermath,
    BuildInSecret,
    DeclareVictory,
    AnswerVictory,
)
"""Steps in which several answer at once and in secret: no Deforestation meanwhile, it would
change what they answer.
"""
