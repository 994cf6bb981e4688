"""The pictures of Conquest of Paradise."""

from PIL import Image

from engine.conquest.board import AMERICA, HEX_AT
from engine.conquest.view import ConquestView
from render import Scene
from render.canvas import Canvas
from render.chrome import chip_of, names_for, title_of, title_strip
from render.conquest.chart import chart
from render.conquest.fight import battle_band
from render.conquest.focus import must_show, should_show, weights_of
from render.conquest.layout import CHART, GAPS, HEIGHT, WIDTH, bands_of, crop_of
from render.conquest.own import own_band
from render.conquest.panels import panels, rope
from render.conquest.scores import score_sheet, score_text
from render.conquest.theatre import theatre
from render.conquest.track import track
from render.conquest.words import WORDS, alt_text, hand, text_board
from render.palette import BACKDROP

__all__ = ["alt_text", "draw", "hand", "score_sheet", "score_text", "text_board"]


def draw(view: ConquestView, scene: Scene) -> Image.Image:
    """The theatre, a Battle and one's own things if there are any, the track, the chart and the panels."""
    bands = bands_of(view.battle is not None, view.own is not None)
    names = names_for(scene.names, len(view.nations))
    # Only what is on the map can be ringed, whatever else a question is about.
    rings = tuple(spot for spot in scene.rings if spot in HEX_AT or spot == AMERICA)
    crop = crop_of(WIDTH, bands.high, must_show(view, rings), should_show(view), weights_of(view))
    phase = [WORDS.word(view.step)]
    if view.turn:
        phase.insert(0, WORDS.say("phase.turn", turn=view.turn))

    canvas = Canvas.blank(WIDTH, HEIGHT, BACKDROP)
    canvas.lay(title_strip(WIDTH, title_of(view), tuple(phase), chip_of(view, names)), 0, 0)
    canvas.lay(theatre(view, rings, crop), 0, bands.theatre)
    if view.battle is not None:
        canvas.lay(battle_band(view, names), 0, bands.battle)
    if view.own is not None:
        canvas.lay(own_band(view), 0, bands.own)
    canvas.lay(track(view), 0, bands.track)
    canvas.lay(chart(view, rings, crop), GAPS, bands.below)
    canvas.lay(rope(view), 2 * GAPS + CHART[0], bands.below)
    panels(canvas, view, names, bands.below)
    return canvas.image
