"""The pictures of Conquest of Paradise.

layout            the bands of a picture, and hexes in a window on the map
windows           which hexes the main map shows, in a post and in a film
news              what happened since the last post, as numbered items

main_map          the part of the map that matters now, drawn by hex_canvas, marks,
                  settlements, pieces and hex_text
ground, hexes     sea, lands and the Unknown; rims, rings and lines
tokens            counters, markers and signs
labels            finds places for names and numbers where they hide nothing
america           the coast of South America

chart             the whole map, small
track             the Victory Point Track
winner_plate      who has won, in place of the chart in the final picture
panels            a panel for each seat, and what is still to come
exploration_band  Knots, Lost Box and cup
battle_band       the Battle under way and those that are over
own_band          what only the viewer knows
step_band         in its place for everybody else: the Steps of the turn and who acts when

scores            the score sheet
words             the alt text, the board as text, the viewer's own things
sample            positions that random matches do not reach
"""

from msgspec.structs import replace
from PIL import Image

from engine.conquest.board import AMERICA, HEX_AT
from engine.conquest.view import ConquestView
from render import Scene
from render.canvas import Canvas
from render.chrome import Stage, chip_of, drawable_names, title_of, title_strip
from render.conquest.battle_band import battles_height, draw_battles
from render.conquest.chart import draw_chart
from render.conquest.exploration_band import draw_exploration, is_exploring
from render.conquest.layout import GAPS, HEIGHT, WIDTH, bands_of
from render.conquest.main_map import draw_main_map
from render.conquest.news import news_of
from render.conquest.own_band import draw_own_things
from render.conquest.panels import put_panels
from render.conquest.scores import score_sheet, score_text
from render.conquest.step_band import STEPS, STEPS_IN_TURN_ORDER, draw_steps
from render.conquest.track import draw_track
from render.conquest.windows import (
    FILM_BANDS,
    FILM_END_BANDS,
    film_battles_top,
    film_windows,
    main_map_window,
)
from render.conquest.winner_plate import draw_winner
from render.conquest.words import WORDS, alt_text, hand, text_board
from render.hints import Advised, put_hint
from render.palette import BACKDROP, livery_of
from render.ranks import final_lines, winners_of

HALF_A_STEP = 0.5
"""How far a Step under way is shown to be: nobody knows how long it takes."""

__all__ = ["alt_text", "draw", "film_windows", "hand", "score_sheet", "score_text", "text_board"]


def draw(view: ConquestView, scene: Scene) -> Image.Image:
    """Draw the main map and the bands around it; a film has its own window and bands."""
    news = news_of(view, scene.events)
    names = drawable_names(scene.names, len(view.nations))
    # A question may be about more than the map, but only hexes can be ringed.
    rings = tuple(spot for spot in scene.rings if spot in HEX_AT or spot == AMERICA)
    height = battles_height(view, news)
    is_over = view.outcome is not None
    if scene.window:
        bands = FILM_END_BANDS if is_over else FILM_BANDS
        crop = replace(scene.window, height=bands.main_map_height)
        battles_top = film_battles_top(view, crop, height)
    else:
        bands = bands_of(height, is_exploring(view), is_over)
        crop = main_map_window(view, rings, bands.main_map_height)
        battles_top = bands.battles
    canvas = Canvas.blank(WIDTH, HEIGHT, BACKDROP)
    chip = chip_of(view, names)
    canvas.lay(title_strip(WIDTH, title_of(view), phase_lines(view), chip, stage_of(view)), 0, 0)
    canvas.lay(draw_main_map(view, rings, crop, news), 0, bands.main_map)
    if scene.ringed == "advised":
        board = (0, bands.main_map, WIDTH, bands.main_map + bands.main_map_height)
        middles = [(spot, *crop.middle_of(spot)) for spot in rings if crop.holds(spot)]
        radius = 2 * crop.unit
        put_hint(
            canvas, board, [Advised(spot, x, y + bands.main_map, radius) for spot, x, y in middles]
        )
    if height:
        canvas.lay(draw_battles(view, names, news), 0, battles_top)
    if bands.exploration < bands.own:
        canvas.lay(draw_exploration(view), 0, bands.exploration)
    if bands.own < bands.track:
        own_or_steps = draw_steps(view, names) if view.own is None else draw_own_things(view)
        canvas.lay(own_or_steps, 0, bands.own)
    canvas.lay(draw_track(view), 0, bands.track)
    if winners_of(view):
        canvas.lay(draw_winner(view, names), GAPS, bands.chart)
    else:
        canvas.lay(draw_chart(view, rings, crop, news), GAPS, bands.chart)
    put_panels(canvas, view, names, bands.chart, news)
    return canvas.image


def stage_of(view: ConquestView) -> Stage:
    """Return which Step of the turn is under way."""
    if view.step in STEPS:
        return Stage(len(STEPS), STEPS.index(view.step), HALF_A_STEP)
    return Stage(len(STEPS), len(STEPS) if view.outcome is not None else 0, 0)


def phase_lines(view: ConquestView) -> tuple[str, ...]:
    """Return the turn and its Step, then the turn order in Steps that have one."""
    phase = WORDS.say("phase.step", turn=view.turn, step=view.step)
    if view.outcome is not None:
        return final_lines(view, phase)
    lines = [phase]
    if view.order and view.step in STEPS_IN_TURN_ORDER:
        letters = [livery_of(seat).letter for seat in view.order]
        order = WORDS.say("phase.then").join(letters)
        lines.append(WORDS.say("phase.order", letters=order))
    return tuple(lines)
