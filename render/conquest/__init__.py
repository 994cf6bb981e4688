"""The pictures of Conquest of Paradise.

`layout` says where everything stands, `focus` which hexes the theatre holds; `news` is what
happened since the last post. The `theatre` is the crop of the map that matters: `ground` and
`hexes` below, `tokens` on it, `labels` where they hide nothing, `america` at its edge. Around it
lie the `chart` of the whole map, the `track` of points and the `panels`; below it the bands of
`voyages`, of a `fight` and of what is the viewer's `own`. `scores` is the sheet of the end, `words`
the picture in words, `sample` has positions that random matches do not show.
"""

from PIL import Image

from engine.conquest.board import AMERICA, HEX_AT
from engine.conquest.view import ConquestView
from render import Scene
from render.canvas import Canvas
from render.chrome import chip_of, names_for, title_of, title_strip
from render.conquest.chart import chart
from render.conquest.fight import fights_band, fights_high
from render.conquest.focus import FILM, crop_for, line_over, steady
from render.conquest.layout import GAPS, HEIGHT, WIDTH, bands_of
from render.conquest.news import news_of
from render.conquest.own import own_band
from render.conquest.panels import panels
from render.conquest.scores import score_sheet, score_text
from render.conquest.theatre import theatre
from render.conquest.track import track
from render.conquest.voyages import is_exploring, voyages_band
from render.conquest.words import WORDS, alt_text, hand, text_board
from render.palette import BACKDROP, livery_of

ORDERED = ("exploration", "movement", "battle")
"""The Steps that seats take one after the other."""

__all__ = ["alt_text", "draw", "hand", "score_sheet", "score_text", "steady", "text_board"]


def draw(view: ConquestView, scene: Scene) -> Image.Image:
    """The theatre, a Battle and one's own things if there are any, the track, the chart and the
    panels.
    """
    news = news_of(view, scene.events)
    names = names_for(scene.names, len(view.nations))
    # Only what is on the map can be ringed, whatever else a question is about.
    rings = tuple(spot for spot in scene.rings if spot in HEX_AT or spot == AMERICA)
    high = fights_high(view, news)
    if scene.window:
        bands, crop = FILM, scene.window
        fights = line_over(view, crop, high)
    else:
        bands = bands_of(high, is_exploring(view), view.own is not None)
        crop = crop_for(view, rings, bands.high)
        fights = bands.fights
    canvas = Canvas.blank(WIDTH, HEIGHT, BACKDROP)
    canvas.lay(title_strip(WIDTH, title_of(view), phase_lines(view), chip_of(view, names)), 0, 0)
    canvas.lay(theatre(view, rings, crop, news), 0, bands.theatre)
    if high:
        canvas.lay(fights_band(view, names, news), 0, fights)
    if bands.voyages < bands.own:
        canvas.lay(voyages_band(view), 0, bands.voyages)
    if view.own is not None:
        canvas.lay(own_band(view), 0, bands.own)
    canvas.lay(track(view, news), 0, bands.track)
    canvas.lay(chart(view, rings, crop, news), GAPS, bands.below)
    panels(canvas, view, names, bands.below, news)
    return canvas.image


def phase_lines(view: ConquestView) -> tuple[str, ...]:
    """The turn and its Step; below them the order in which seats act, in the Steps that have
    one.
    """
    lines = [WORDS.say("phase.step", turn=view.turn, step=view.step)]
    if view.order and view.step in ORDERED:
        letters = (livery_of(seat).letter for seat in view.order)
        lines.append(WORDS.say("phase.order", letters=WORDS.say("phase.then").join(letters)))
    return tuple(lines)
