"""The toolkit that every feature's Discord side shares.

Receive
  client.py       MotuClient and MotuInteraction; `service` finds what a feature offers
  feature.py      Feature: what a feature declares
  commands.py     slash commands, and what is offered while somebody types one
  components.py   Item: buttons and menus that somebody presses; edits that follow later
  which_match.py  which match, game or seat somebody means
  permissions.py  what the bot and its users may do in a channel
Answer
  reply.py        interactions admitted, acknowledged and answered; errors become words here
  long_jobs.py    work of a minute or so, with progress and a way to stop it
  rate.py         how fast the bot may send to Discord
  error_codes.py  Discord's error codes
Say
  parts.py        buttons, menus and embeds as they are sent, and Discord's limits on them
  describe.py     a match, its people and its terms in words
  pictures.py     boards and sheets, drawn off the event loop
"""

from bot.ui.client import MotuClient, MotuInteraction, service
from bot.ui.commands import (
    Choices,
    SlashCommand,
    autocomplete,
    containing,
    matches_over,
    named_match,
    slash,
)
from bot.ui.components import (
    DROP,
    GAMES_BUTTON,
    KEEP,
    MATCH,
    PLAN_BUTTON,
    Item,
    LateEdits,
    games_button_id,
    make_turn_button,
    named,
    plan_button_id,
    turn_button,
    turn_button_id,
)
from bot.ui.describe import (
    discreet,
    hidden_players,
    marked_names,
    mentions,
    person,
    person_name,
    plain_names,
    tidied,
)
from bot.ui.feature import Feature
from bot.ui.parts import (
    BUTTON_LABEL,
    BUTTONS_A_ROW,
    CHOICE_TEXT,
    CHOICES,
    CONTENT,
    CUSTOM_ID,
    GOOD,
    GRAVE,
    PLACEHOLDER,
    PLAIN,
    ROWS,
    STRONG,
    Button,
    Choice,
    Menu,
    Row,
    button_rows,
    carries,
    custom_ids,
    cut,
    ids_in,
    lines_within,
    new_embed,
    next_page_button,
    view_of,
)
from bot.ui.pictures import Picture, Pictures
from bot.ui.rate import Bucket, PublicAnswers, backoff
from bot.ui.reply import (
    DISCORD_ERRORS,
    UNREACHABLE,
    Acknowledgement,
    attached,
    only,
    write_to,
)
from bot.ui.which_match import (
    Several,
    game_titles,
    here,
    meant_game,
    must_be_in_server,
    my_match,
    my_seat,
    my_seated_match,
    only_one,
    seat_of,
)
from engine.core.escape import escaped, one_line
