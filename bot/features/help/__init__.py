"""Help and rules.

commands.py  /help and its buttons
rules.py     /rules, its menu, and the button Rules under a turn
"""

from bot.features.help import commands, rules
from bot.ui.feature import Feature

FEATURE = Feature(
    name="help",
    commands=(commands.help_screen, rules.rules),
    items=(commands.HelpButton, rules.RulesPage, rules.RulesButton),
)
