"""Discord's markdown, parsed into a tree of nodes that the page turns into elements.

A node is a string, or an object with its `kind` and, unless it is a leaf, the nodes `inside` it.
What Motu does not write (spoilers, strikethrough, underlines, emoji) stays plain text.

To support another mark within a line, add a rule to `_RULES`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.local.errors import Json

Node = str | Json
Nodes = list[Node]

MAX_DEPTH = 12
"""How deep marks may be nested; deeper ones stay plain text."""

_CODE_BLOCK = re.compile(r"(?<!\\)```(?:[\w+#.-]*\n)?(.+?)\n?```\n?", re.DOTALL)
_LIST_ITEM = re.compile(r"( *)([-*]|[0-9]{1,9}\.) +(.*)")
"""Groups: the indentation, the bullet or number, and the text."""
_HEADING = re.compile(r"(#{1,3}|-#) +\S")
_QUOTE = "> "


@dataclass(frozen=True)
class MarkdownParser:
    """Parses texts for one viewer, who sees only some channels and whose mentions are marked."""

    viewer: int
    guild: int
    user_name: Callable[[int], str | None]
    """Returns the name of a user; None if there is no such user."""
    channel_name: Callable[[int], str | None]
    """Returns the name of a channel; None if the viewer cannot see it."""

    def parse_blocks(self, text: str) -> Nodes:
        """Parse a text with headings, lists, quotes and code blocks."""
        found: Nodes = []
        # With one group in the pattern, every other part is the inside of a code block.
        for index, part in enumerate(_CODE_BLOCK.split(text)):
            if index % 2:
                found.append(_node("pre", [part]))
            elif part.strip():
                lines = part.removesuffix("\n").split("\n")
                while lines:
                    found.append(self._parse_block(lines))
        return found

    def parse_inline(self, text: str, depth: int = 0) -> Nodes:
        """Parse a text without blocks."""
        if depth > MAX_DEPTH:
            return [text]
        found: Nodes = []
        position = 0
        while position < len(text):
            for pattern, make_node in _RULES:
                if match := pattern.match(text, position):
                    node = make_node(self, match, depth + 1)
                    position = match.end()
                    break
            else:
                # A mark that is never closed, such as a lone asterisk.
                node = text[position]
                position += 1
            if isinstance(node, str) and found and isinstance(found[-1], str):
                found[-1] += node
            else:
                found.append(node)
        return found

    def _parse_block(self, lines: list[str]) -> Node:
        """Parse the block at the beginning of some lines, and remove its lines."""
        first = lines[0]
        if _LIST_ITEM.match(first):
            return self._parse_list(_pop_while(lines, lambda line: bool(_LIST_ITEM.match(line))))
        if _HEADING.match(first):
            mark, words = lines.pop(0).split(" ", 1)
            # The largest heading is an h3, below the page's own h1 and h2.
            kind = "subtext" if mark == "-#" else f"h{len(mark) + 2}"
            return _node(kind, self.parse_inline(words.lstrip()))
        if first.startswith(_QUOTE):
            quoted = _pop_while(lines, lambda line: line.startswith(_QUOTE))
            text = "\n".join(line.removeprefix(_QUOTE) for line in quoted)
            return _node("blockquote", self.parse_inline(text))

        def is_prose(line: str) -> bool:
            if _LIST_ITEM.match(line) or _HEADING.match(line):
                return False
            return not line.startswith(_QUOTE)

        return _node("p", self.parse_inline("\n".join(_pop_while(lines, is_prose))))

    def _parse_list(self, lines: list[str]) -> Node:
        """Parse lines that are all list items; those indented further form nested lists."""
        margin, mark, _ = _split_item(lines[0])
        items: Nodes = []
        while lines:
            _, _, words = _split_item(lines.pop(0))
            inside = self.parse_inline(words)
            nested = _pop_while(lines, lambda line: len(_split_item(line)[0]) > len(margin))
            if nested:
                inside.append(self._parse_list(nested))
            items.append(_node("li", inside))
        if mark[0].isdigit():
            return _node("ol", items, start=int(mark.removesuffix(".")))
        return _node("ul", items)


def _node(kind: str, inside: Nodes, **more: object) -> Json:
    return {"kind": kind, **more, "inside": inside}


def _split_item(line: str) -> tuple[str, str, str]:
    """Split a list item into its indentation, its bullet or number, and its text."""
    match = _LIST_ITEM.match(line)
    assert match is not None
    return match[1], match[2], match[3]


def _pop_while(lines: list[str], condition: Callable[[str], bool]) -> list[str]:
    """Remove and return the first lines for which a condition holds."""
    end = 0
    while end < len(lines) and condition(lines[end]):
        end += 1
    popped = lines[:end]
    del lines[:end]
    return popped


# Rules within a line: each makes a node from a match of its pattern

Match = re.Match[str]
Rule = Callable[[MarkdownParser, Match, int], Node]


def _mark(kind: str) -> Rule:
    return lambda parser, match, depth: _node(kind, parser.parse_inline(match[1], depth))


def _plain(parser: MarkdownParser, match: Match, depth: int) -> Node:
    """Return the last group, or the whole match if the pattern has none, as plain text."""
    return match[match.lastindex or 0]


def _line_break(parser: MarkdownParser, match: Match, depth: int) -> Node:
    return {"kind": "br"}


def _code(parser: MarkdownParser, match: Match, depth: int) -> Node:
    # A space on each side separates the code from the backticks and does not belong to it.
    return _node("code", [re.sub(r"^ (.+) $", r"\1", match[2], flags=re.DOTALL)])


def _user(parser: MarkdownParser, match: Match, depth: int) -> Node:
    user = int(match[1])
    name = parser.user_name(user) or "somebody"
    return _node("mention", [f"@{name}"], mine=user == parser.viewer)


def _channel(parser: MarkdownParser, match: Match, depth: int) -> Node:
    name = parser.channel_name(int(match[1])) or "unknown"
    return _node("mention", [f"#{name}"], href=f"#{match[1]}")


def _time(parser: MarkdownParser, match: Match, depth: int) -> Node:
    return {"kind": "time", "at": int(match[1]), "style": match[2] or "f"}


def _link(parser: MarkdownParser, match: Match, depth: int) -> Node:
    """Make a link; one to a channel or message of this server leads there on the page."""
    url = match["url"]
    words = match.groupdict().get("words")
    inside = parser.parse_inline(words, depth) if words else [url]
    here = re.fullmatch(rf"https://discord\.com/channels/{parser.guild}/([0-9]+(?:/[0-9]+)?)", url)
    return _node("link", inside, href=f"#{here[1]}" if here else url)


_RULES: list[tuple[re.Pattern[str], Rule]] = [
    (re.compile(pattern, re.DOTALL), make_node)
    for pattern, make_node in (
        # Text without any character that could begin a mark or an address.
        (r"(?:[^\\`<\[h*_\n]|h(?!ttps?://))+", _plain),
        # A backslash before punctuation.
        (r"\\([^0-9A-Za-z\s])", _plain),
        # Code, closed by as many backticks as opened it; else the backticks are plain.
        (r"(`++)(.+?)(?<!`)\1(?!`)", _code),
        (r"`+", _plain),
        (r"<@!?([0-9]{1,20})>", _user),
        (r"<#([0-9]{1,20})>", _channel),
        (r"<t:(-?[0-9]{1,12})(?::([tTdDfFR]))?>", _time),
        # Links: <address>, [words](address), and an address without its final punctuation.
        (r"<(?P<url>https?://[^\s>]+)>", _link),
        (r"\[(?P<words>(?:\\.|[^\[\]\\\n])+)\]\(<?(?P<url>https?://[^\s)>]+)>?\)", _link),
        (r"""(?P<url>https?://[^\s<]*[^\s<.,:;"')\]*_~|])""", _link),
        # **bold**, *italic*, and _italic_ unless it is part of a word.
        (r"\*\*((?:\\.|[^\\])+?)\*\*(?!\*)", _mark("strong")),
        (r"\*(?=\S)((?:\*\*|\\.|\s+(?:\\.|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)", _mark("em")),
        (r"(?<![0-9A-Za-z_])_((?:__|\\.|[^_\\])+?)_(?![0-9A-Za-z_])", _mark("em")),
        (r"\n", _line_break),
    )
]
"""The patterns in the order in which they are tried, each with its rule."""
