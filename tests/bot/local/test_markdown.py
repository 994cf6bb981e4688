"""Discord's markdown as a tree."""

import json
import time
from typing import Any

import pytest

from bot.local.markdown import MAX_DEPTH, MarkdownParser

ANA, BEN, CHANNEL, GUILD = 11, 12, 21, 31
PARSER = MarkdownParser(ANA, GUILD, {ANA: "Ana", BEN: "Ben"}.get, {CHANNEL: "general"}.get)


def node(kind: str, *inside: Any, **more: Any) -> dict[str, Any]:
    return {"kind": kind, **more, "inside": list(inside)}


def node_of_time(at: int, style: str) -> dict[str, Any]:
    return {"kind": "time", "at": at, "style": style}


BR = {"kind": "br"}
WITHIN = [
    ("plain", ["plain"]),
    ("*a* _b_ **c**", [node("em", "a"), " ", node("em", "b"), " ", node("strong", "c")]),
    (
        "__d__ ~~e~~ ||f|| <:sun:34> </game new:12>",
        [
            "__d__ ~~e~~ ||f|| <:sun:34> </game new:12>",
        ],
    ),
    (
        "**bold *and _all_ of* it**",
        [
            node("strong", "bold ", node("em", "and ", node("em", "all"), " of"), " it"),
        ],
    ),
    ("***both***", [node("strong", node("em", "both"))]),
    ("**open *a* and no end", ["**open ", node("em", "a"), " and no end"]),
    (
        "*open __open ~~open ||open `open [open](http",
        ["*open __open ~~open ||open `open [open](http"],
    ),
    ("snake_case_name 2 * 3 * 4", ["snake_case_name 2 * 3 * 4"]),
    ("a\nb", ["a", BR, "b"]),
    (
        "`a *b*` ``c ` d`` ` e `",
        [node("code", "a *b*"), " ", node("code", "c ` d"), " ", node("code", "e")],
    ),
    (r"\*a\* \_b\_ \`c\` \<@11> \\ \~~d~~ \|\|e", ["*a* _b_ `c` <@11> \\ ~~d~~ ||e"]),
    (r"**a \** b** \a", [node("strong", "a ** b"), r" \a"]),
    (
        f"<@{ANA}> <@!{BEN}> <@99>",
        [
            node("mention", "@Ana", mine=True),
            " ",
            node("mention", "@Ben", mine=False),
            " ",
            node("mention", "@somebody", mine=False),
        ],
    ),
    (
        f"<#{CHANNEL}> <#99>",
        [
            node("mention", "#general", href="#21"),
            " ",
            node("mention", "#unknown", href="#99"),
        ],
    ),
    (
        "<t:1772452800:R> <t:5> <t:x> <t:5:Q>",
        [
            node_of_time(1772452800, "R"),
            " ",
            node_of_time(5, "f"),
            " <t:x> <t:5:Q>",
        ],
    ),
    ("`<@11>` <@x> <#> <@11", [node("code", "<@11>"), " <@x> <#> <@11"]),
    (
        "[**go** there](https://a.example/x_y_z)",
        [
            node("link", node("strong", "go"), " there", href="https://a.example/x_y_z"),
        ],
    ),
    ("[a [b](<https://a.example>)", ["[a ", node("link", "b", href="https://a.example")]),
    (
        "[x](javascript:alert(1)) [y](//a.example) [](https://a.example)",
        [
            "[x](javascript:alert(1)) [y](//a.example) [](",
            node("link", "https://a.example", href="https://a.example"),
            ")",
        ],
    ),
    (
        "see http://a.example/b_c_d*, https://e.example.",
        [
            "see ",
            node("link", "http://a.example/b_c_d", href="http://a.example/b_c_d"),
            "*, ",
            node("link", "https://e.example", href="https://e.example"),
            ".",
        ],
    ),
    (
        "<https://a.example/?q=*b*>",
        [node("link", "https://a.example/?q=*b*", href="https://a.example/?q=*b*")],
    ),
    ("[go](https://discord.com/channels/31/21/5)", [node("link", "go", href="#21/5")]),
    (
        "https://discord.com/channels/32/21",
        [
            node(
                "link",
                "https://discord.com/channels/32/21",
                href="https://discord.com/channels/32/21",
            ),
        ],
    ),
    ("<b onclick=x>&amp;</b>", ["<b onclick=x>&amp;</b>"]),
]
BLOCKS = [
    ("", []),
    ("\n \n", []),
    ("a\nb", [node("p", "a", BR, "b")]),
    (
        "# A\n## *B*\n### C\n#### D",
        [
            node("h3", "A"),
            node("h4", node("em", "B")),
            node("h5", "C"),
            node("p", "#### D"),
        ],
    ),
    ("-# small\nnot", [node("subtext", "small"), node("p", "not")]),
    ("#no\n# ", [node("p", "#no", BR, "# ")]),
    ("> a\n# b", [node("blockquote", "a"), node("h3", "b")]),
    (
        "> *a*\n> # b\nc\n> d\n>e",
        [
            node("blockquote", node("em", "a"), BR, "# b"),
            node("p", "c"),
            node("blockquote", "d"),
            node("p", ">e"),
        ],
    ),
    (
        "- a\n  * b\n    1. c\n- d",
        [
            node(
                "ul",
                node("li", "a", node("ul", node("li", "b", node("ol", node("li", "c"), start=1)))),
                node("li", "d"),
            ),
        ],
    ),
    ("7. x\n8. y", [node("ol", node("li", "x"), node("li", "y"), start=7)]),
    (
        "before\n```py\nx = *1*\n\ny\n```\nafter",
        [node("p", "before"), node("pre", "x = *1*\n\ny"), node("p", "after")],
    ),
    ("```one line``````two```", [node("pre", "one line"), node("pre", "two")]),
    ("```\nno end", [node("p", "```", BR, "no end")]),
    ("\\```\nx\n```", [node("p", "```", BR, "x", BR, "```")]),
]


@pytest.mark.parametrize(("text", "expected"), WITHIN)
def test_marks_within_a_line(text: str, expected: list[Any]) -> None:
    assert PARSER.parse_inline(text) == expected


@pytest.mark.parametrize(("text", "expected"), BLOCKS)
def test_blocks_of_lines(text: str, expected: list[Any]) -> None:
    assert PARSER.parse_blocks(text) == expected


def test_deeply_nested_marks_stay_text() -> None:
    tree: Any = PARSER.parse_inline("*" * 200 + "x" + "*" * 200)
    for _ in range(MAX_DEPTH + 1):
        tree = tree[0]["inside"]
    assert isinstance(tree[0], str) and tree[0].startswith("**")


@pytest.mark.parametrize(
    "part",
    [
        "*",
        "`",
        "` ``",
        "_",
        "~",
        "|",
        "[",
        "](",
        "<",
        "</",
        "<t:",
        "> ",
        "- ",
        "*a",
        "_a ",
        "**a",
        "https://",
        "h",
        "```",
        "\\",
        "<@1",
        "[a](https://",
        "||a*",
        "1. ",
        "# ",
        "\n",
    ],
)
def test_pathological_texts_are_parsed_quickly(part: str) -> None:
    started = time.process_time()
    tree = PARSER.parse_blocks((part * 4000)[:4000])
    assert time.process_time() - started < 1
    assert json.dumps(tree)
