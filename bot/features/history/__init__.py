"""Past moments of matches, and finished matches as files.

moments.py      `/board at:` shows any moment of a match, with buttons to step through it
transcripts.py  /export writes a finished match to files, /verify checks it
"""

from bot.features.history.moments import MomentButton
from bot.features.history.transcripts import export, verify
from bot.ui import Feature

FEATURE = Feature(name="history", commands=(export, verify), items=(MomentButton,))
