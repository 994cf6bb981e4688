"""Pictures and alt texts show a viewer only what they may know."""

from random import Random

import pytest

import render
from engine import Match, Seat, Table, visible
from tests.contract import checks
from tests.contract.games import ALL, every_size, new_match, words_for
from tests.contract.player import play, play_out

PICTURES_PER_MATCH = 3
"""About how many positions of a match are drawn."""
ALT_TEXT = 1024
"""The longest alt text that Discord accepts."""


def scene(match: Match, viewer: Seat | None) -> render.Scene:
    """Return the scene that a viewer gets."""
    words, people = words_for(match.game), checks.names(match)
    question = match.question(viewer) if viewer is not None else None
    asked = (question,) if question is not None else ()
    told = visible(match.last.events if match.last else match.prologue, viewer)
    return render.Scene(
        names=people,
        rings=tuple(
            sorted(
                {option.spot for decision in asked for option in decision.options if option.spot}
            )
        ),
        question=" ".join(words.question(decision, people) for decision in asked),
        last=" ".join(line for event in told for line in words.event_lines(event, people)),
    )


def shown(match: Match, viewer: Seat | None) -> tuple[object, ...]:
    """Return everything drawn and described for a viewer, without the picture cache."""
    view, around = match.view(viewer), scene(match, viewer)
    alt = render.alt_text(view, around)
    assert 0 < len(alt) <= ALT_TEXT
    return (
        render.draw(view, around).tobytes(),
        alt,
        render.text_board(view, around),
        render.score_sheet(view, around),
    )


@pytest.mark.parametrize(("game_id", "seats"), every_size())
def test_pictures_and_alt_texts_do_not_depend_on_hidden_information(
    game_id: str, seats: int
) -> None:
    rng = Random("drawn")
    match = new_match(game_id, seats, seed="drawn")
    for turn, (_, _, after) in enumerate(play(match, rng)):
        if turn % (after.game.commit_limit // PICTURES_PER_MATCH) and not after.outcome:
            continue
        viewer = rng.choice(checks.viewers(after))
        hidden = after.game.redeal(after.base, viewer, Table(f"redeal {turn}"))
        assert shown(checks.redeal_match(after, viewer, hidden), viewer) == shown(after, viewer)


@pytest.mark.parametrize("game_id", ALL)
def test_a_game_is_shown_from_its_first_question_to_a_match_that_was_left(game_id: str) -> None:
    """A game may have its own renderer; the fallback draws what it leaves out."""
    first = new_match(game_id, ALL[game_id].seats[0], seed="shown")
    later = play_out(first, Random("shown"), commits=5)
    end = play_out(first, Random("shown"))
    for stands in (first, later, later.resign(Seat(0)), end):
        for viewer in checks.viewers(stands):
            view, around = stands.view(viewer), scene(stands, viewer)
            assert render.picture(view, around) and render.alt_text(view, around)
            told = render.text_board(view, around)
            assert all(name in told for name in around.names) and around.question in told
            assert isinstance(render.hand(view, around), str)
    assert render.score_sheet(end.view(None), scene(end, None))
