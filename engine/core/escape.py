"""Make text that people typed safe to repeat, so that it cannot pass for the program's own words.

Messages are shown as Markdown. Unescaped, a name could bring headings, links, spoilers or mentions
into an answer.
"""

import re
import unicodedata

NAME = 32
"""Characters of a name, or of what else was typed, that are repeated: Discord allows no longer
names.
"""

# discord.utils.escape_markdown and escape_mentions would let custom emoji, plain links, numbered
# lists and mentions of channels, commands and times through.
SPECIAL = re.compile(r"([\\`*_~|>#\-\[\]()<:!&.+])")
JOINERS = "\u200c\u200d"
"""They join or part the signs beside them: letters of Persian and Hindi, and several emoji into
one.
"""
INVISIBLE = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"}


def one_line(text: str, limit: int = NAME) -> str:
    """Return the text on one line without invisible characters, for places without Markdown."""
    seen = "".join(" " if char.isspace() else char for char in text)
    seen = "".join(
        char for char in seen if char in JOINERS or unicodedata.category(char) not in INVISIBLE
    )
    # A joiner is part of a letter or an emoji only in the midst of it.
    line = " ".join(word for part in seen.split() if (word := part.strip(JOINERS)))
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def escaped(text: str, limit: int = NAME) -> str:
    """Return the text for messages: no Markdown, link, emoji or mention in it takes effect."""
    return SPECIAL.sub(r"\\\1", one_line(text, limit)).replace("@", "@\u200b")
