"""What each game's file knows agrees with the rules, and is used."""

from itertools import count
from random import Random
from typing import Literal

import pytest
from msgspec.structs import replace

from engine import GAMES, Commit, Match, Seat, begin
from engine.conquest.pieces import HandCard, Voyage
from engine.conquest.steps.explore import EndExploration
from engine.conquest.steps.kumara import SailEast
from engine.maori.board import board_of
from engine.maori.scoring import score_board
from engine.maori.tiles import COUNT, NO_TILE
from engine.players import LEVELS, Level, think
from engine.players.conquest.battles import chance_to_win
from engine.players.maori import chart_of, value_placements
from engine.players.mind import mind_of
from engine.players.polynesia import rounds_left, search_turns, weigh_positions
from engine.players.simple import stand_in
from engine.polynesia.maintenance import Decline
from engine.polynesia.steps import TakeAction
from tests.bench.players import play_match
from tests.engine.conquest.scenes import HIVA, Scene


@pytest.mark.parametrize("name", ["front", "atoll"])
def test_at_the_end_a_board_of_maori_is_worth_what_it_scores(name: str) -> None:
    """Line by line as the rulebook counts it island by island; what is taken off costs a point a
    tile.
    """
    board, chance = board_of(name), Random(name)
    for _ in range(300):
        deck = chance.sample(range(1, COUNT + 1), len(board.by_index))
        tiles = [NO_TILE] * board.size
        for space, tile in zip(board.by_index, deck, strict=True):
            tiles[space] = tile if chance.random() < 0.8 else NO_TILE
        counted = score_board(board, tuple(tiles))
        palms, leis = chart_of(name).value_board(tuple(tiles), 0)
        assert palms + len(counted.removed) == counted.palms + counted.huts
        assert leis == counted.leis


@pytest.mark.parametrize("name", ["front", "atoll"])
def test_a_tile_of_maori_is_worth_what_it_changes_on_the_board(name: str) -> None:
    """Also where the same board was asked about before with another tile."""
    board, chance = board_of(name), Random(name)
    for turns in (0, 3, 8):
        deck = chance.sample(range(1, COUNT + 1), len(board.by_index))
        tiles = [NO_TILE] * board.size
        for space, tile in zip(board.by_index, deck, strict=True):
            tiles[space] = tile if chance.random() < 0.6 else NO_TILE
        before = sum(chart_of(name).value_board(tuple(tiles), turns))
        for tile in set(range(1, COUNT + 1)) - set(tiles):
            changes = value_placements(name, tuple(tiles), turns, tile)
            assert list(changes) == board.empty_spaces(tiles)
            for space, change in changes.items():
                after = [*tiles[:space], tile, *tiles[space + 1 :]]
                assert before + change == pytest.approx(
                    sum(chart_of(name).value_board(tuple(after), turns))
                )


def test_the_volcano_is_expected_when_it_comes_on_average() -> None:
    """7.8 rounds from the full bag; one once the last stone is red."""
    state = begin(GAMES["polynesia"], 2, {}, 1).base
    seat = Seat(0)
    assert rounds_left(state, seat) == pytest.approx(7.8, abs=0.2)
    drawn = ("red",) * 5 + ("grey",) * 3 + ("black",)
    last = replace(state, lava=drawn)
    assert rounds_left(last, seat) == pytest.approx(1)
    acted = [
        step
        for step in last.agenda
        if not (isinstance(step, TakeAction) and step.seat == seat and step.value > 1)
    ]
    assert rounds_left(replace(last, agenda=tuple(acted)), seat) == pytest.approx(1 / 3), (
        "two actions are spent"
    )


@pytest.mark.parametrize(
    ("drawn", "chance"),
    [
        (("red",) * 3, 0),
        (("red",) * 5 + ("black",), 1 / 4),
        (("red",) * 5 + ("grey",) * 3, 1),
    ],
)
def test_an_eruption_counts_by_its_chance_for_all_turns_to_come(
    drawn: tuple[Literal["red", "grey", "black"], ...], chance: float
) -> None:
    """The last action of a round is done, and a black stone would make two more be drawn."""
    state = begin(GAMES["polynesia"], 2, {}, 1).base
    stone_due = replace(state, lava=drawn, agenda=state.agenda[:4])
    found = weigh_positions(stone_due, 5)
    assert sum(weight for weight, _ in found) == pytest.approx(1)
    erupted = sum(weight for weight, position in found if position.rows)
    assert erupted == pytest.approx(chance)
    assert all(position.rows or GAMES["polynesia"].questions(position) for _, position in found)


def test_a_narrow_search_still_sees_every_route() -> None:
    """Before they are paid for, all routes look alike."""
    state = begin(GAMES["polynesia"], 2, {"first": "1"}, 1).base
    best_values = set()
    for beam in (1, 50):
        turns = search_turns(state, Seat(0), beam)
        explored = [turn.value for turn in turns if turn.answers[0].keys == ("explore",)]
        assert len(explored) > 1
        best_values.add(explored[0])
    assert len(best_values) == 1


