"""How a finished match was won, and what would have been better.

commands.py    /review
components.py  the button "Review"
"""

from bot.features.review import commands, components
from bot.ui.feature import Feature

FEATURE = Feature(name="review", commands=(commands.review,), items=(components.ReviewButton,))
