"""Playing: the private panel, typed moves, and looking at the board.

service.py      drafts, confirms and undoes moves
presses.py      opens panels and handles their buttons; /play, /undo, /resign; /board, /hand, /log
live_panels.py  redraws open panels when it is the player's turn again
boards.py       shows the panel as the living message of a match in direct messages
panel.py        builds a seat's panel: question and draft in words, controls and their custom ids
advice.py       adds hints, and the comments of a coach during a first match

Typed moves are read by engine/core/typed.py.
"""

from bot.features.play import presses
from bot.features.play.boards import SoloBoards
from bot.features.play.live_panels import LivePanels
from bot.features.play.service import Play
from bot.kernel.feature import Parts
from bot.ui import Feature, MotuClient, make_turn_button


def connect(client: MotuClient) -> Parts:
    """Create the parts that keep panels up to date."""
    live_panels = LivePanels(client, presses.continue_panel)
    return Parts(
        services=(live_panels, SoloBoards(client)),
        subscribers=(live_panels.on_change,),
        on_notification=(live_panels.on_notification,),
        on_close=(live_panels.close,),
    )


FEATURE = Feature(
    name="play",
    build=lambda kernel: Parts(services=(Play(kernel),)),
    connect=connect,
    commands=(presses.play, presses.undo, presses.resign, presses.board, presses.hand, presses.log),
    items=(
        presses.PanelControl,
        make_turn_button("move", presses.open_panel),
        make_turn_button("view", presses.show_view),
        make_turn_button("log", presses.show_log),
        make_turn_button("fair", presses.show_fairness),
    ),
)
