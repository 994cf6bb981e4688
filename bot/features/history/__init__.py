"""Past moments of matches, and finished matches as files.

moments.py      any moment of a match, shown by `/board at:`, and the buttons to step through it
transcripts.py  finished matches written as files and verified: /export and /verify
"""

from bot.features.history.moments import MomentButton
from bot.features.history.transcripts import export, verify
from bot.ui import Feature

FEATURE = Feature(name="history", commands=(export, verify), items=(MomentButton,))
