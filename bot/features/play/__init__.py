"""Playing: the private panel, typed moves, and looking at the board.

service.py  moves drafted, confirmed and taken back
presses.py  a panel opened, pressed and shown again; /play, /undo, /resign; /board, /hand, /log
panel.py    a seat's panel: its question and its draft in words, with controls and their ids
advice.py   hints, and what a coach says during a first match

Typed moves are read by engine/core/typed.py.
"""

from bot.features.play import presses
from bot.features.play.service import Play
from bot.kernel.feature import Parts
from bot.ui import Feature, make_turn_button

FEATURE = Feature(
    name="play",
    build=lambda kernel: Parts(services=(Play(kernel),)),
    commands=(presses.play, presses.undo, presses.resign, presses.board, presses.hand, presses.log),
    items=(
        presses.PanelControl,
        make_turn_button("move", presses.open_panel),
        make_turn_button("view", presses.show_view),
        make_turn_button("log", presses.show_log),
        make_turn_button("fair", presses.show_fairness),
    ),
)
