"""Films: one frame per post, without turns taken back and without secrets."""

import io
from random import Random

import msgspec
from PIL import Image

from bot.features.films import take_shots
from bot.features.history.moments import load_timeline
from bot.kernel.room import Room
from bot.ui.reply import MAX_FILE_BYTES
from bot.workers.jobs import FilmFile, MakeFilm, Shot
from engine import Seat, load, snapshot
from tests.bot.backend import Backend, match_of, question_of
from tests.contract.lookalikes import lookalike_of
from tests.engine.blue_lagoon.maps import nine_islands
from tests.engine.conquest.wars import war


def make_film(game: str, shots: tuple[Shot, ...]) -> FilmFile:
    """Make a film of these shots."""
    film: FilmFile = MakeFilm(game, shots, ("Ana", "Bea"), 1.0, MAX_FILE_BYTES).run(
        lambda part: None
    )
    return film


async def test_a_film_has_a_frame_per_post_without_turns_taken_back(
    backend: Backend,
) -> None:
    room: Room = await backend.start_match(
        "blue_lagoon", board=msgspec.json.encode(nine_islands()).decode()
    )
    for seat in (0, 1, 0, 1):
        room = (await backend.take_turn(room, seat)).room
    gone = match_of(room)
    for _ in range(2):
        room = (await backend.matches.undo(backend.press(room, 1))).room
    room = (await backend.pick(room, 1, question_of(match_of(room), Seat(1)).options[1].key)).room
    room = (await backend.matches.confirm(backend.press(room, 1))).room
    timeline = await load_timeline(backend.matches.kernel, room)
    shots = await take_shots(timeline, room, 0, timeline.last)
    stood = [load(shot.position).base for shot in shots]
    assert stood[-1] == match_of(room).base and gone.base not in stood
    assert [shot.label for shot in shots] == [
        f"{number} of {len(shots) - 1}" for number in range(len(shots))
    ]
    film = make_film("blue_lagoon", shots)
    with Image.open(io.BytesIO(film.data)) as shown:
        assert film.every == 1 and getattr(shown, "n_frames", 1) == len(shots)


def test_a_film_does_not_depend_on_hidden_information() -> None:
    match = war(2, 1)
    lookalike = lookalike_of(match, None, Random(1))
    assert lookalike is not None and lookalike.base != match.base
    shots = [
        (Shot(snapshot(one.without_drafts()), "", b"[]", ""),) * 2 for one in (match, lookalike)
    ]
    assert make_film("conquest", shots[0]) == make_film("conquest", shots[1])
