"""Alt texts tell the whole position, in fewer words where it is crowded, and leave nobody and no
place out.
"""

import re

import pytest
from msgspec.structs import replace

from engine import Answer, Match
from render import Scene, alt_text
from render.alt import LIMIT, LONGEST_PART, compose, fullest
from render.sample import NAMES, played, scene_of
from tests.contract.games import every_size
from tests.render import conquest_positions, maori_positions
from tests.render.positions import match_of

LONG = tuple(f"{name} of the far Windward Isles"[:32] for name in NAMES)
NEWS = ("Moana sails from Rapa Nui to Hiva. " * 9)[:LONGEST_PART]
REAL = [
    (game, seats)
    for game, seats in every_size()
    if game in ("blue_lagoon", "maori", "polynesia", "conquest")
]


@pytest.mark.parametrize(("game", "seats"), REAL)
def test_nothing_of_a_board_is_cut_however_crowded_it_is(game: str, seats: int) -> None:
    for match in list(played(game, seats, 4, {"last_turn": "12"} if game == "conquest" else None))[
        ::17
    ]:
        for names in (NAMES[:seats], LONG[:seats]):
            for viewer in (None, *match.waiting_for()[:1]):
                rings = scene_of(match).rings if viewer is not None else ()
                asked = (
                    "Which of all these do you choose? You have 12 settlers and 3 villages left."
                )
                scene = Scene(names, rings, asked if viewer is not None else "", NEWS)
                text = alt_text(match.view(viewer), scene)
                board = text[text.index(" Board: ") :]
                assert len(text) <= LIMIT
                assert "…" not in board, text
                assert ("Legal: " in board) == bool(rings)
                assert all(
                    f"{letter} {name[:12]}" in text
                    for letter, name in zip("RYVWK", names, strict=False)
                ), text


def test_a_board_too_long_is_told_in_fewer_words() -> None:
    seats, crowded = ["R Ana: 3 points"], [f"A{number} settler" for number in range(200)]
    assert fullest(["Game"], seats, [crowded, ["short"]], Scene((), ("a1",))).endswith(
        "points. Board: short. Legal: A1."
    )
    assert fullest(["Game"], seats, [["long"], ["short"]], Scene(())).endswith("Board: long.")
    # What is asked and told is cut before the last board is.
    board = ["settler " * 92 + "at G7"]
    text = fullest(["Game", "asked " * 25, "told " * 30], seats, [crowded, board], Scene(()))
    assert "…" in text and text.endswith("settler at G7.")


def test_what_is_legal_has_its_room_before_the_board() -> None:
    told = compose(["Game"], ["R Ana: 3 points"], ["region " * 20] * 20, Scene((), ("a1",)))
    assert told.endswith("; … Legal: A1.")


def test_what_is_ringed_as_good_or_played_is_not_called_legal() -> None:
    view = match_of(2)[40].view(None)
    for ringed, said in (("legal", "Legal"), ("advised", "Suggested"), ("played", "Played")):
        assert alt_text(view, Scene(("Ana", "Bea"), ("a1", "g7"), ringed=ringed)).endswith(
            f"{said}: A1 G7."
        )


def test_blue_lagoon_tells_where_every_piece_stands_and_which_are_villages() -> None:
    view = match_of(2)[40].view(None)
    text = alt_text(view, Scene(("Ana", "Bea")))
    board = text[text.index(" Board: ") :]
    told = {}
    for area in board.split(": ", 2)[2].rstrip(".").split("; "):
        for part in area.split(": ")[-1].split(", "):
            letter, *codes = part.split()
            if letter in ("R", "Y"):
                told.update(dict.fromkeys(codes, "RY".index(letter)))
    expected = {}
    for piece in view.pieces:
        expected[piece.spot.upper() + "v" * (piece.piece == "village")] = piece.seat
    assert told == expected
    assert "v marks villages" in board


def test_maori_tells_the_islands_of_everybody_where_there_is_room() -> None:
    view, scene = maori_positions.public(maori_positions.match_of(2)[12])
    board = alt_text(view, scene).split(" Board: ")[1]
    for letter, side in zip("RY", view.sides, strict=True):
        assert side.islands
        part = next(part for part in board.rstrip(".").split("; ") if part.startswith(f"{letter} "))
        assert len(part.split(", ")) == len(side.islands)


def test_maori_tells_the_own_islands_to_whoever_chooses_a_space() -> None:
    match = maori_positions.asked(maori_positions.match_of(5)[60], "place_tile")
    view, scene = maori_positions.private(match)
    assert view.viewer is not None
    letter, islands = "RYVWK"[view.viewer], view.sides[view.viewer].islands
    board = alt_text(view, replace(scene, last=NEWS)).split(" Board: ")[1]
    own = next(part for part in board.split("; ") if part.startswith(f"{letter} "))
    assert len(own.split(", ")) == len(islands) > 3 and "palm" in own, board


def test_conquest_tells_atolls_apart_from_lands_that_are_free() -> None:
    told = 0
    for match in conquest_positions.match_of(2)[::9]:
        view = match.view(None)
        board = alt_text(view, Scene(("Ana", "Bea")))
        for group in view.groups:
            if group.atoll and not group.printed:
                told += 1
                atolls = board.split("atolls ")[1].split(";")[0]
                assert group.spot.upper() in atolls
                assert (
                    group.spot.upper() not in board.split("free ")[-1].split(";")[0]
                    or "free " not in board
                )
    assert told


def test_polynesia_tells_tokens_of_a_kind_together() -> None:
    match = next(iter(played("polynesia", 3, 4)))
    view = match.view(None)
    text = alt_text(view, Scene(NAMES[:3]))
    for face in {island.token for island in view.islands if island.token}:
        spots = [island.spot.upper() for island in view.islands if island.token == face]
        assert f"{face} token {' '.join(spots)}" in text
    short = alt_text(view, replace(Scene(LONG[:3]), last=NEWS))
    assert len(short) <= LIMIT


def test_conquest_tells_of_every_piece_where_it_is_also_in_the_midst_of_a_movement() -> None:
    match = next(match for match in conquest_positions.match_of(2) if _asked(match) == "move_stack")
    (seat,) = match.waiting_for()
    at_sea = 0
    while (decision := match.question(seat)) and at_sea < 3:
        keys = tuple(option.key for option in decision.options[: max(1, decision.at_least)])
        match = match.pick(Answer(seat, decision.kind, keys))
        view = match.view(seat)
        at_sea += bool(view.fleets)
        board = alt_text(view, Scene(("Ana", "Bea"))).split(" Board: ")[1]
        for letter, nation in zip("RY", view.nations, strict=True):
            begins = (f"{letter} Villages", f"{letter} no Village")
            own = next(part for part in board.split("; ") if part.startswith(begins))
            counted = [int(number) for number in re.findall(r"×(\d+)", own)]
            assert sum(counted) == nation.pieces, (letter, board)
    assert at_sea


def _asked(match: Match) -> str:
    seat = conquest_positions.seat_of(match)
    decision = match.question(seat) if seat is not None else None
    return decision.kind if decision else ""
