"""Draw all games in the made-up language, and print the texts that do not fit.

test_language.py runs this in a separate process on a copy of the packages, because the language is
set for the whole process. It draws every kind of picture: each phase in public and in private,
Battles, voyages, build lists, Tide cards, statistics and leaderboards, and the score sheets of
matches that are running, were left by players, or have ended.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations

from msgspec.structs import replace

from bot.features.ratings import statistics
from bot.features.ratings.records import (
    Companion,
    Kind,
    Played,
    PlayerRecord,
    Pool,
    Ranked,
    Rating,
)
from bot.text import say
from engine import GAMES, Match, Seat
from engine.blue_lagoon.view import BlueLagoonView
from engine.conquest.view import ConquestView
from engine.core.game import View
from engine.core.words import set_default_language
from engine.maori.view import MaoriView
from engine.polynesia.board import deck
from engine.polynesia.view import PolynesiaView
from render import Scene, renderer
from render.canvas import Mode, use_mode
from render.conquest.sample import ADVANCED
from render.fonts import ELLIPSIS, Written, record_texts
from render.sample import NAMES, play_randomly, scene_of
from tests.language.made_up import LANGUAGE

SETTINGS = {
    "conquest": ({**ADVANCED, "last_turn": "12"},),
    "blue_lagoon": ({"first": "1"},),
    "maori": ({"rules": "advanced", "board": "atoll"}, {"rules": "pro"}, {}),
    "polynesia": ({},),
}
"""The settings with which the matches of each game are played."""
SEED = 7
DAY = 86_400
QUICK = Mode(fine=1, cut=1)
"""A coarse drawing mode. Results taken from a cache write no text, but did when they were drawn."""

Picture = tuple[str, str, View, Scene]
"""Its name, the function of `render` that draws it, and its view and scene."""


def pictures(game: str) -> Iterator[Picture]:
    """Yield one picture of each kind, for the fewest and the most seats."""
    for settings in SETTINGS[game]:
        for seats in (GAMES[game].seats[0], GAMES[game].seats[-1]):
            if settings.get("board") == "atoll" and seats == 5:
                continue  # only four have one
            matches = list(play_randomly(game, seats, SEED, settings))
            yield from distinct_boards(matches)
            yield from score_sheets(matches)
            if game == "polynesia":
                yield from tide_cards(matches[len(matches) // 2])


def distinct_boards(matches: list[Match]) -> Iterator[Picture]:
    """Yield the first board of each kind in a match, in public and as the seat to move sees it."""
    seen = set()
    for match in matches:
        for is_private in (False, True):
            waiting = match.waiting_for()
            viewer = waiting[0] if is_private and waiting else None
            view = match.view(viewer)
            kind = (is_private, len(waiting) > 1, *kind_of(view))
            if kind not in seen:
                seen.add(kind)
                yield f"{view.game} {kind}", "draw", view, scene_of(match, is_private)


def kind_of(view: View) -> tuple[object, ...]:
    """Return what decides which texts a board has."""
    if isinstance(view, BlueLagoonView):
        return (view.phase,)
    if isinstance(view, MaoriView):
        act = view.turn.act if view.turn else None
        return view.phase, act, bool(view.hand), bool(view.bank)
    if isinstance(view, PolynesiaView):
        return view.marker, view.over
    assert isinstance(view, ConquestView)
    rows_shown = view.battle is not None and view.battle.shown
    has_list = view.own is not None and view.own.build is not None
    return view.step, view.battle is not None, rows_shown, view.voyage is not None, has_list


def score_sheets(matches: list[Match]) -> Iterator[Picture]:
    """Yield the score sheet at the end, halfway, and after all but one have left."""
    halfway = left = matches[len(matches) // 2]
    for seat in range(1, halfway.seats):
        if left.outcome is None:
            left = left.resign(Seat(seat))
    names = NAMES[: halfway.seats]
    for name, match in (("over", matches[-1]), ("halfway", halfway), ("left", left)):
        scene = Scene(names, so_far=match is halfway)
        yield f"score sheet, {name}", "score_sheet", match.view(None), scene


def tide_cards(match: Match) -> Iterator[Picture]:
    """Yield boards that show every Tide card once."""
    view = match.view(None)
    decks = [[card.id for card in deck(number)] for number in (1, 2, 3)]
    for first in range(max(map(len, decks))):
        tides = tuple(cards[first % len(cards)] for cards in decks)
        with_cards = replace(view, tides=tides, pool=10)
        yield f"Tide cards {tides}", "draw", with_cards, Scene(NAMES[: match.seats])


def statistics_pictures() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the statistics of a player and a pair, and leaderboards with provisional ratings."""

    def played(number: int, kind: Kind, has_left: bool = False, place: int = 1) -> Played:
        game = list(GAMES)[number % len(GAMES)]
        mu, sigma = 30.0 + number, 8.0
        people = 1 if kind is Kind.SOLO else 2
        facts = (number, game, 2, number * DAY, "Ana", place, 88.0, kind, has_left, people)
        return Played(*facts, mu, sigma)

    kinds = (*Kind, *Kind)
    mine = [played(number, kind) for number, kind in enumerate(kinds)]
    mine += [played(number, kind, True) for number, kind in enumerate(kinds, len(kinds))]
    theirs = [replace(one, name="Bea", place=2) for one in mine]
    rating = Rating(30.0, 8.0, matches=30, wins=15, name="Ana")
    player = PlayerRecord(
        played=mine,
        ratings=dict.fromkeys(GAMES, rating),
        companions=[Companion(one.number, 2, "Bea", True) for one in mine if one.people > 1],
    )
    solo = PlayerRecord(played=player.solo, ratings={}, companions=[])
    here = say("standing.on_all")
    for name, record in (("a player", player), ("somebody alone", solo)):
        yield name, partial(statistics.draw_player, record, here)
    yield "a pair", partial(statistics.draw_pair, mine, theirs, here)
    ranked = [Ranked(place, place, "easy", "hermit", rating) for place in (1, 2)]
    for pool in Pool:
        note = say(f"standing.note_{pool}", newcomer=1000, least=3, days=365)
        for games in (list(GAMES), list(GAMES)[:1]):
            for entries in (ranked, []):
                boards = [(game, entries) for game in games]
                draw = partial(statistics.draw_leaderboard, boards, here, note, pool, 1)
                yield f"{pool} in {len(games)} games", draw


