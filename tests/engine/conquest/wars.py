"""Random late positions of Conquest, with many stacks, cards, discoveries and standing orders."""

from random import Random

from engine import Match
from engine.conquest.board import CHART, HEXES, HOMES, PIECES, PRINTED_OCEAN, TILES, distance
from engine.conquest.hexes import controlled_groups, enemy_at, is_sea
from engine.conquest.offers import STANDING_ORDERS
from engine.conquest.pieces import Kinds
from tests.engine.conquest.scenes import Scene

ADVANCED = {"saved": "on", "malaria": "on", "south_island": "on", "kumara": "on", "last_turn": "6"}


def war(seats: int, seed: int) -> Match:
    """Return a match in the middle of a war, about to explore."""
    rng = Random(f"war {seed}")
    scene = Scene(seats, **ADVANCED)
    _discover(scene, rng, seats)
    _settle(scene, rng, seats)
    for seat in range(seats):
        _deploy(scene, rng, seat)
    _deal(scene, rng, seats)
    tiles = len(scene.state.box)
    cup = (tiles // 3, tiles // 3, tiles - 2 * (tiles // 3), *scene.state.cup[3:])
    return scene.having(turn=3, cup=cup).whole_turn().match


def _discover(scene: Scene, rng: Random, seats: int) -> None:
    unknown = [
        spot for spot in CHART.unknown if spot not in (*scene.state.tile_at, *scene.state.seas)
    ]
    box = list(scene.state.box)
    rng.shuffle(box)
    for spot in rng.sample(unknown, rng.randint(15, 45)):
        if not box or rng.random() < 0.5:
            scene.sea(spot)
        elif rng.random() < 0.8:
            scene.land(**{spot: box.pop()})
        else:
            scene.hidden(
                spot, box.pop(), *sorted(rng.sample(range(seats), rng.randint(1, seats - 1)))
            )


def _settle(scene: Scene, rng: Random, seats: int) -> None:
    up = [tile for tile in scene.state.tiles if tile.up and tile.spot not in HOMES.values()]
    lands = [tile for tile in up if TILES[tile.key].green]
    for place, tile in enumerate(rng.sample(lands, min(len(lands), 3 * seats))):
        scene.village(place % seats, tile.spot, rng.randint(1, TILES[tile.key].green))
    scene.village(rng.randrange(seats), "e7", rng.randint(1, 3))


def _deploy(scene: Scene, rng: Random, seat: int) -> None:
    left = dict(PIECES)
    own = controlled_groups(scene.state, seat)
    seas = [hex.code for hex in HEXES if hex.code in PRINTED_OCEAN and distance(hex.code, "h7") < 6]
    for spot in [*own, *rng.sample([*scene.state.seas, *seas], 6)]:
        if enemy_at(scene.state, seat, spot) or not left["t"]:
            continue
        w, t, r = (
            rng.randint(0, min(most, left[kind])) for kind, most in (("w", 2), ("t", 3), ("r", 1))
        )
        afloat = is_sea(scene.state, spot)
        c = rng.randint(0, min(1, left["c"], t if afloat else 9))
        b = rng.randint(0, min(2, left["b"], w + t - c if afloat else 9))
        t = t or int(not w + r + c + b)
        for kind, number in zip("wtrcb", (w, t, r, c, b), strict=True):
            left[kind] -= number
        scene.state = scene.state.with_pieces(
            seat, spot, Kinds(w, t, r, c, b), is_open=rng.random() < 0.5
        )


def _deal(scene: Scene, rng: Random, seats: int) -> None:
    deck = list(scene.state.deck)
    rng.shuffle(deck)
    for seat in range(seats):
        for _ in range(rng.randint(1, 6)):
            scene.cards(seat, deck.pop(), up=rng.random() < 0.4)
        scene.nation(
            seat,
            losses=rng.choice(STANDING_ORDERS["set_loss_order"].keys),
            orders=rng.choice(STANDING_ORDERS["set_card_order"].keys),
            kumara=rng.random() < 0.2,
        )
