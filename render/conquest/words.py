"""Conquest of Paradise in words: alt text, the whole board as text, and the viewer's own things.

An alt text has a limit of characters: `alt_text` offers the board in several lengths, and
`compose_fullest` takes the fullest that fits. Templates are in text/en.toml.
"""

from collections.abc import Iterator

from engine.conquest.board import CHART, PRINTED
from engine.conquest.event_base import piece_counts
from engine.conquest.view import NOBODY, BattleView, ConquestView, GroupView, Kinds
from engine.core.game import RESIGNED
from render import Scene
from render.alt import (
    compose_fullest,
    describe_choices,
    describe_turn,
    end_sentence,
    put_news_first,
    seat_names,
    shorten_names,
    shorten_news,
)
from render.chrome import title_of
from render.conquest.america import landmark
from render.conquest.own_band import cards_text, list_text
from render.conquest.panels import markers_left
from render.conquest.scores import kinds_of, label_of
from render.palette import LIVERIES
from render.words import words_of

WORDS = words_of("conquest")
LETTERS = tuple(livery.letter for livery in LIVERIES)
"""Short names of seats, as their pieces are marked."""
NEWEST_SHOWN = 4
"""Hexes of the last moves that are named if the scene does not tell what happened."""


def alt_text(view: ConquestView, scene: Scene) -> str:
    """Describe the picture in at most 1,024 characters."""
    scene = shorten_names(scene)
    seats = [_seat_text(view, scene, seat) for seat in range(len(view.nations))]
    moves = list(_moves(view))
    moves_without_ways = list(_moves(view, with_ways=False))
    free = list(_free_lands(view))
    free_codes = list(_free_lands(view, with_names=False))
    boards = [
        [*moves, *_held_lands(view), *free],
        [*moves_without_ways, *_held_lands(view), *free],
        [*moves_without_ways, *_held_lands(view), *free_codes],
        [*moves_without_ways, *_held_lands(view, with_stacks=False), *free_codes],
        [
            *moves_without_ways,
            *_held_lands(view, with_stacks=False, with_names=False),
            *free_codes,
        ],
    ]
    return compose_fullest(_heading(view, scene), seats, boards, scene)


def text_board(view: ConquestView, scene: Scene) -> str:
    """Describe the whole position."""
    names = seat_names(view, scene)
    lines = [end_sentence(part) for part in put_news_first(_heading(view, scene))]
    for seat, nation in enumerate(view.nations):
        seat_line = WORDS.say(
            "text.seat",
            seat=_seat_text(view, scene, seat),
            home=nation.home,
            place=view.order.index(seat) + 1 if seat in view.order else 0,
            track=nation.track,
            cards=tuple(card.key for card in nation.cards),
            markers=nation.markers,
            explorer=WORDS.say(f"explorer.{nation.explorer}"),
            saved=nation.saved,
            kumara=nation.kumara,
            ready=nation.ready,
            chain=nation.home_chain,
        )
        lines.append(seat_line)
    lines += ["", *(end_sentence(part) for part in _moves(view))]
    lines += ["", WORDS.say("text.groups")]
    lines += [_group_text(view, group) for group in view.groups]
    for tile in view.tiles:
        if not tile.up:
            facts = {"spot": tile.spot, "seen": tile.seen, "tile": tile.key}
            lines.append(WORDS.say("text.tile", names, **facts))
    lines += ["", WORDS.say("text.pieces"), *_piece_lines(view, names)]
    lines += ["", *_sea_lines(view)]
    if view.own is not None:
        lines += ["", WORDS.say("text.yours"), hand(view, scene)]
    if choices := describe_choices(scene):
        lines += ["", choices]
    if view.outcome is not None:
        lines += ["", *_score_lines(view, names)]
    return "\n".join(lines)


def hand(view: ConquestView, scene: Scene) -> str:
    """Describe what only the viewer has: Home, cards, discoveries, pieces, list and orders."""
    own, seat = view.own, view.viewer
    if own is None or seat is None:
        return ""
    lines = [WORDS.say("hand.home", (), view, home=view.nations[seat].home)]
    # Everybody sees the points of cards face up: those need no mention here.
    points = 0 if all(card.up for card in own.hand) else own.points
    cards = cards_text(own) if own.hand else ""
    lines.append(WORDS.say("hand.cards", cards=cards, points=points))
    if own.tiles:
        tiles = [WORDS.say("alt.land", land=tile.key, spot=tile.spot) for tile in own.tiles]
        lines.append(WORDS.say("hand.tiles", tiles=WORDS.comma_list(tiles)))
    # A view has the kinds of the viewer's pieces only.
    for stack in view.stacks:
        if stack.kinds is not None:
            kinds = piece_counts(stack.kinds)
            facts = {"spot": stack.spot, "kinds": kinds, "open": stack.open}
            lines.append(WORDS.say("hand.stack", (), view, **facts))
    for fleet in view.fleets:
        if fleet.kinds is not None:
            fleet_line = WORDS.say(
                "hand.fleet",
                (),
                view,
                number=fleet.number,
                spot=fleet.at,
                kinds=piece_counts(fleet.kinds),
                left=fleet.left,
            )
            lines.append(fleet_line)
    lines.append(WORDS.say("hand.unbuilt", pieces=piece_counts(own.unbuilt)))
    if own.build is not None:
        lines.append(WORDS.say("hand.list", list=list_text(own)))
    lines.append(
        WORDS.say("hand.orders", losses=f"losses-{own.losses}", orders=f"cards-{own.orders}")
    )
    return "\n".join(lines)