def faults(texts: list[Written]) -> Iterator[str]:
    """Yield texts that are cut with an ellipsis, leave their canvas, or overlap another one."""
    for text in texts:
        left, top, right, bottom = text.box
        if ELLIPSIS in text.text:
            yield f"cut: {text.text}"
        if left < 0 or top < 0 or right > text.canvas.width or bottom > text.canvas.height:
            yield f"off its canvas: {text.text}"
    for first, second in combinations(texts, 2):
        # Something may be written again over itself, in another colour.
        is_same = (first.text, first.box) == (second.text, second.box)
        if first.canvas is second.canvas and overlap(first.box, second.box) and not is_same:
            yield f"overlapping: {first.text} and {second.text}"


def overlap(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    """Return whether two boxes share a pixel."""
    is_across = first[0] < second[2] and second[0] < first[2]
    return is_across and first[1] < second[3] and second[1] < first[3]


def main() -> None:
    """Draw all pictures and print the faults; print how many were drawn last."""
    set_default_language(LANGUAGE)
    drawn = 0
    for game in SETTINGS:
        for name, part, view, scene in pictures(game):
            with use_mode(QUICK), record_texts() as texts:
                drawn += renderer(view, part)(view, scene) is not None
            for fault in faults(texts):
                print(f"{name}: {fault}")
    for name, draw in statistics_pictures():
        with record_texts() as texts:
            drawn += draw() is not None
        for fault in faults(texts):
            print(f"{name}: {fault}")
    print(f"{drawn} pictures")


if __name__ == "__main__":
    main()
