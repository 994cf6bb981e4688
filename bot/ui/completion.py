"""The former names of what is in commands.py."""

from bot.ui.commands import Choices as Choices
from bot.ui.commands import autocomplete
from bot.ui.commands import containing as containing
from bot.ui.commands import matches_over as matches_over
from bot.ui.commands import named_match as named_match

quiet = autocomplete