def _heading(view: ConquestView, scene: Scene) -> list[str]:
    """Return the turn and Step, who is to move or has won, and what happened last."""
    phase = WORDS.say(
        "alt.phase", game=title_of(view), turn=view.turn, step=view.step, goal=view.goal
    )
    last = ""
    if scene.last:
        last = WORDS.say("alt.last", news=shorten_news(scene))
    elif view.last:
        last = WORDS.say("alt.last_at", spots=view.last[-NEWEST_SHOWN:])
    return [phase, describe_turn(view, scene), last]


def _seat_text(view: ConquestView, scene: Scene, seat: int) -> str:
    """Return what the panel of a seat shows."""
    nation = view.nations[seat]
    return WORDS.say(
        "alt.seat",
        seat_names(view, scene),
        seat=seat,
        out=nation.out,
        points=view.scores[seat],
        villages=nation.villages,
        groups=nation.groups,
        open=nation.open_canoes,
        pieces=nation.pieces,
        cards=nation.hand,
        lost=nation.explorer == "lost",
    )


def _moves(view: ConquestView, with_ways: bool = True) -> Iterator[str]:
    """Yield the Explorer at sea, the Battle, Battles to come, and what has sailed."""
    voyage = view.voyage
    if voyage is not None:
        yield WORDS.say(
            "alt.voyage",
            LETTERS,
            seat=voyage.seat,
            spot=voyage.at,
            kumara=voyage.kumara,
            knots=voyage.knots,
            limit=voyage.limit,
        )
    if view.battle is not None:
        yield _battle_text(view.battle)
    if view.due:
        yield WORDS.say("alt.due", spots=view.due)
    if with_ways:
        for arrow in view.arrows:
            key = "alt.transit" if arrow.transit else "alt.sailed"
            yield WORDS.say(key, LETTERS, seat=arrow.seat, count=arrow.count, way=arrow.way)


def _battle_text(battle: BattleView) -> str:
    rows = []
    for row in battle.rows:
        front = [("w", row.w), ("b", row.b), ("l", row.l)]
        row_text = WORDS.say(
            "alt.row",
            LETTERS,
            seat=_seat_or_none(row.seat),
            front=tuple((kind, number) for kind, number in front if number),
            panicked=row.panicked_w + row.panicked_b + row.panicked_l,
            behind=row.t + row.c + row.carried_b,
        )
        rows.append(row_text)
    return WORDS.say(
        "alt.battle",
        LETTERS,
        spot=battle.spot,
        attacker=battle.attacker,
        defender=_seat_or_none(battle.defender),
        rows=WORDS.semicolon_list(rows),
        rolls=tuple(roll.die for roll in battle.rolls),
    )


def _seat_or_none(seat: int) -> int | None:
    """Return a seat as templates take it: None leaves a part of the template out."""
    return None if seat == NOBODY else seat


def _held_lands(
    view: ConquestView, with_stacks: bool = True, with_names: bool = True
) -> Iterator[str]:
    """Yield the groups and stacks of each seat; without stacks, their total number."""
    key = "alt.group" if with_names else "alt.village"
    for seat in range(len(view.nations)):
        groups = [
            WORDS.say(key, land=group.key, spot=group.spot, villages=group.villages)
            for group in view.groups
            if group.owner == seat
        ]
        own = [(stack.spot, stack.count) for stack in view.stacks if stack.seat == seat]
        under_way = [(fleet.at, fleet.count) for fleet in view.fleets if fleet.seat == seat]
        stacks = [WORDS.say("alt.stack", count=count, spot=spot) for spot, count in own]
        stacks += [WORDS.say("alt.fleet", count=count, spot=spot) for spot, count in under_way]
        if stacks and not with_stacks:
            total = sum(count for _, count in own + under_way)
            hexes = {spot for spot, _ in own + under_way}
            stacks = [WORDS.say("alt.spread", count=total, hexes=len(hexes))]
        if groups or stacks:
            yield WORDS.say(
                "alt.holds",
                LETTERS,
                seat=seat,
                groups=WORDS.comma_list(groups),
                stacks=WORDS.comma_list(stacks),
            )


