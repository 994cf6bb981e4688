"""Each player knows what they would know at the table, in the middle of everything."""

from random import Random

import pytest

from engine import Match, Seat, Table, load, snapshot, visible
from engine.conquest import GAME
from engine.conquest.sea_events import Sailed
from tests.contract import checks
from tests.contract.player import play
from tests.engine.conquest.scenes import SAMOA, TONGA, Scene
from tests.engine.conquest.wars import war


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_nothing_shown_in_a_war_depends_on_hidden_information(seats: int, seed: int) -> None:
    rng = Random(f"secrets {seed}")
    for act, (_, _, after) in enumerate(play(war(seats, seed), rng)):
        if act % 8 == 0:
            checks.check_secrets(after, rng)
        checks.check_questions(after)
        if after.number > 60:
            break


@pytest.mark.parametrize("seed", range(4))
def test_a_redeal_changes_hidden_information(seed: int) -> None:
    """Were it to change nothing, the check above could not fail."""
    match = war(4, seed)
    dealt = GAME.redeal(match.base, Seat(0), Table("other"))
    assert dealt.stacks != match.base.stacks
    assert [n.hand for n in dealt.nations[1:]] != [n.hand for n in match.base.nations[1:]]
    assert dealt.nations[0] == match.base.nations[0]
    assert {tile.spot for tile in dealt.tiles} == {tile.spot for tile in match.base.tiles}


@pytest.mark.parametrize("seed", range(4))
def test_a_redeal_leaves_every_sea_afloat_and_no_piece_lost(seed: int) -> None:
    match = war(4, seed)
    dealt = GAME.redeal(match.base, None, Table("other"))
    for stack in dealt.stacks:
        before = match.base.stack(stack.seat, stack.spot)
        assert before is not None
        assert before.kinds.total == stack.kinds.total
        if GAME.view(dealt, None).hex_at[stack.spot].face == "sea":
            assert stack.kinds.is_afloat


def hidden_words(match: Match, viewer: Seat | None) -> str:
    """Return everything in a view as text."""
    return repr(match.view(viewer))


def test_a_spectator_sees_numbers_and_not_kinds() -> None:
    view = Scene(3).pieces(TONGA, "f8", "2w 1b").moving(TONGA).match.view(None)
    (stack,) = view.stacks  # type: ignore[attr-defined]
    assert stack.count == 3
    assert stack.hidden == 3
    assert not stack.open
    assert stack.kinds is None


def test_owners_see_their_own_kinds_pieces_and_cards() -> None:
    view = (
        Scene(3).pieces(TONGA, "f8", "2w 1b").cards(TONGA, "haka").moving(TONGA).match.view(TONGA)
    )
    assert view.stacks[0].kinds.w == 2  # type: ignore[attr-defined]
    assert view.own.unbuilt.w == 4  # type: ignore[attr-defined]
    assert [card.key for card in view.own.hand] == ["haka"]  # type: ignore[attr-defined]


def test_a_face_down_tile_has_a_name_for_its_discoverers_only() -> None:
    match = Scene(3).hidden("g8", "rapa", SAMOA).exploring(TONGA).match
    assert match.view(SAMOA).hex_at["g8"].key == "rapa"  # type: ignore[attr-defined]
    for viewer in (TONGA, None):
        assert match.view(viewer).hex_at["g8"].key == ""  # type: ignore[attr-defined]
        assert "rapa" not in hidden_words(match, viewer).replace("rapa-nui", "")


def test_a_fleet_under_way_is_a_number_to_others() -> None:
    scene = Scene(3).sea("g8", "h9").pieces(TONGA, "f8", "1w 1t").pieces(SAMOA, "g8", "2t")
    play_ = scene.moving(TONGA).do(TONGA, "f8,g8-on,all")
    (fleet,) = play_.match.view(SAMOA).fleets  # type: ignore[attr-defined]
    assert (fleet.at, fleet.count, fleet.kinds) == ("g8", 2, None)
    sailed = [event for event in visible(play_.last_events, SAMOA) if isinstance(event, Sailed)]
    assert [event.pieces for event in sailed] == [None]


def test_pieces_in_a_battle_are_open_to_all() -> None:
    scene = (
        Scene(3)
        .sea("g8")
        .pieces(TONGA, "f8", "2w 1b")
        .pieces(SAMOA, "g8", "2w")
        .nation(TONGA, losses="ask")
    )
    play_ = scene.moving(TONGA).do(TONGA, "f8,g8,all,done", 2)
    battle = play_.match.view(None).battle  # type: ignore[attr-defined]
    assert [(row.w, row.b) for row in battle.rows] == [(2, 1), (2, 0)]
    assert [roll.die for roll in battle.rolls] == [2]


def test_a_snapshot_stays_small() -> None:
    """A late position of four players takes less than 10 KB, and loads as it was."""
    for seed in range(4):
        match = war(4, seed)
        data = snapshot(match)
        assert len(data) < 10_000
        assert load(data) == match
