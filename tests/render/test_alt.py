"""Alt texts describe the whole position, briefly if it is crowded, and omit no seat or place."""

import re

import pytest
from msgspec.structs import replace

from engine import Answer, Match
from render import Scene, alt_text
from render.alt import LIMIT, MAX_PART_LENGTH, compose, compose_fullest
from render.sample import NAMES, play_randomly, scene_of
from tests.contract.games import every_size
from tests.render.conquest import positions as conquest_positions
from tests.render.maori import positions as maori_positions
from tests.render.positions import match_of

LONG = tuple(f"{name} of the far Windward Isles"[:32] for name in NAMES)
NEWS = ("Moana sails from Rapa Nui to Hiva. " * 9)[:MAX_PART_LENGTH]
REAL = [
    (game, seats)
    for game, seats in every_size()
    if game in ("blue_lagoon", "maori", "polynesia", "conquest")
]


@pytest.mark.parametrize(("game", "seats"), REAL)
def test_a_crowded_board_is_not_cut(game: str, seats: int) -> None:
    for match in list(
        play_randomly(game, seats, 4, {"last_turn": "12"} if game == "conquest" else None)
    )[::17]:
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
                assert ("You can choose: " in board) == bool(rings)
                assert all(
                    f"{letter} {name[:12]}" in text
                    for letter, name in zip("RYVWK", names, strict=False)
                ), text


def test_a_long_board_is_described_more_briefly() -> None:
    seats, crowded = ["R Ana: 3 points"], [f"A{number} settler" for number in range(200)]
    assert compose_fullest(["Game"], seats, [crowded, ["short"]], Scene((), ("a1",))).endswith(
        "points. Board: short. You can choose: A1."
    )
    assert compose_fullest(["Game"], seats, [["long"], ["short"]], Scene(())).endswith(
        "Board: long."
    )
    # Question and news are cut before the last board.
    board = ["settler " * 92 + "at G7"]
    text = compose_fullest(
        ["Game", "asked " * 25, "told " * 30], seats, [crowded, board], Scene(())
    )
    assert "…" in text and text.endswith("settler at G7.")


def test_legal_spots_come_before_the_board() -> None:
    description = compose(["Game"], ["R Ana: 3 points"], ["region " * 20] * 20, Scene((), ("a1",)))
    assert description.endswith("; … You can choose: A1.")


def test_spots_ringed_as_good_or_played_are_not_called_legal() -> None:
    view = match_of(2)[40].view(None)
    for ringed, texts in (
        ("legal", "You can choose"),
        ("advised", "Suggested"),
        ("played", "Played"),
    ):
        assert alt_text(view, Scene(("Ana", "Bea"), ("a1", "g7"), ringed=ringed)).endswith(
            f"{texts}: A1 G7."
        )


def test_blue_lagoon_locates_every_piece_and_marks_villages() -> None:
    view = match_of(2)[40].view(None)
    text = alt_text(view, Scene(("Ana", "Bea")))
    villages, *areas = text.partition(" Board: ")[2].rstrip(".").split("; ")
    pieces_by_spot: dict[str, int] = {}
    marked: dict[str, int] = {}
    for area, found in ((villages, marked), *((area, pieces_by_spot) for area in areas)):
        for part in area.split(": ")[-1].split(", "):
            letter, *codes = part.split()
            if letter in ("R", "Y"):
                found.update(dict.fromkeys(codes, "RY".index(letter)))
    assert pieces_by_spot == {piece.spot.upper(): piece.seat for piece in view.pieces}
    assert marked == {
        piece.spot.upper(): piece.seat for piece in view.pieces if piece.piece == "village"
    }
    assert marked and villages.startswith("villages: ")


def test_maori_lists_everybody_s_islands_if_there_is_room() -> None:
    view, scene = maori_positions.public(maori_positions.match_of(2)[12])
    board = alt_text(view, scene).split(" Board: ")[1]
    for letter, side in zip("RY", view.sides, strict=True):
        assert side.islands
        part = next(part for part in board.rstrip(".").split("; ") if part.startswith(f"{letter} "))
        assert len(part.split(", ")) == len(side.islands)


def test_maori_lists_own_islands_when_choosing_a_space() -> None:
    match = maori_positions.draft_until(maori_positions.match_of(5)[60], "place_tile")
    view, scene = maori_positions.private(match)
    assert view.viewer is not None
    letter = "RYVWK"[view.viewer]
    islands = view.sides[view.viewer].islands
    board = alt_text(view, replace(scene, last=NEWS)).split(" Board: ")[1]
    own = next(part for part in board.split("; ") if part.startswith(f"{letter} "))
    assert len(own.split(", ")) == len(islands) > 3 and "palm" in own, board


def test_conquest_distinguishes_atolls_from_free_lands() -> None:
    tested = 0
    for match in conquest_positions.match_of(2)[::9]:
        view = match.view(None)
        board = alt_text(view, Scene(("Ana", "Bea")))
        for group in view.groups:
            if group.atoll and not group.printed:
                tested += 1
                atolls = board.split("atolls ")[1].split(";")[0]
                assert group.spot.upper() in atolls
                assert (
                    group.spot.upper() not in board.split("free ")[-1].split(";")[0]
                    or "free " not in board
                )
    assert tested


def test_polynesia_groups_tokens_by_kind() -> None:
    match = next(iter(play_randomly("polynesia", 3, 4)))
    view = match.view(None)
    text = alt_text(view, Scene(NAMES[:3]))
    for face in {island.token for island in view.islands if island.token}:
        spots = [island.spot.upper() for island in view.islands if island.token == face]
        assert f"{face} token {' '.join(spots)}" in text
    short = alt_text(view, replace(Scene(LONG[:3]), last=NEWS))
    assert len(short) <= LIMIT


def test_conquest_locates_every_piece_even_during_movement() -> None:
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
