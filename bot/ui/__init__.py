"""The toolkit that all features use to talk to Discord. It knows no feature and no game.

Receive
  client.py       MotuClient and MotuInteraction; `service` finds another feature's service
  feature.py      Feature: the declaration of a feature
  commands.py     slash commands and autocompletion
  components.py   Item: buttons and menus with callbacks; LateEdits: edits that follow an answer
  forms.py        Form: a modal, for entering more than a button or menu can send
  which_match.py  finds the match, game or seat that a user means
  permissions.py  what the bot and its users may do in a channel
Answer
  reply.py        admits, acknowledges and answers interactions, and turns errors into answers
  long_jobs.py    work that takes a minute or so, with its progress and a Stop button
  rate.py         rate limits for requests to Discord and for public replies
  error_codes.py  Discord's error codes
Build messages
  parts.py        texts, buttons, menus, layouts and embeds, within Discord's limits
  describe.py     texts about a match, its players and its terms
  pictures.py     draws boards and score sheets in threads
"""

from bot.ui.client import MotuClient, MotuInteraction, service
from bot.ui.commands import (
    Choices,
    SlashCommand,
    all_matches,
    autocomplete,
    ended_matches,
    filter_choices,
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
    LatestPresses,
    find_named_match,
    games_button_id,
    make_turn_button,
    plan_button_id,
    turn_button,
    turn_button_id,
)
from bot.ui.describe import (
    hidden_players,
    hide_names,
    marked_names,
    mentions,
    person,
    person_name,
    plain_names,
    tidy_name,
)
from bot.ui.feature import Feature
from bot.ui.forms import (
    FORM_FIELDS,
    MAX_PICKED,
    CheckField,
    ChoiceField,
    Content,
    Entered,
    Field,
    FileField,
    Form,
    PickField,
    TextField,
    form_button,
    open_form,
    radio_or_menu,
)
from bot.ui.parts import (
    BUTTON_LABEL,
    BUTTONS_A_ROW,
    CHOICE_TEXT,
    CHOICES,
    CONTENT,
    CUSTOM_ID,
    GOOD,
    GRAVE,
    LAYOUT_PARTS,
    LAYOUT_TEXT,
    PLACEHOLDER,
    PLAIN,
    ROWS,
    STRONG,
    Button,
    Choice,
    Menu,
    Part,
    PeopleMenu,
    Row,
    Section,
    button_rows,
    count_components,
    custom_ids,
    cut,
    has_component,
    ids_in,
    layout_of,
    lines_within,
    new_embed,
    next_page_button,
    view_of,
    with_heading,
)
from bot.ui.pictures import Picture, Pictures
from bot.ui.rate import Bucket, PublicAnswers, backoff
from bot.ui.reply import (
    DISCORD_ERRORS,
    UNREACHABLE,
    Acknowledgement,
    make_files,
    ping_only,
    send_direct_message,
)
from bot.ui.which_match import (
    AskWhichMatch,
    game_titles,
    matches_here,
    must_be_in_server,
    my_ended_match,
    my_match,
    my_seat,
    my_seated_match,
    parse_game,
    pick_only_match,
    seat_of,
)
from engine.core.escape import escape_text, one_line
