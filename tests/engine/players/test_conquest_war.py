"""Conquest's chief counts what others may have, defends what is in danger, and raids what pays."""

import pytest

from engine.conquest.state import State
from engine.players.conquest.battles import Defence, expect_attack, expect_battle
from engine.players.conquest.belief import Belief
from engine.players.conquest.chief import Chief
from engine.players.conquest.guard import Guard
from engine.players.conquest.raids import Raids
from engine.players.conquest.realm import Realm
from engine.players.conquest.stance import Stance
from tests.engine.conquest.scenes import SAMOA, TONGA, Play, Scene


def raids_of(state: State) -> Raids:
    """Return Tonga's raids."""
    belief = Belief(state)
    return Raids(Realm(state, TONGA), belief, Guard(state, TONGA, belief))


def answers(play: Play) -> list[str]:
    """Return the keys of the chief's next turn for Tonga."""
    turn = Chief(TONGA, Stance()).play_turn(play.state)
    return ["+".join(answer.keys) for answer in turn.answers]


def test_a_battle_is_expected_to_go_as_the_dice_do() -> None:
    even = expect_battle(2, 2, villages=2)
    assert even.win == 0.5
    # Wins of two and of one brave piece, one in four each.
    assert even.saved == pytest.approx(0.25 * 2 + 0.25 * 1)
    assert expect_attack(2, Defence(1, hidden=1, share=1.0), 2) == even
    unsure = expect_attack(2, Defence(1, hidden=1, share=0.5), 2)
    assert unsure.win == pytest.approx((0.75 + 0.5) / 2)


def test_two_rumors_are_thought_at_home_and_nowhere_else() -> None:
    scene = Scene(2).land(g8="rapa").village(SAMOA, "g8", 1)
    state = scene.pieces(SAMOA, "f7", "3b 2r").pieces(SAMOA, "g8", "3b").state
    belief = Belief(state)
    home, other = state.stacks_of(SAMOA)
    assert belief.count_candidates(home) == 3
    assert belief.count_candidates(other) == 3


def test_a_belief_rests_on_numbers_and_not_on_kinds() -> None:
    def arms(pieces: str) -> object:
        return Belief(Scene(2).pieces(SAMOA, "f7", pieces).state).arms_of(SAMOA)

    assert arms("6t") == arms("3w 3b") == arms("2c 2t 2r")


def test_who_spends_on_villages_in_sight_has_fewer_canoes_out_of_sight() -> None:
    def war_canoes(villages: int) -> float:
        scene = Scene(2).having(turn=4).village(SAMOA, "f7", villages)
        return Belief(scene.pieces(SAMOA, "f7", "4w 4b").state).arms_of(SAMOA).war_canoes

    assert war_canoes(2) > war_canoes(4)


def test_a_group_beside_a_rivals_stack_needs_guards() -> None:
    def guards(rival: str) -> int:
        state = Scene(2).pieces(SAMOA, rival, "3w 3b").state
        return Guard(state, TONGA, Belief(state)).guards_needed("f8")

    assert guards("f7") > guards("s8") >= 0


def test_a_band_lessens_a_danger_and_the_last_group_is_the_dearest() -> None:
    scene = Scene(2).land(g8="rapa").pieces(SAMOA, "f7", "3w 3b")
    alone = Guard(scene.state, TONGA, Belief(scene.state))
    assert alone.danger("f8", 2) > alone.danger("f8", 3) > 0
    state = scene.village(TONGA, "g8", 1).state
    assert Guard(state, TONGA, Belief(state)).danger("f8", 2) < alone.danger("f8", 2)


def test_a_bare_home_next_door_is_raided() -> None:
    play = Scene(2).village(SAMOA, "f7", 4).pieces(TONGA, "f8", "3w 3b").moving(TONGA)
    raid = raids_of(play.state).best_raid
    assert raid is not None and raid.target.spot == "f7"
    assert answers(play)[:2] == ["f8", "f7"]


def test_a_hopeless_attack_is_left_alone() -> None:
    scene = Scene(2).village(SAMOA, "f7", 4).pieces(SAMOA, "f7", "5w 5b")
    play = scene.pieces(TONGA, "f8", "1w").moving(TONGA)
    assert answers(play)[0] == "done"


def test_an_attack_does_not_leave_a_home_bare_for_little() -> None:
    """The lone Colony of a printed atoll is no reason to open the door to six fighters."""
    scene = Scene(2).having(turn=12).village(TONGA, "f8", 4).pieces(SAMOA, "f7", "4w 4b")
    scene.land(g8="rapa").village(SAMOA, "g8", 1)
    raids = raids_of(scene.pieces(TONGA, "f8", "1w 4b").moving(TONGA).state)
    target = next(target for target in raids.targets if target.spot == "g8")
    raid = raids.plan_raid(target)
    if raid is not None:
        ((_, force),) = raid.forces
        assert force.b <= 1


def test_a_threatened_home_builds_bands_first() -> None:
    scene = Scene(2).having(turn=4).village(TONGA, "f8", 3).pieces(TONGA, "f8", "1b")
    keys = answers(scene.pieces(SAMOA, "f7", "4w 4b").building())
    assert keys.index("b") < keys.index("v") if "v" in keys else "b" in keys
