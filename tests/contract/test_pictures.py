"""Pictures and alt texts show a viewer nothing that they cannot know."""

from random import Random

import pytest

import render
from engine import Match, Seat, Table, visible
from tests.contract import checks
from tests.contract.games import every_size, new_match, words_for
from tests.contract.player import play

DRAWN = 5
"""Positions of a match that are drawn, about."""
ALT_TEXT = 1024
"""What Discord takes."""


def scene(match: Match, viewer: Seat | None) -> render.Scene:
    """A picture's surroundings as the viewer would get them."""
    words, people = words_for(match.game), checks.names(match)
    asked = match.decisions(viewer) if viewer is not None else ()
    told = visible(match.last.events if match.last else match.prologue, viewer)
    return render.Scene(
        names=people,
        rings=tuple(sorted({option.spot for decision in asked for option in decision.options if option.spot})),
        question=" ".join(words.question(decision, people) for decision in asked),
        last=" ".join(line for event in told for line in words.tell(event, people)),
    )


def shown(match: Match, viewer: Seat | None) -> tuple[object, ...]:
    """All that is drawn and read out for a viewer; drawn without the cache of pictures."""
    view, around = match.view(viewer), scene(match, viewer)
    alt = render.alt_text(view, around)
    assert 0 < len(alt) <= ALT_TEXT
    return render.draw(view, around).tobytes(), alt, render.text_board(view, around), render.score_sheet(view, around)


@pytest.mark.parametrize(("game_id", "seats"), every_size())
def test_pictures_and_alt_texts_stay_equal_when_the_unknown_is_dealt_anew(game_id: str, seats: int) -> None:
    rng = Random("drawn")
    match = new_match(game_id, seats, seed="drawn")
    for turn, (_, _, after) in enumerate(play(match, rng)):
        if turn % (after.game.commit_limit // DRAWN) and not after.outcome:
            continue
        viewer = rng.choice(checks.viewers(after))
        hidden = after.game.redeal(after.base, viewer, Table(f"redeal {turn}"))
        assert shown(checks.redealt(after, viewer, hidden), viewer) == shown(after, viewer)
