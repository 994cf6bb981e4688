"""Makes text that people typed safe to repeat, so that it cannot pass for the program's own words.

Messages are shown as Markdown. Unescaped, a name could bring headings, links, spoilers or mentions
into an answer.
"""

import re
import unicodedata

NAME = 32
"""The most characters of a typed text that are repeated: the longest name that Discord allows."""

# discord.utils.escape_markdown and escape_mentions would let custom emoji, plain links, numbered
# lists and mentions of channels, commands and times through.
SPECIAL = re.compile(r"([\\`*_~|>#\-\[\]()<:!&.+])")
JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiners, which Persian and Hindi need between letters, and emoji sequences."""
INVISIBLE = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"}


def one_line(text: str, limit: int = NAME) -> str:
    """Return the text on one line without invisible characters, for places without Markdown."""
    visible = ""
    for char in text:
        if char.isspace():
            visible += " "
        elif char in JOINERS or unicodedata.category(char) not in INVISIBLE:
            visible += char
    # Joiners belong between letters; at the ends of a word they are only invisible.
    words = [word.strip(JOINERS) for word in visible.split()]
    line = " ".join(word for word in words if word)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def code_text(text: str, limit: int = NAME) -> str:
    """Return the text for a code span of a message, where only a backtick takes effect."""
    return one_line(text, limit).replace("`", "'")


def escape_text(text: str, limit: int = NAME) -> str:
    """Return the text for messages: no Markdown, link, emoji or mention in it takes effect."""
    return SPECIAL.sub(r"\\\1", one_line(text, limit)).replace("@", "@\u200b")