def test_most_fish_counts_for_little_as_long_as_they_can_be_lost() -> None:
    """Card 3.6 gives 4 points: all of them in the last round, hardly one at the start, when fish
    come and go.
    """
    state = begin(GAMES["polynesia"], 2, {}, 1).base
    state = replace(
        state, tides=("1.1", "2.1", "3.6"), sides=(replace(state.sides[0], fish=8), state.sides[1])
    )
    last = replace(state, lava=("red",) * 5 + ("grey",) * 3 + ("black",))
    estimate = mind_of(GAMES["polynesia"]).estimate
    assert estimate(last)[0]["tides"] == 4
    assert 0 < estimate(state)[0]["tides"] < 1


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("own", "others", "declined"), [((8, 1), (0, 0), "shell"), ((0, 2), (1, 0), "fish")]
)
def test_a_player_declines_the_resource_they_have_less_of(
    level: Level, own: tuple[int, int], others: tuple[int, int], declined: str
) -> None:
    state = begin(GAMES["polynesia"], 2, {}, 1).base
    sides = [
        replace(side, fish=fish, shells=shells)
        for side, (fish, shells) in zip(state.sides, (own, others), strict=True)
    ]
    state = replace(state, sides=tuple(sides), agenda=(*state.agenda, Decline(Seat(0))))
    (answer,) = think(GAMES["polynesia"], state, Seat(0), "own", level).answers
    assert answer.keys == (declined,)


@pytest.mark.parametrize(
    ("defenders", "chances"),
    [(1, (0.5, 0.75, 0.875, 0.9375)), (2, (0.25, 0.5, 0.6875, 0.8125)), (0, (1.0,))],
)
def test_the_odds_of_a_battle_are_those_of_an_even_die(
    defenders: int, chances: tuple[float, ...]
) -> None:
    for attackers, chance in zip(count(1), chances, strict=False):
        assert chance_to_win(attackers, defenders) == chance


@pytest.mark.parametrize("level", LEVELS)
def test_a_card_that_helps_from_now_on_is_shown_at_once(level: Level) -> None:
    """Fishponds bring a Build Point a turn once they lie face up; Tattoo is as good face down."""
    match = begin(GAMES["conquest"], 2, {}, "card")
    seat = match.waiting_for()[0]
    shown = think(match.game, _holding(match, seat, "ponds").base, seat, "own", level)
    assert shown.offer is not None
    assert (shown.offer.kind, shown.offer.keys) == ("reveal_card", ("ponds",))
    assert think(match.game, _holding(match, seat, "tattoo").base, seat, "own", level).offer is None


def _holding(match: Match, seat: Seat, card: str) -> Match:
    state = match.base.with_changes(deck=tuple(key for key in match.base.deck if key != card))
    return replace(match, base=state.with_nation(seat, hand=(HandCard(card),)))


def test_a_chief_lands_in_south_america_from_its_coast() -> None:
    """It has the other hexes of the coast to compare that with."""
    explorer = Scene(3, kumara="on").sea("s8").nation(HIVA, explorer="sea")
    explorer.having(voyage=Voyage(HIVA, "v6", kumara=True), step="exploration")
    play = explorer._at(SailEast(HIVA, explores=True), EndExploration(HIVA))
    thought = think(play.match.game, play.state, HIVA, "own", "strong")
    assert thought.answers[0].keys == ("america",)
    assert len(thought.ranked) > 1


def test_a_chief_compares_its_plan_with_others_and_declares_as_soon_as_it_may() -> None:
    """By expected points of named parts; but who can win does not wait for more of them."""
    match = begin(GAMES["conquest"], 2, {"goal": "-3"}, "plans")
    declared, compared = 0, 0
    while match.outcome is None:
        seat = match.waiting_for()[0]
        question = match.question(seat)
        assert question is not None
        if question.kind == "declare_victory" or (question.kind == "build_item" and not compared):
            thought = think(match.game, match.base, seat, "own", "strong")
            if thought.ranked and not thought.offer:
                compared += 1
                assert len(thought.ranked) > 2 and thought.ranked[0].answers == thought.answers
                assert sum(value for _, value in thought.ranked[0].parts) > 0
            elif thought.answers and len(question.options) > 1:
                declared += 1
                assert thought.answers[0].keys == ("declare",)
        match = _steady(match, seat)
    assert declared and compared


def test_a_sealed_list_is_thought_of_as_a_good_one() -> None:
    """A redeal leaves it empty, which would mean that nobody else builds."""
    match = begin(GAMES["conquest"], 2, {}, "sealed")
    while match.base.step != "building" or len(match.waiting_for()) < 2:
        match = _steady(match, match.waiting_for()[0])
    first, second = match.waiting_for()
    before = think(match.game, match.base, first, "own", "strong")
    after = think(match.game, _steady(match, second).base, first, "own", "strong")
    assert before.ranked and after.ranked == before.ranked


def _steady(match: Match, seat: Seat) -> Match:
    """After what a steady player does."""
    thought = think(match.game, match.base, seat, "own", "steady")
    return (
        match.pick(thought.offer) if thought.offer else match.replay(Commit(seat, thought.answers))
    )


@pytest.mark.parametrize("game_id", GAMES)
def test_the_estimate_of_a_finished_match_is_its_points(game_id: str) -> None:
    """No future points are expected any more."""
    match = begin(GAMES[game_id], 2, {}, "finished")
    while match.outcome is None:
        match = stand_in(match, match.waiting_for()[0]).without_log()
    totals = [sum(parts.values()) for parts in mind_of(match.game).estimate(match.base)]
    assert totals == pytest.approx(match.outcome.scores)


def test_steady_players_beat_plain_ones() -> None:
    """In each game once in each seat; how surely is the bench's to say."""
    won = 0
    for game_id in GAMES:
        for at in (0, 1):
            players = ["plain", "plain"]
            players[at] = "steady"
            outcome, _ = play_match(game_id, players, "beats")
            won += outcome.winners == (at,)
    assert won >= 7
