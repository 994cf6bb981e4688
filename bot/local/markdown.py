"""Discord's markdown, read: a text becomes a tree of plain nodes that a page only has to put into
elements.

A node is a piece of text, or an object with its `kind` and, where there is something in it, the
nodes `inside`. What Motu does not write (spoilers, strikes, underlines, emoji) is left as it
stands.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.local.errors import Json

Node = str | Json
Nodes = list[Node]

DEEPEST = 12
"""Marks within marks; those further down stay as they were written."""


@dataclass(frozen=True)
class Reader:
    """Reads texts for one person: others see other channels, and other mentions are their own."""

    me: int
    guild: int
    person: Callable[[int], str | None]
    """The name of a user; None for strangers."""
    channel: Callable[[int], str | None]
    """The name of a channel; None if there is none that may be seen."""

    def blocks(self, text: str) -> Nodes:
        """A text with all its blocks."""
        found: Nodes = []
        for index, part in enumerate(_FENCED.split(text)):
            if index % 2:
                found.append(_node("pre", [part]))
            elif part.strip():
                lines = part.removesuffix("\n").split("\n")
                while lines:
                    found.append(self._block(lines))
        return found

    def inline(self, text: str, depth: int = 0) -> Nodes:
        """A line or paragraph."""
        if depth > DEEPEST:
            return [text]
        found: Nodes = []
        at = 0
        while at < len(text):
            piece, at = self._piece(text, at, depth + 1)
            if isinstance(piece, str) and found and isinstance(found[-1], str):
                found[-1] += piece
            else:
                found.append(piece)
        return found

    def _piece(self, text: str, at: int, depth: int) -> tuple[Node, int]:
        """What stands at a place, and where it ends: the first rule that fits says so."""
        for pattern, make in _RULES:
            if match := pattern.match(text, at):
                return make(self, match, depth), match.end()
        return text[at], at + 1

    def _block(self, lines: list[str]) -> Node:
        """The block that the first lines are, taken from the front."""
        if _ITEM.match(lines[0]):
            return self._list(_taken(lines, lambda line: _ITEM.match(line) is not None))
        if _HEADING.match(lines[0]):
            mark, words = lines.pop(0).split(" ", 1)
            return _node(
                "subtext" if mark == "-#" else f"h{len(mark) + 2}", self.inline(words.lstrip())
            )
        if lines[0].startswith(_QUOTED):
            quoted = [
                line.removeprefix(_QUOTED)
                for line in _taken(lines, lambda line: line.startswith(_QUOTED))
            ]
            return _node("blockquote", self.inline("\n".join(quoted)))
        prose = _taken(
            lines,
            lambda line: (
                not (_ITEM.match(line) or _HEADING.match(line) or line.startswith(_QUOTED))
            ),
        )
        return _node("p", self.inline("\n".join(prose)))

    def _list(self, lines: list[str]) -> Node:
        margin, mark, _ = _item(lines[0])
        items: Nodes = []
        while lines:
            inside = self.inline(_item(lines.pop(0))[2])
            if nested := _taken(lines, lambda line: len(_item(line)[0]) > len(margin)):
                inside.append(self._list(nested))
            items.append(_node("li", inside))
        return _node("ol", items, start=int(mark[:-1])) if mark[0].isdigit() else _node("ul", items)


def _node(kind: str, inside: Nodes | None = None, **more: object) -> Json:
    return {"kind": kind, **more} if inside is None else {"kind": kind, **more, "inside": inside}


_FENCED = re.compile(r"(?<!\\)```(?:[\w+#.-]*\n)?(.+?)\n?```\n?", re.DOTALL)
_ITEM = re.compile(r"( *)([-*]|[0-9]{1,9}\.) +(.*)")
_HEADING = re.compile(r"(#{1,3}|-#) +\S")
_QUOTED = "> "


def _item(line: str) -> tuple[str, str, str]:
    """The margin, the mark and the words of a line of a list."""
    match = _ITEM.match(line)
    assert match is not None
    return match[1], match[2], match[3]


def _taken(lines: list[str], is_such: Callable[[str], bool]) -> list[str]:
    """The first lines for as long as they are of a kind, taken from the front."""
    end = next((index for index, line in enumerate(lines) if not is_such(line)), len(lines))
    taken, lines[:] = lines[:end], lines[end:]
    return taken


# Within a line

Match = re.Match[str]
Rule = Callable[[Reader, Match, int], Node]


def _marked(kind: str) -> Rule:
    return lambda reader, match, depth: _node(kind, reader.inline(match[1], depth))


def _code(reader: Reader, match: Match, depth: int) -> Node:
    return _node("code", [re.sub(r"^ (.+) $", r"\1", match[2], flags=re.DOTALL)])


def _person(reader: Reader, match: Match, depth: int) -> Node:
    name = f"@{reader.person(int(match[1])) or 'somebody'}"
    return _node("mention", [name], mine=int(match[1]) == reader.me)


def _channel(reader: Reader, match: Match, depth: int) -> Node:
    return _node("mention", [f"#{reader.channel(int(match[1])) or 'unknown'}"], href=f"#{match[1]}")


def _time(reader: Reader, match: Match, depth: int) -> Node:
    return _node("time", at=int(match[1]), style=match[2] or "f")


def _link(reader: Reader, match: Match, depth: int) -> Node:
    """A link to a message or channel of this very server stays there."""
    url, words = match["url"], match.groupdict().get("words")
    here = re.fullmatch(rf"https://discord\.com/channels/{reader.guild}/([0-9]+(?:/[0-9]+)?)", url)
    return _node(
        "link", reader.inline(words, depth) if words else [url], href=f"#{here[1]}" if here else url
    )


def _same(reader: Reader, match: Match, depth: int) -> Node:
    return match[match.lastindex or 0]


def _rules(*rules: tuple[str, Rule]) -> list[tuple[re.Pattern[str], Rule]]:
    return [(re.compile(pattern, re.DOTALL), make) for pattern, make in rules]


_RULES = _rules(
    (r"(?:[^\\`<\[h*_\n]|h(?!ttps?://))+", _same),
    (r"\\([^0-9A-Za-z\s])", _same),
    (r"(`++)(.+?)(?<!`)\1(?!`)", _code),
    (r"`+", _same),
    (r"<@!?([0-9]{1,20})>", _person),
    (r"<#([0-9]{1,20})>", _channel),
    (r"<t:(-?[0-9]{1,12})(?::([tTdDfFR]))?>", _time),
    (r"<(?P<url>https?://[^\s>]+)>", _link),
    (r"\[(?P<words>(?:\\.|[^\[\]\\\n])+)\]\(<?(?P<url>https?://[^\s)>]+)>?\)", _link),
    (r"""(?P<url>https?://[^\s<]*[^\s<.,:;"')\]*_~|])""", _link),
    (r"\*\*((?:\\.|[^\\])+?)\*\*(?!\*)", _marked("strong")),
    (r"\*(?=\S)((?:\*\*|\\.|\s+(?:\\.|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)", _marked("em")),
    (r"(?<![0-9A-Za-z_])_((?:__|\\.|[^_\\])+?)_(?![0-9A-Za-z_])", _marked("em")),
    (r"\n", lambda reader, match, depth: _node("br")),
)
"""What may stand in a line, the first that fits first.

A mark that is never closed is a sign like any other.
"""
