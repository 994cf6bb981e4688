"""The plain player of Conquest explores, settles, builds, links up and declares."""

from random import Random

import pytest

from engine import Match, Seat, begin
from engine.conquest import GAME
from engine.conquest.battle_events import BattleJoined
from engine.conquest.events import Built, ColoniesSettled, VictoryDeclared
from engine.conquest.sea_events import MarkerDrawn, Sailed
from engine.players.conquest.plain import plain_answer
from engine.players.simple import stand_in
from tests.contract.player import play
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Play, Scene
from tests.engine.conquest.wars import war

ADVANCED = {
    "start": "variable",
    "saved": "on",
    "malaria": "on",
    "south_island": "on",
    "kumara": "on",
}


def played(match: Match) -> Match:
    """Play a match between plain players."""
    while match.outcome is None:
        match = stand_in(match, match.waiting_for()[0])
    return match


@pytest.mark.parametrize(("seats", "settings"), [(2, {}), (3, {}), (4, ADVANCED)])
def test_plain_players_explore_sail_settle_build_and_declare(
    seats: int, settings: dict[str, str]
) -> None:
    match = played(begin(GAME, seats, settings, "plain"))
    assert match.outcome is not None
    assert match.outcome.reason == "declared"
    for wanted in (MarkerDrawn, Sailed, ColoniesSettled, Built, VictoryDeclared):
        seen = {event.seat for event in match.events if isinstance(event, wanted)}  # type: ignore[attr-defined]
        assert len(seen) == seats or wanted is VictoryDeclared, wanted
    assert not any(isinstance(event, BattleJoined) for event in match.events)


@pytest.mark.parametrize("seed", range(4))
def test_its_answers_are_legal_in_the_middle_of_a_war(seed: int) -> None:
    rng, asked = Random(f"plain {seed}"), 0
    for _, _, after in play(war(3, seed), rng):
        for seat in map(Seat, range(after.seats)):
            for decision in after.decisions(seat):
                keys = plain_answer(after.view(seat), decision)
                if keys is not None:
                    decision.check(keys)
                    asked += 1
        if after.number > 80:
            break
    assert asked > 50


def plain(play: Play, seat: int) -> list[str]:
    """Return the keys of the plain player's next turn."""
    answers = stand_in(play.match, Seat(seat)).commits[-1].answers
    return ["+".join(answer.keys) for answer in answers]


def test_a_colony_is_carried_to_free_land() -> None:
    scene = Scene(3).land(g8="rapa").village(SAMOA, "g7", 1).pieces(TONGA, "f8", "1t 1c 2b")
    assert plain(scene.moving(TONGA), TONGA)[:2] == ["f8", "g8"]


def test_a_colony_that_has_arrived_stays_and_settles() -> None:
    scene = Scene(3).land(g8="rapa").pieces(TONGA, "g8", "1t 1c")
    assert plain(scene.moving(TONGA), TONGA)[0] == "done"
    play = scene.building().do(SAMOA, "done").do(HIVA, "done")
    assert stand_in(play.match, TONGA).base.group("g8").owner == TONGA


def test_a_canoe_fills_the_gap_of_a_chain_and_is_opened() -> None:
    scene = Scene(3).sea("g8").land(h9="rapa").village(TONGA, "h9", 1)
    scene.pieces(TONGA, "f8", "1t").add_open_canoes(TONGA, "f8", "h9")
    match = stand_in(scene.moving(TONGA).match, TONGA)
    assert match.base.nations[TONGA].points == 2 * 5


def test_a_seat_with_enough_points_declares_and_deforestation_answers() -> None:
    scene = Scene(2, goal="-3").village(TONGA, "f8", 4, improved=1).cards(SAMOA, "forest")
    scene.land(
        g8="hawaii",
        h8="tahiti",
        h9="aotearoa",
        j8="hawaiki",
        j9="kuporu",
        k8="tuamotu",
        k9="raiatea",
    )
    for spot, villages in (
        ("g8", 3),
        ("h8", 3),
        ("h9", 3),
        ("j8", 3),
        ("j9", 2),
        ("k8", 2),
        ("k9", 2),
    ):
        scene.village(TONGA, spot, villages)
    scene.add_open_canoes(TONGA, "f8", "g8", "h8")
    match = stand_in(scene.victory().match, TONGA)
    assert match.waiting_for() == (SAMOA,)
    answers = stand_in(match, SAMOA).commits[-1].answers
    assert [answer.kind for answer in answers] == ["answer_victory", "pick_village"]
