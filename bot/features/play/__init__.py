"""Playing: the private panel, typed moves, and looking at the board.

service.py  moves drafted, confirmed and taken back
presses.py  a panel opened, pressed and shown again; /play, /undo, /resign
look.py     /board, /hand, /log, and the buttons that show them
context.py  one seat of a match, which all below is built from; the ids of a panel's controls
panel.py    a seat's panel: its question and its draft in words, with controls
advice.py   hints, and what a coach says during a first match
typed.py    moves written as text, read and suggested
"""

from bot.features.play import look, presses
from bot.features.play.service import Play
from bot.kernel.feature import Parts
from bot.ui import Feature, make_turn_button

FEATURE = Feature(
    name="play",
    build=lambda kernel: Parts(services=(Play(kernel),)),
    commands=(presses.play, presses.undo, presses.resign, look.board, look.hand, look.log),
    items=(
        presses.PanelControl,
        make_turn_button("move", presses.open_panel),
        make_turn_button("view", look.show_view),
        make_turn_button("log", look.show_log),
        make_turn_button("fair", look.show_fairness),
    ),
)
