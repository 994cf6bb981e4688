"""Conquest of Paradise in words: the alt text of a picture, the whole table as text, and what is
the viewer's own.
"""

from collections.abc import Iterator

from engine.conquest.board import CHART, PRINTED
from engine.conquest.event_base import counts_of
from engine.conquest.view import NOBODY, BattleView, ConquestView, GroupView, Kinds
from engine.core.game import RESIGNED
from render import Scene
from render.alt import fullest, news_of, seat_names, sentence, turn_of, with_short_names
from render.chrome import title_of
from render.conquest.america import landmark
from render.conquest.own import cards_text, list_text
from render.conquest.panels import markers_left
from render.conquest.scores import kinds_of, label_of
from render.palette import LIVERIES
from render.words import words_of

WORDS = words_of("conquest")
LETTERS = tuple(livery.letter for livery in LIVERIES)
"""What seats are called where there is little room: as the pieces are marked."""


def alt_text(view: ConquestView, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    scene = with_short_names(scene)
    head = (_phase(view), turn_of(view, scene), _last(view, scene))
    seats = [_seat(view, scene, seat) for seat in range(len(view.nations))]
    briefly = list(_under_way(view, with_ways=False))
    boards = [
        [*_under_way(view), *_held(view), *_free(view)],
        [*briefly, *_held(view), *_free(view)],
        [*briefly, *_held(view), *_free(view, with_names=False)],
        [*briefly, *_held(view, with_stacks=False), *_free(view, with_names=False)],
        [
            *briefly,
            *_held(view, with_stacks=False, with_names=False),
            *_free(view, with_names=False),
        ],
    ]
    return fullest(head, seats, boards, scene)


def text_board(view: ConquestView, scene: Scene) -> str:
    """The whole table in words."""
    names = seat_names(view, scene)
    head = (_phase(view), turn_of(view, scene), _last(view, scene))
    lines = [sentence(part) for part in head if part]
    lines += [_whole_seat(view, scene, seat) for seat in range(len(view.nations))]
    lines.append("")
    lines += [sentence(part) for part in _under_way(view)]
    lines += ["", WORDS.say("text.groups")]
    lines += [_group(view, group) for group in view.groups]
    for tile in view.tiles:
        if not tile.up:
            lines.append(
                WORDS.say("text.tile", names, spot=tile.spot, seen=tile.seen, tile=tile.key)
            )
    lines += ["", WORDS.say("text.pieces"), *_pieces(view, names)]
    unknown = tuple(hex.spot for hex in view.hexes if hex.face == "unknown")
    lines += ["", WORDS.say("text.seas", spots=view.seas), WORDS.say("text.unknown", spots=unknown)]
    if view.kumara_played:
        on_way = [
            WORDS.say("text.landmark", name=landmark(spot), spot=spot) for spot in CHART.galapagos
        ]
        lines.append(
            WORDS.say(
                "text.america",
                start=CHART.to_america,
                coast=CHART.coast,
                islands=WORDS.comma_list(on_way),
            )
        )
    markers = markers_left(view.cup)
    supply = WORDS.say(
        "text.supply",
        tiles=view.tiles_left,
        deck=view.deck,
        islands=markers["island"],
        oceans=markers["ocean"],
        offcourse=markers["offcourse"],
    )
    lines.append(supply)
    if view.own is not None:
        lines += ["", WORDS.say("text.yours"), hand(view, scene)]
    if scene.rings:
        lines += ["", WORDS.say("alt.legal", codes=scene.rings)]
    lines += _scored(view, names)
    return "\n".join(lines)


def hand(view: ConquestView, scene: Scene) -> str:
    """What is the viewer's own: Home, cards, discoveries, pieces by place and not yet built,
    list and orders.
    """
    own, seat = view.own, view.viewer
    if own is None or seat is None:
        return ""
    lines = [
        WORDS.say("hand.home", (), view, home=view.nations[seat].home),
        # The points that all see stand above; those of cards that nobody else sees are the viewer's
        # to know.
        WORDS.say(
            "hand.cards",
            cards=cards_text(own),
            points=0 if all(card.up for card in own.hand) else own.points,
        ),
    ]
    if own.tiles:
        tiles = [WORDS.say("alt.land", land=tile.key, spot=tile.spot) for tile in own.tiles]
        lines.append(WORDS.say("hand.tiles", tiles=WORDS.comma_list(tiles)))
    # Kinds are known of the viewer's own pieces alone.
    for stack in view.stacks:
        if stack.kinds is not None:
            kinds = counts_of(stack.kinds)
            lines.append(
                WORDS.say("hand.stack", (), view, spot=stack.spot, kinds=kinds, open=stack.open)
            )
    for fleet in view.fleets:
        if fleet.kinds is not None:
            told = WORDS.say(
                "hand.fleet",
                (),
                view,
                number=fleet.number,
                spot=fleet.at,
                kinds=counts_of(fleet.kinds),
                left=fleet.left,
            )
            lines.append(told)
    lines.append(WORDS.say("hand.unbuilt", pieces=counts_of(own.unbuilt)))
    if own.build is not None:
        lines.append(WORDS.say("hand.list", list=list_text(own)))
    lines.append(
        WORDS.say("hand.orders", losses=f"losses-{own.losses}", orders=f"cards-{own.orders}")
    )
    return "\n".join(lines)


def _phase(view: ConquestView) -> str:
    return WORDS.say(
        "alt.phase", game=title_of(view), turn=view.turn, step=view.step, goal=view.goal
    )


def _last(view: ConquestView, scene: Scene) -> str:
    """What happened last; where the scene does not say it, at which hexes it was, the newest
    few.
    """
    if scene.last:
        return WORDS.say("alt.last", news=news_of(scene))
    return WORDS.say("alt.last_at", spots=view.last[-4:]) if view.last else ""


def _seat(view: ConquestView, scene: Scene, seat: int) -> str:
    """A seat in an alt text: what its panel shows."""
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


def _whole_seat(view: ConquestView, scene: Scene, seat: int) -> str:
    """All that everybody knows of a seat."""
    nation = view.nations[seat]
    return WORDS.say(
        "text.seat",
        seat=_seat(view, scene, seat),
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


def _under_way(view: ConquestView, with_ways: bool = True) -> Iterator[str]:
    """The Explorer at sea, the Battle, Battles to come, and what has moved."""
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
        yield _battle(view.battle)
    if view.due:
        yield WORDS.say("alt.due", spots=view.due)
    for arrow in view.arrows if with_ways else ():
        key = "alt.transit" if arrow.transit else "alt.sailed"
        yield WORDS.say(key, LETTERS, seat=arrow.seat, count=arrow.count, way=arrow.way)


def _battle(battle: BattleView) -> str:
    rows = []
    for row in battle.rows:
        front = [("w", row.w), ("b", row.b), ("l", row.l)]
        told = WORDS.say(
            "alt.row",
            LETTERS,
            seat=_someone(row.seat),
            front=tuple((kind, number) for kind, number in front if number),
            panicked=row.panicked_w + row.panicked_b + row.panicked_l,
            behind=row.t + row.c + row.carried_b,
        )
        rows.append(told)
    return WORDS.say(
        "alt.battle",
        LETTERS,
        spot=battle.spot,
        attacker=battle.attacker,
        defender=_someone(battle.defender),
        rows=WORDS.semicolon_list(rows),
        rolls=tuple(roll.die for roll in battle.rolls),
    )


def _someone(seat: int) -> int | None:
    """A seat for a template, None for nobody."""
    return None if seat == NOBODY else seat


def _held(view: ConquestView, with_stacks: bool = True, with_names: bool = True) -> Iterator[str]:
    """Groups and stacks seat by seat; without stacks how many pieces they are, and in how many
    hexes.
    """
    key = "alt.group" if with_names else "alt.village"
    for seat in range(len(view.nations)):
        held = [group for group in view.groups if group.owner == seat]
        groups = [
            WORDS.say(key, land=group.key, spot=group.spot, villages=group.villages)
            for group in held
        ]
        own = [stack for stack in view.stacks if stack.seat == seat]
        stacks = [WORDS.say("alt.stack", count=stack.count, spot=stack.spot) for stack in own]
        fleets = [fleet for fleet in view.fleets if fleet.seat == seat]
        stacks += [WORDS.say("alt.fleet", count=fleet.count, spot=fleet.at) for fleet in fleets]
        if stacks and not with_stacks:
            count = sum(stack.count for stack in own) + sum(fleet.count for fleet in fleets)
            hexes = {stack.spot for stack in own} | {fleet.at for fleet in fleets}
            stacks = [WORDS.say("alt.spread", count=count, hexes=len(hexes))]
        if groups or stacks:
            yield WORDS.say(
                "alt.holds",
                LETTERS,
                seat=seat,
                groups=WORDS.comma_list(groups),
                stacks=WORDS.comma_list(stacks),
            )


def _free(view: ConquestView, with_names: bool = True) -> Iterator[str]:
    """Tiles face down, then lands that nobody Controls, and atolls, which nobody can."""
    tiles = []
    for tile in view.tiles:
        if not tile.up:
            letters = "".join(LETTERS[seat] for seat in tile.seen)
            tiles.append(WORDS.say("alt.tile", spot=tile.spot, letters=letters))
    if tiles:
        yield WORDS.say("alt.face_down", tiles=WORDS.comma_list(tiles))
    # Printed groups are on every map: only discoveries are news.
    found = [group for group in view.groups if group.owner == NOBODY and not group.printed]
    for key, is_atoll in (("alt.free", False), ("alt.atolls", True)):
        lands = [group for group in found if group.atoll == is_atoll]
        names = [WORDS.say("alt.land", land=group.key, spot=group.spot) for group in lands]
        told = (
            WORDS.comma_list(names)
            if with_names
            else WORDS.say("alt.codes", spots=tuple(group.spot for group in lands))
        )
        if lands:
            yield WORDS.say(key, lands=told)


def _group(view: ConquestView, group: GroupView) -> str:
    if group.atoll:
        return WORDS.say("text.atoll", spot=group.spot, land=group.key)
    rolls: tuple[int, ...] = ()
    if view.malaria_played and group.spot in PRINTED:
        rolls = PRINTED[group.spot].malaria
    return WORDS.say(
        "text.group",
        LETTERS,
        spot=group.spot,
        land=group.key,
        independent=group.independent,
        owner=_someone(group.owner),
        green=group.green,
        brown=group.brown,
        boxes=group.green + group.brown,
        villages=group.villages,
        improved=group.improved,
        warriors=group.warriors,
        home=_someone(group.home),
        chained=group.chained,
        rolls=rolls,
    )


def _pieces(view: ConquestView, names: tuple[str, ...]) -> Iterator[str]:
    """Stacks and fleets: their numbers for all, their kinds for their owner."""
    for stack in view.stacks:
        kinds: tuple[tuple[str, int], ...] = ()
        if stack.kinds is not None:
            # What lies face down; the open canoe is told apart.
            kinds = counts_of(stack.kinds.minus(Kinds(t=int(stack.open))))
        pieces = WORDS.say(
            "text.face_up" if stack.open else "text.face_down", hidden=stack.hidden, kinds=kinds
        )
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
            kinds=counts_of(fleet.kinds) if fleet.kinds is not None else (),
        )
    if not view.stacks and not view.fleets:
        yield WORDS.say("text.no_pieces")


def _scored(view: ConquestView, names: tuple[str, ...]) -> Iterator[str]:
    """What the score sheet says, once there is one."""
    if view.outcome is None:
        return
    yield ""
    yield WORDS.say("text.as_it_stood" if view.outcome.reason == RESIGNED else "text.points")
    for seat in range(len(view.nations)):
        kinds = [
            WORDS.say("text.kind", kind=label_of(kind), points=kind.points(view, seat))
            for kind in kinds_of(view)
        ]
        yield WORDS.say(
            "text.scored", names, seat=seat, kinds=WORDS.comma_list(kinds), total=view.scores[seat]
        )
