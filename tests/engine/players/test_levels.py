"""Computer players of all levels: legal, deterministic, and blind to what is hidden from them."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from types import ModuleType

import msgspec
import pytest

import engine.players.levels
import engine.players.polynesia
from engine import GAMES, Commit, Match, Seat, Table, begin
from engine.players import LEVELS, Level, Thought, deal_for, think
from engine.players.levels import list_wins, pick_softened, see_turns
from engine.players.mind import Effort, Outlook, Turn, mind_of
from engine.players.simple import stand_in
from tests.bench.secrets import think_little
from tests.contract.games import ALL, new_match, tables
from tests.engine.blue_lagoon.maps import large_island, many_islands, nine_islands
from tests.toy import TOY
from tests.toy.game import Reef

SIZES = [(game_id, seats) for game_id, game in ALL.items() for seats in game.seats]
LONG = ("conquest",)
"""Games whose matches take so long that fewer of them are played."""


def acted(match: Match, seat: Seat, level: Level) -> Match:
    """Return the match after the seat did what its player chose, as the bot would do it."""
    thought = think(
        match.game, deal_for(match.game, match.base, seat), seat, f"own {match.number}", level
    )
    if thought.offer is not None:
        return match.pick(thought.offer)
    picked = match
    for answer in thought.answers:
        if not answer.forced:
            picked = picked.pick(answer)
    after = match.replay(Commit(seat, thought.answers))
    assert picked.confirm(seat) == after, "forced answers are marked as a match would mark them"
    return after


def played(match: Match, levels: tuple[Level, ...]) -> Iterator[Match]:
    """Play a match to its end between these levels in turn."""
    while match.outcome is None:
        assert match.number <= match.game.commit_limit
        seat = match.waiting_for()[-1]
        after = acted(match, seat, levels[seat % len(levels)])
        assert after.number == match.number + 1
        match = after
        yield match


def settings_in_turn() -> list[tuple[str, int, dict[str, str]]]:
    """Return settings in which every choice occurs, with varying numbers of seats."""
    found = []
    for game_id in GAMES:
        by_size = {seats: tables(ALL[game_id], seats) for seats in ALL[game_id].seats}
        most = max(map(len, by_size.values())) // (2 if game_id in LONG else 1)
        for number, seats in zip(range(most), _cycled(list(by_size)), strict=False):
            found.append((game_id, seats, by_size[seats][number % len(by_size[seats])]))
    return found


def maps_of_ones_own() -> list[tuple[str, int, dict[str, str]]]:
    """Return maps of different sizes, with different islands, items and pieces."""
    seas = ((2, many_islands()), (3, large_island()), (4, nine_islands()))
    return [
        ("blue_lagoon", seats, {"board": msgspec.json.encode(sea).decode()}) for seats, sea in seas
    ]


def _cycled(items: list[int]) -> Iterator[int]:
    return (items[number % len(items)] for number in count())


@pytest.mark.parametrize(
    ("game_id", "seats", "settings"), [*settings_in_turn(), *maps_of_ones_own()]
)
def test_all_levels_play_whole_matches_of_all_settings(
    game_id: str, seats: int, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    think_little(monkeypatch.setattr)
    *_, last = played(new_match(game_id, seats, settings, "whole"), LEVELS[::-1])
    assert last.outcome is not None


@pytest.mark.parametrize("game_id", ALL)
@pytest.mark.parametrize("level", LEVELS)
def test_the_same_position_level_and_seed_give_the_same_thought(game_id: str, level: Level) -> None:
    match = new_match(game_id, ALL[game_id].seats[0], seed="same")
    for _ in range(2):
        seat = match.waiting_for()[0]
        first, second = (think(match.game, match.base, seat, "own", level) for _ in range(2))
        assert first == second
        for _ in range(3):
            match = acted(match, match.waiting_for()[0], "steady")


def test_a_thought_is_the_same_in_another_process() -> None:
    """Where sets were gone through in their own order, it would change with the seed of Python's
    hashes.
    """
    code = (
        "from engine import GAMES, begin\nfrom engine.players import think\n"
        "for game in GAMES:\n"
        "    match = begin(GAMES[game], 3, {}, 'process')\n"
        "    print(think(match.game, match.base, match.waiting_for()[0], 'own', "
        "'strong').answers)\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_stays_when_what_the_seat_cannot_know_is_redealt(level: Level) -> None:
    """Exactly: every answer, every estimate.

    The published games are looked at in test_secrets.py.
    """
    rng = Random("blind")
    for seed in range(2):
        for match in played(new_match(TOY.id, 3, seed=seed), ("steady",)):
            if match.outcome is None:
                seat = rng.choice(match.waiting_for())
                hidden = match.game.redeal(match.base, seat, Table(f"other {rng.random()}"))
                assert think(match.game, hidden, seat, "own", level) == think(
                    match.game, match.base, seat, "own", level
                )


def test_a_seed_of_the_players_own_is_what_an_easy_player_varies_by() -> None:
    match = begin(GAMES["blue_lagoon"], 2, {}, "easy")
    seat = match.waiting_for()[0]
    chosen = {
        think(match.game, match.base, seat, f"own {number}", "easy").answers for number in range(20)
    }
    assert len(chosen) > 3
    assert (
        len(
            {
                think(match.game, match.base, seat, f"own {number}", "steady").answers
                for number in range(3)
            }
        )
        == 1
    )


def test_a_softened_choice_is_never_one_that_feels_fake() -> None:
    """Better turns are chosen more often, and those that nobody would believe never."""
    turns = [Turn((), state, value) for state, value in enumerate((5.0, 4.0, 1.0, -1.0))]
    table = Table("soft")
    chosen = Counter(pick_softened(turns, 2.0, table).tip for _ in range(200))
    assert chosen[0] > chosen[1] > chosen[2] > 0 == chosen[3]
    assert all(pick_softened(turns, 0.0, table).tip == 0 for _ in range(5))


def test_an_outlook_weighs_points_at_once_against_prospects() -> None:
    """The less foresight, the more a turn counts what its panel would show."""
    match = begin(GAMES["blue_lagoon"], 2, {}, "outlook")
    for _ in range(12):
        match = stand_in(match, match.waiting_for()[0])
    seat = match.waiting_for()[0]
    turns = mind_of(match.game).turns(match.base, seat, Table("own"))
    points = {turn.answers: match.game.view(turn.tip, seat).scores[seat] for turn in turns}
    blind, half, far = (
        see_turns(match.game, seat, turns, Outlook(foresight=foresight), Table("own"))
        for foresight in (0.0, 0.5, 1.0)
    )
    assert far == turns
    assert [turn.value for turn in blind] == sorted(points.values(), reverse=True)
    hopes = {turn.answers: turn.value for turn in turns}
    for turn in half:
        middle = (points[turn.answers] + hopes[turn.answers]) / 2
        assert turn.value == pytest.approx(middle)
    assert len({turn.value for turn in half}) > len({turn.value for turn in blind}) > 1


def test_a_player_overlooks_turns_but_never_all_of_them() -> None:
    match = begin(GAMES["blue_lagoon"], 2, {}, "outlook")
    seat = match.waiting_for()[0]
    turns = mind_of(match.game).turns(match.base, seat, Table("own"))

    def noticed(attention: float) -> int:
        table = Table("notice")
        return len(see_turns(match.game, seat, turns, Outlook(attention=attention), table))

    assert noticed(1.0) == len(turns) > noticed(0.5) > noticed(0.1) > 0
    assert noticed(0.0) == 1


def test_no_level_misses_a_turn_that_wins_at_once() -> None:
    """Even where another one promises more points."""
    match = begin(GAMES["maori"], 2, {}, "win 1")
    while match.number < 34:
        match = stand_in(match, match.waiting_for()[0])
    seat = match.waiting_for()[0]
    turns = mind_of(match.game).turns(match.base, seat, Table("own"))
    wins = {turn.answers for turn in list_wins(match.game, seat, turns)}
    assert turns[0].answers not in wins
    for level in LEVELS:
        for seed in range(3):
            chosen = think(match.game, match.base, seat, f"own {seed}", level).answers
            assert chosen in wins
            assert match.replay(Commit(seat, chosen)).outcome.winners == (seat,)


def test_a_seat_that_is_not_asked_has_nothing_to_do() -> None:
    match = begin(GAMES["blue_lagoon"], 3, {}, 1)
    for level in LEVELS:
        assert think(match.game, match.base, Seat(1), "own", level) == Thought()


def test_a_game_without_knowledge_is_played_by_its_scores() -> None:
    """Better than by lot, at all levels, with offers taken now and then."""
    wins = dict.fromkeys(LEVELS, 0.0)
    offers = 0
    for level in ("steady", "strong"):
        for seed in range(24):
            match = new_match(TOY.id, 2, seed=seed)
            chance = Random(seed)
            while match.outcome is None:
                seat = chance.choice(match.waiting_for())
                if seat == seed % 2:
                    match = acted(match, seat, level)
                    offers += match.commits[-1].answers[0].kind in ("raise_storm", "throw_net")
                else:
                    turns = mind_of(TOY).turns(match.base, seat, Table(f"{seed} {match.number}"))
                    match = match.replay(Commit(seat, chance.choice(turns).answers))
            won = match.outcome.winners
            wins[level] += (seed % 2 in won) / len(won)
    assert wins["strong"] >= 14
    assert wins["steady"] >= 12
    assert offers > 0


class Fifth(Reef):
    """A game without players' knowledge, until a file adds it."""

    id = "fifth"


TOLD = """
from engine.players.mind import Mind, Turn, no_offers
def turns(state, seat, table): return []
def estimate(state): return ()
def policy(state, seat, table): return state
MIND = Mind(turns, estimate, policy, no_offers, win_points=7.0)
"""


def test_knowledge_of_a_game_is_found_by_file_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert mind_of(TOY).effort != Effort()
    (tmp_path / "fifth.py").write_text(TOLD)
    monkeypatch.setattr(engine.players, "__path__", [*engine.players.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "engine.players.fifth", raising=False)
    assert mind_of(Fifth()).win_points == 7.0
    assert isinstance(sys.modules.pop("engine.players.fifth"), ModuleType)


def test_other_files_are_not_mistaken_for_knowledge() -> None:
    """A game could be called 'search'."""

    class Search(Reef):
        id = "search"

    match = begin(Search(), 2, {}, 1)
    assert think(match.game, match.base, Seat(0), "own", "steady").answers
