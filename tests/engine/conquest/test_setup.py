"""Setting up, and the Turn Order Step."""

import pytest

from engine import Answer, Seat, begin
from engine.conquest import GAME
from engine.conquest.events import HomesSettled, MalariaStruck, StartPlaced
from engine.conquest.pieces import Kinds
from tests.engine.conquest.scenes import HIVA, RAIATEA, SAMOA, TONGA, Scene


@pytest.mark.parametrize(("seats", "box", "cup"), [(2, 29, 70), (3, 26, 65), (4, 25, 64)])
def test_tiles_and_markers_are_set_up_for_the_number_of_players(
    seats: int, box: int, cup: int
) -> None:
    """Three players place Hiva, Flint and Niue and two ocean markers; four also Raiatea; a
    marker goes for each.
    """
    state = begin(GAME, seats, seed=1).base
    assert (len(state.box), sum(state.cup)) == (box, cup)
    assert "te-waka-maui" not in state.box
    placed = {tile.key: tile.spot for tile in state.tiles}
    assert placed == dict(
        [("hiva", "l6"), ("flint", "j6"), ("niue", "g7"), ("raiatea", "j7")][
            : 0 if seats == 2 else seats
        ]
    )
    assert state.seas == (() if seats == 2 else ("h7", "k7"))


def test_each_home_begins_with_two_villages_and_two_warrior_bands_face_down() -> None:
    state = begin(GAME, 4, seed=2).base
    for seat, nation in enumerate(state.nations):
        assert state.group(nation.home).villages == 2
        assert state.pieces(seat, nation.home) == Kinds(b=2)
        assert nation.points == 4


def test_homes_are_drawn_by_lot() -> None:
    drawn = {tuple(n.people for n in begin(GAME, 3, seed=seed).base.nations) for seed in range(40)}
    assert len(drawn) == 6


def test_players_may_agree_where_they_start() -> None:
    """Seat by seat, and the last takes what is left."""
    match = begin(GAME, 3, {"homes": "pick"}, seed=1)
    assert match.waiting_for() == (0,)
    match = match.pick(Answer(Seat(0), "pick_home", ("hiva",))).confirm(Seat(0))
    assert [option.key for option in match.decisions(Seat(1))[0].options] == ["tonga", "samoa"]
    match = match.pick(Answer(Seat(1), "pick_home", ("samoa",))).confirm(Seat(1))
    settled = [event for event in match.events if isinstance(event, HomesSettled)]
    assert settled[0].people == ("hiva", "samoa", "tonga")


def test_all_tied_on_two_points_tonga_takes_the_marker() -> None:
    """A ruling: the tie list applies on the first turn."""
    play = Scene(4).turn()
    assert play.waiting() == (TONGA,)
    assert play.keys(TONGA) == [
        f"{p}-{way}" for p in ("tonga", "samoa", "hiva", "raiatea") for way in ("cw", "ccw")
    ]


@pytest.mark.parametrize(
    ("points", "holder"),
    [
        ((4, 4, 4, 4), TONGA),
        ((6, 4, 4, 4), RAIATEA),
        ((6, 4, 4, 6), HIVA),
        ((6, 4, 6, 6), SAMOA),
        ((6, 8, 5, 6), HIVA),
    ],
)
def test_the_last_on_the_track_takes_the_marker_ties_by_the_list(
    points: tuple[int, ...], holder: int
) -> None:
    """Tied for last: Tonga, Raiatea, Hiva, Samoa."""
    scene = Scene(4)
    for seat, number in enumerate(points):
        scene.nation(seat, points=number)
    assert scene.turn().waiting() == (holder,)


def test_the_holder_decides_who_goes_first_and_which_way_round() -> None:
    assert Scene(4).turn().do(TONGA, "hiva-cw").state.order == (HIVA, RAIATEA, TONGA, SAMOA)
    assert Scene(4).turn().do(TONGA, "hiva-ccw").state.order == (HIVA, SAMOA, TONGA, RAIATEA)


def test_two_players_only_say_who_goes_first() -> None:
    play = Scene(2).turn()
    assert play.keys(TONGA) == ["tonga", "samoa"]
    assert play.do(TONGA, "samoa").state.order == (SAMOA, TONGA)


@pytest.mark.parametrize("pieces", ["w,t", "b,c", "b,b", "r,t,t,b,r"])
def test_variable_start_pieces_are_worth_exactly_four_build_points(pieces: str) -> None:
    """For example a War Canoe and a Transport Canoe, a Warrior Band and a Colony, or two Warrior
    Bands; Rumors free.
    """
    match = begin(GAME, 2, {"start": "variable"}, seed=1)
    for key in pieces.split(","):
        keys = [option.key for option in match.decisions(Seat(0))[0].options]
        assert key in keys
        assert "done" not in keys or key == "r"
        match = match.pick(Answer(Seat(0), "add_start_piece", (key,)))
    match = match.confirm(Seat(0))
    assert match.waiting_for() == (1,)
    assert not match.base.stacks


