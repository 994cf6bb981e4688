"""Pictures of Conquest show what changed since the last post, in order and in place."""

from functools import cache

import pytest
from msgspec.structs import replace

from engine.conquest.battle_events import BattleJoined, BattleWon, Retreated
from engine.conquest.board import HEX_AT
from engine.conquest.events import (
    Built,
    CardDrawn,
    ColoniesSettled,
    OrderChosen,
    PointsCounted,
    StartPlaced,
    VillageFelled,
)
from engine.conquest.pieces import Kinds, Roll, Side
from engine.conquest.sea_events import (
    CanoesOpened,
    ExplorerLaunched,
    ExplorerReturned,
    MarkerDrawn,
    Sailed,
    SeasCharted,
    TileFound,
    TileRevealed,
)
from render import Scene, draw
from render.canvas import record_placements
from render.conquest.news import CARDS, EXPLORER, news_of
from render.conquest.sample import play_plainly
from render.palette import LAST
from render.sample import NAMES
from tests.render.conquest.positions import match_of, scene_for
from tests.render.conquest.posts import much_changed, posts


@cache
def sensible(seats):
    return tuple(posts(play_plainly(seats)))


def quiet(seats=4):
    """Return a position without news."""
    view = match_of(seats)[0].view(None)
    return replace(view, last=(), arrows=())


def marked(view, events):
    """Return the numbers that a picture shows beside its events."""
    with record_placements() as notes:
        placed = notes.on(draw(view, Scene(NAMES[: len(view.nations)], events=tuple(events))))
    return {
        int(thing.shows.split(":")[1].split()[0])
        for thing in placed
        if thing.shows.startswith(("news:", "whose:"))
    }


def items(*events):
    found = news_of(quiet(), events).items
    return [(item.kind, item.seat, item.way, item.spots, item.signs) for item in found]


def test_legs_are_numbered_in_order_and_one_that_goes_on_is_one_way():
    assert items(
        Sailed(0, ("f7", "g6"), 2),
        Sailed(0, ("g6", "h6"), 2),
        Sailed(0, ("f7", "g6"), 1),
        CanoesOpened(0, ("g6",)),
        Sailed(1, ("j7", "j6"), 3),
    ) == [
        ("sail", 0, ("f7", "g6", "h6"), (), ()),
        ("sail", 0, ("f7", "g6"), ("g6",), ()),
        ("sail", 1, ("j7", "j6"), (), ()),
    ]


def test_a_voyage_is_one_way_with_its_discoveries():
    assert items(
        ExplorerLaunched(2, "h8"),
        MarkerDrawn(2, "h8", "ocean", 1, 1),
        MarkerDrawn(2, "j8", "island", 1, 2),
        TileFound(2, "j8"),
        TileRevealed(2, "j8", "rapa"),
        ExplorerReturned(2, 5),
        SeasCharted(2, ("h8",)),
    ) == [("voyage", 2, ("h8", "j8"), ("j8",), (EXPLORER,))]
    # If only its end is reported, the charted hexes are all that is visible.
    assert items(ExplorerReturned(2, 5), SeasCharted(2, ("h8",))) == [
        ("voyage", 2, (), ("h8",), (EXPLORER,))
    ]


def test_building_is_one_mark_per_seat():
    assert items(
        Built(1, (("j7", 2),), ("k7",), (), ()),
        Built(0, (), (), ("f7",), ("f7",)),
        ColoniesSettled(1, ("g8",)),
        CardDrawn(0),
        PointsCounted((1, 2, 3, 4)),
    ) == [
        ("build", 1, (), ("j7", "k7", "g8"), ()),
        ("build", 0, (), ("f7",), (CARDS,)),
    ]


def test_a_battle_is_one_news_item_with_where_the_loser_went():
    side = Side(w=1)
    assert items(
        Sailed(0, ("f7", "g7"), 2),
        BattleJoined("g7", 0, 1, (side, side), 0, "sea"),
        BattleWon("g7", 0, (0, 1), (Roll(2, 1, "removed", "w"),)),
        Retreated(1, "f8", Kinds(w=1)),
    ) == [("sail", 0, ("f7", "g7"), (), ()), ("battle", 0, (), ("g7", "f8"), ())]


def test_every_news_item_has_its_mark_and_the_newest_is_the_brightest():
    view = quiet()
    events = [
        OrderChosen(1, 0, (0, 1, 2, 3)),
        StartPlaced(0, 3),
        Sailed(1, ("j7", "h8", "h7"), 1),
        VillageFelled(1, 0, "f8"),
        Built(2, (("l6", 2),), (), (), ()),
        CardDrawn(3),
        PointsCounted((1, 2, 3, 4)),
    ]
    # The order and the points are on tracks of their own and have no number.
    assert marked(view, events) == {1, 2, 3, 4, 5}
    older, newer = events[2], events[4]
    both = news_of(view, (older, newer))
    assert both.mark(1).age > both.mark(2).age == 0
    assert marked(view, ()) == set()


def test_a_single_news_item_has_the_flower():
    view = quiet()
    alone = draw(view, Scene(NAMES[:4], events=(Sailed(1, ("j7", "h8"), 1),)))
    assert sum(number for number, colour in alone.getcolors(2_000_000) if colour == LAST) > 400


def test_events_outside_the_main_map_are_numbered_in_the_chart():
    view = quiet()
    near = Sailed(0, ("f7", "g6"), 1)
    far = Sailed(1, ("s9", "t9"), 1)
    assert marked(view, (near, far)) == {1, 2}


def test_a_finished_battle_is_shown_with_its_rolls():
    view = quiet()
    won = BattleWon("g7", 0, (0, 1), (Roll(2, 1, "removed", "w"),))
    lost = replace(won, winner=1)
    more = replace(won, rolls=(*won.rolls, Roll(6, 0, "panic", "b")))
    pictures = {
        draw(view, Scene(NAMES[:4], events=(event,))).tobytes() for event in (won, lost, more)
    }
    assert len(pictures) == 3


@pytest.mark.parametrize("seats", [2, 4])
def test_every_public_picture_of_a_match_marks_all_that_changed_on_the_map(seats):
    shown = 0
    for view, scene in sensible(seats)[::3]:
        news = news_of(view, scene.events)
        on_map = {
            number for number, item in news.numbered() if any(spot in HEX_AT for spot in item.rings)
        }
        assert on_map <= marked(view, scene.events)
        shown += len(on_map)
    assert shown > 20


def test_few_pictures_of_a_sensible_match_change_much_of_the_one_before():
    assert much_changed(sensible(4)) < 0.1


def test_few_pictures_of_a_random_match_change_much_of_the_one_before():
    assert much_changed(list(posts(match_of(3)))[-80:]) < 0.1


def test_a_private_picture_marks_public_events_too():
    view, scene = scene_for(match_of(4)[40], private=True)
    with_events = replace(scene, events=(Sailed(0, ("f7", "g6"), 1), Sailed(1, ("j7", "h8"), 1)))
    with record_placements() as notes:
        placed = notes.on(draw(view, with_events))
    assert {thing.shows for thing in placed if thing.shows.startswith("news:")} == {
        "news:1 g6",
        "news:2 h8",
    }