def _free_lands(view: ConquestView, with_names: bool = True) -> Iterator[str]:
    """Yield a line each for tiles face down, lands nobody controls, and atolls, which nobody can.

    Without names, lands are listed by their codes.
    """
    tiles = []
    for tile in view.tiles:
        if not tile.up:
            letters = "".join(LETTERS[seat] for seat in tile.seen)
            tiles.append(WORDS.say("alt.tile", spot=tile.spot, letters=letters))
    if tiles:
        yield WORDS.say("alt.face_down", tiles=WORDS.comma_list(tiles))
    # Printed groups are on every map: only discoveries are worth telling.
    found = [group for group in view.groups if group.owner == NOBODY and not group.printed]
    for key, is_atoll in (("alt.free", False), ("alt.atolls", True)):
        lands = [group for group in found if group.atoll == is_atoll]
        if not lands:
            continue
        if with_names:
            named = [WORDS.say("alt.land", land=group.key, spot=group.spot) for group in lands]
            listed = WORDS.comma_list(named)
        else:
            listed = WORDS.say("alt.codes", spots=tuple(group.spot for group in lands))
        yield WORDS.say(key, lands=listed)


def _group_text(view: ConquestView, group: GroupView) -> str:
    if group.atoll:
        return WORDS.say("text.atoll", spot=group.spot, land=group.key)
    malaria_rolls: tuple[int, ...] = ()
    if view.malaria_played and group.spot in PRINTED:
        malaria_rolls = PRINTED[group.spot].malaria
    return WORDS.say(
        "text.group",
        LETTERS,
        spot=group.spot,
        land=group.key,
        independent=group.independent,
        owner=_seat_or_none(group.owner),
        green=group.green,
        brown=group.brown,
        villages=group.villages,
        improved=group.improved,
        warriors=group.warriors,
        home=_seat_or_none(group.home),
        chained=group.chained,
        rolls=malaria_rolls,
    )


def _piece_lines(view: ConquestView, names: tuple[str, ...]) -> Iterator[str]:
    """Yield stacks and fleets: how many pieces there are, and their kinds for the owner."""
    for stack in view.stacks:
        kinds: tuple[tuple[str, int], ...] = ()
        if stack.kinds is not None:
            # The open canoe has a text of its own.
            kinds = piece_counts(stack.kinds.minus(Kinds(t=int(stack.open))))
        key = "text.face_up" if stack.open else "text.face_down"
        pieces = WORDS.say(key, hidden=stack.hidden, kinds=kinds)
        yield WORDS.say("text.stack", names, spot=stack.spot, seat=stack.seat, pieces=pieces)
    for fleet in view.fleets:
        yield WORDS.say(
            "text.fleet",
            names,
            spot=fleet.at,
            seat=fleet.seat,
            number=fleet.number,
            count=fleet.count,
            left=fleet.left,
            kinds=piece_counts(fleet.kinds) if fleet.kinds is not None else (),
        )
    if not view.stacks and not view.fleets:
        yield WORDS.say("text.no_pieces")


def _sea_lines(view: ConquestView) -> Iterator[str]:
    """Yield explored and unknown hexes, the way to South America, and what is still to come."""
    unknown = tuple(hex.spot for hex in view.hexes if hex.face == "unknown")
    yield WORDS.say("text.seas", spots=view.seas)
    yield WORDS.say("text.unknown", spots=unknown)
    if view.kumara_played:
        islands = [
            WORDS.say("text.landmark", name=landmark(spot), spot=spot) for spot in CHART.galapagos
        ]
        yield WORDS.say(
            "text.america",
            start=CHART.to_america,
            coast=CHART.coast,
            islands=WORDS.comma_list(islands),
        )
    markers = markers_left(view.cup)
    yield WORDS.say(
        "text.supply",
        tiles=view.tiles_left,
        deck=view.deck,
        islands=markers["island"],
        oceans=markers["ocean"],
        offcourse=markers["offcourse"],
    )


def _score_lines(view: ConquestView, names: tuple[str, ...]) -> Iterator[str]:
    """Yield what the score sheet says."""
    has_ended_early = view.outcome is not None and view.outcome.reason == RESIGNED
    yield WORDS.say("text.as_it_stood" if has_ended_early else "text.points")
    for seat in range(len(view.nations)):
        kinds = [
            WORDS.say("text.kind", kind=label_of(kind), points=kind.points(view, seat))
            for kind in kinds_of(view)
        ]
        yield WORDS.say(
            "text.scored", names, seat=seat, kinds=WORDS.comma_list(kinds), total=view.scores[seat]
        )