def test_variable_start_is_chosen_in_secret_and_placed_together() -> None:
    match = begin(GAME, 2, {"start": "variable"}, seed=1)
    for seat, pieces in enumerate((("w", "t"), ("b", "b", "r"))):
        for key in pieces:
            match = match.pick(Answer(Seat(seat), "add_start_piece", (key,)))
        match = match.confirm(Seat(seat))
    placed = [event for event in match.events if isinstance(event, StartPlaced)]
    assert [event.pieces for event in placed] == [Kinds(w=1, t=1), Kinds(b=2, r=1)]
    assert placed[0].redacted() == StartPlaced(Seat(0), 2)


def test_ruling_rumors_come_on_top_of_exactly_four_points() -> None:
    match = begin(GAME, 2, {"start": "variable"}, seed=1)
    for key in ("b", "b"):
        match = match.pick(Answer(Seat(0), "add_start_piece", (key,)))
    assert [option.key for option in match.decisions(Seat(0))[0].options] == ["r", "done"]
    for key in ("r", "r"):
        match = match.pick(Answer(Seat(0), "add_start_piece", (key,)))
    assert match.draft(Seat(0)).answers[-1].keys == ("done",), (
        "with both Rumors chosen nothing is left to choose"
    )


def test_start_pieces_of_three_points_are_not_done() -> None:
    match = begin(GAME, 2, {"start": "variable"}, seed=1)
    match = match.pick(Answer(Seat(0), "add_start_piece", ("w",)))
    assert [option.key for option in match.decisions(Seat(0))[0].options] == ["t", "r"]


class TestMalaria:
    """Advanced rule: Melanesia."""

    @pytest.mark.parametrize(
        ("die", "spot"), [(1, "a5"), (2, "a5"), (3, "b6"), (4, "b6"), (5, "c6"), (6, "c7")]
    )
    def test_the_die_names_a_group_and_one_village_goes(self, die: int, spot: str) -> None:
        """1-2 Bismarck, 3-4 Solomons, 5 Santa Cruz, 6 Vanuatu."""
        scene = (
            Scene(3, malaria="on")
            .village(SAMOA, spot, 1 if spot == "c6" else 2)
            .having(malaria=True)
        )
        scene.pieces(SAMOA, spot, "1t")
        play = scene.turn_with(die)
        (event,) = play.events(MalariaStruck)
        assert (event.spot, event.owner) == (spot, SAMOA)
        assert play.state.group(spot).villages == (0 if spot == "c6" else 1)

    def test_an_independent_group_is_not_harmed(self) -> None:
        play = Scene(3, malaria="on").having(malaria=True).turn_with(1)
        assert [event.owner for event in play.events(MalariaStruck)] == [-1]

    def test_with_the_last_village_control_is_lost(self) -> None:
        scene = (
            Scene(3, malaria="on")
            .village(SAMOA, "c6", 1)
            .pieces(SAMOA, "c6", "1t")
            .having(malaria=True)
        )
        assert scene.turn_with(5).state.group("c6").owner == -1

    def test_improved_agriculture_stays(self) -> None:
        scene = Scene(3, malaria="on").village(SAMOA, "b6", 4, improved=1).pieces(SAMOA, "b6", "1t")
        group = scene.having(malaria=True).turn_with(3).state.group("b6")
        assert (group.villages, group.improved) == (3, 1)

    def test_it_begins_on_the_turn_after_someone_first_controls_a_group_there(self) -> None:
        """A ruling: no roll before, one every turn from then on."""
        quiet = Scene(3, malaria="on").turn_with(1)
        assert not quiet.events(MalariaStruck)
        settled = Scene(3, malaria="on").pieces(SAMOA, "c6", "1c 1r")
        settled.state = settled.state.with_group(
            settled.state.group("c6").__class__("c6", -1, 0, 0, True)
        )
        play = settled.building()
        play.do(TONGA, "done").do(HIVA, "done").do(SAMOA, "done")
        assert play.state.malaria
        assert play.events(MalariaStruck)

    def test_without_the_setting_there_is_none(self) -> None:
        settled = Scene(3).pieces(SAMOA, "c6", "1c 1r")
        settled.state = settled.state.with_group(
            settled.state.group("c6").__class__("c6", -1, 0, 0, True)
        )
        play = settled.building()
        play.do(TONGA, "done").do(HIVA, "done").do(SAMOA, "done")
        assert not play.state.malaria
