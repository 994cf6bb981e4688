"""Whatever people or changed clients send: a clear private answer each time, and nothing has
changed.
"""

import copy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.local import Impossible, Person, Response
from bot.local.model import Channel, Message
from tests.e2e.harness import Stage, Table, match_of, private, said
from tests.e2e.ways import confirm, pick

LONG = 6000
RUDE_NAMES = (
    "@everyone **x** `y` ~~z~~",
    "<@1> [a](http://e.x) ||s||",
    "# Title\n> quote\n- item @here",
    "\u202egnp.exe\u200b ```js",
)


@asynccontextmanager
async def unchanged(stage: Stage) -> AsyncIterator[None]:
    """What happens inside leaves the database and all that everyone sees as they were."""
    before, seen = stage.everything(), public(stage)
    yield
    await stage.quiet()
    assert stage.everything() == before
    assert public(stage) == seen


def public(stage: Stage) -> list[tuple[int, str, list[Any]]]:
    """All that everyone can see."""
    return [(m.id, m.text, copy.deepcopy(m.components)) for m in stage.discord.messages()]


def check(answer: Response, about: object = "") -> None:
    """Private, short enough, clear, and nobody is pinged."""
    assert private([answer]) and said(answer), about
    content = answer.last.content
    assert content.strip() and len(content) <= 2000, about
    assert "went wrong" not in content, about
    assert answer.last.pings == [] and "@everyone" not in content and "@here" not in content, about


def planted(message: Message, custom_id: str, sort: int = 2) -> None:
    """A component with this id on a message, as an older version of the bot could have left it
    there.
    """
    part: dict[str, Any] = {"type": sort, "id": 90, "custom_id": custom_id}
    if sort == 2:
        part |= {"style": 2, "label": "old"}
    else:
        part |= {"options": [{"label": "x", "value": "x"}], "min_values": 1, "max_values": 1}
    message.components = [{"type": 1, "id": 89, "components": [part]}]


# Custom ids


def strange_ids(table: Table, other: Table) -> list[str]:
    """Ids that no button of this table carries now."""
    m, o = table.id, other.id
    return [
        *(
            "x",
            "hello",
            ":",
            "p:",
            "p:::::",
            "z" * 100,
            "p:" + "z" * 98,
            "🙂",
            "p:\u0000:0:0::",
            "null",
            "0",
        ),
        *(
            f"p:{m}:0:0:place_piece:{key}"
            for key in ("a1", "zz", "46v", "-", "+", "17+18", "a" * 40)
        ),
        *(f"p:{m}:0:{turn}:place_piece:17" for turn in (1, 99, 9_999_999, "-1", "x", 10**8)),
        *(f"p:{m}:{seat}:0:place_piece:17" for seat in (1, 2, 3, 99, "-1", "x")),
        *(
            f"p:{match}:0:0:place_piece:17"
            for match in ("aaaaaaaa", "A" * 32, "-", "_", "1", "../../x")
        ),
        *(f"p:{m}:0:0:{kind}:17" for kind in ("", "draw_tile", "x" * 40, "PLACE", "place piece")),
        *(f"{sort}:{m}:0:0::" for sort in ("c", "u", "q")),
        *(f"{sort}:{m}:0:7::" for sort in ("c", "u", "x", "v", "o", "m", "g")),
        *(
            f"o:{m}:0:0:reveal:card",
            f"o:{m}:0:0::",
            f"u:{m}:0:0::all",
            f"c:{m}:1:0::",
            f"x:{m}:1:0::",
        ),
        *(f"{sort}:{o}:0:0:place_piece:17" for sort in "pgmoucx"),
        *(
            f"l:{m}:{what}"
            for what in ("join", "leave", "computer", "start", "cancel", "explode", "set:first")
        ),
        *(f"l:aaaaaaaa:{what}" for what in ("join", "start")),
        *(f"t:{m}:explode", "t:aaaaaaaa:move", "t:aaaaaaaa:log", f"t:{m}", f"t:{o}:move"),
        *("r:chess:", "r:blue_lagoon:nonsense", "r::"),
    ]


async def test_strange_custom_ids_do_nothing(stage: Stage) -> None:
    table = await stage.started()
    elsewhere = stage.discord.add_channel("elsewhere")
    opened = await stage.bea.slash("/game new", game="blue_lagoon", channel=elsewhere)
    await stage.cem.click(opened, "Join")
    await stage.bea.click(opened, "Start")
    await stage.quiet()
    other = Table(stage, stage.matches()[-1], [stage.bea, stage.cem])
    board = await stage.discord.message(lambda m: m.channel is table.place and bool(m.buttons))
    for custom_id in strange_ids(table, other):
        async with unchanged(stage):
            check(await stage.ana.click(board, custom_id=custom_id, forged=True), custom_id)
    kept = board.components
    for custom_id in strange_ids(table, other):
        planted(board, custom_id)
        async with unchanged(stage):
            check(
                await stage.ana.click(board, custom_id=custom_id, forged=True),
                f"planted {custom_id}",
            )
    board.components = kept
    assert table.match.number == other.match.number == 0


async def test_menus_with_values_that_were_not_offered_do_nothing(stage: Stage) -> None:
    table = await stage.started()
    panel = await table.panel(stage.ana)
    menu = f"g:{table.id}:0:0:place_piece:"
    planted(panel.message, menu, 3)
    for values in (
        ["zz"],
        ["a1"],
        ["17", "18"],
        [""],
        ["x" * 100],
        ["17:18"],
        ["@everyone"],
        [],
        ["17", "17"],
    ):
        async with unchanged(stage):
            check(await stage.ana.choose(panel, menu, values, forged=True), values)
    for sort in ("m", "o", "g"):
        planted(table.board, f"{sort}:{table.id}:0:0:place_piece:", 3)
        async with unchanged(stage):
            check(
                await stage.ana.choose(
                    table.board, f"{sort}:{table.id}:0:0:place_piece:", ["x"], forged=True
                ),
                sort,
            )


async def test_stale_buttons_redraw_the_panel_and_never_act(stage: Stage) -> None:
    table = await stage.started()
    first, second = await table.panel(stage.ana), await table.panel(stage.ana)
    picked = await pick(stage.ana, first, "17")
    async with unchanged(stage):
        stale = await pick(stage.ana, second, "18")
        assert (
            stale.content.startswith("Too late: the board has moved on.")
            and "on 17" in stale.content
        )
    await confirm(stage.ana, picked)
    await stage.quiet()
    async with unchanged(stage):
        late = await stage.ana.click(first, custom_id=f"c:{table.id}:0:1::", forged=True)
        check(late)
    await table.play(stage.bea, "18!")
    await stage.quiet()
    async with unchanged(stage):
        very_late = await stage.ana.choose(
            second, f"g:{table.id}:0:0:place_piece:sea-1", ["19"], forged=True
        )
        check(very_late)


async def test_settings_that_no_menu_of_a_lobby_offers_do_nothing(stage: Stage) -> None:
    opened = await stage.lobby()
    await stage.settled(lambda: bool(stage.noted_lobbies()), "the lobby's message to be noted")
    menu = next(part["custom_id"] for part in opened.message.selects)
    for values in (["9"], ["@everyone"], ["`<@1>`"], [""], ["x" * 100], [], ["**1**", "2"]):
        async with unchanged(stage):
            check(await stage.ana.choose(opened, menu, values, forged=True), values)
    for key in ("speed", "first"):
        planted(opened.message, f"l:{match_of(opened.message)}:set:{key}", 3)
        async with unchanged(stage):
            check(
                await stage.bea.choose(
                    opened, opened.message.selects[0]["custom_id"], ["1"], forged=True
                ),
                key,
            )


# Texts


STRANGE_MOVES = (
    *(
        "hello world",
        "!",
        "!!!",
        ",",
        ",,,!",
        "-",
        "-!",
        "+",
        "17+18",
        "17,18",
        "17,18!",
        "17,17!",
        "zz!",
        "g",
        "/",
    ),
    *(
        "reveal/17!",
        "place_piece/17!",
        "@everyone",
        "@here!",
        "<@1>",
        "<@&1>",
        "**17**",
        "`17`",
        "```",
        "||17||",
    ),
    *(
        "17; DROP TABLE match",
        "17\n18",
        "\u202e71",
        "１７!",
        "🙂",
        "a" * 100,
        "' OR 1=1 --",
        "\\",
        "%s%s%n",
        "{0}",
        "\x00",
    ),
    *(
        "x" * LONG,
        "17," * (LONG // 3),
        "!" * LONG,
        "+" * LONG,
        "🙂" * (LONG // 2),
        " " * 100,
        "`" * LONG,
    ),
)


async def test_free_text_in_play_is_refused_in_words(stage: Stage) -> None:
    table = await stage.started()
    for move in STRANGE_MOVES:
        async with unchanged(stage):
            check(await table.play(stage.ana, move), move[:60])
        offered = await stage.ana.autocomplete(
            "/play", channel=table.place, match=table.id, move=move
        )
        assert len(offered.choices) <= 25
    async with unchanged(stage):
        check(await table.play(stage.bea, "17!"))


async def test_long_and_strange_options_of_every_command_are_refused(stage: Stage) -> None:
    table = await stage.started()
    strange = (
        "x" * LONG,
        "@everyone",
        "<@1> **x** `y`",
        "../../etc",
        "' OR 1=1 --",
        "🙂",
        table.id.upper() + "x",
    )
    matched = (
        "/play",
        "/undo",
        "/resign",
        "/board",
        "/hand",
        "/log",
        "/game join",
        "/game start",
        "/game resume",
    )
    for value in strange:
        async with unchanged(stage):
            for command in (*matched, "/game leave", "/game cancel"):
                check(await stage.ana.slash(command, match=value), (command, value[:40]))
                await stage.ana.autocomplete(command, match=value)
            check(await stage.ana.slash("/game new", game=value), value[:40])
            check(
                await stage.ana.slash("/game new", game="blue_lagoon", settings=value), value[:40]
            )
            check(await stage.ana.slash("/rules", topic=value), value[:40])
            check(await stage.ana.slash("/rules", game=value), value[:40])
            for options in ({"topic": value}, {"game": value}):
                await stage.ana.autocomplete("/rules", options=options)
            for options in ({"game": value}, {"game": "blue_lagoon", "settings": value}):
                await stage.ana.autocomplete("/game new", options=options)


async def test_settings_that_no_table_could_have_are_refused(stage: Stage) -> None:
    for settings in (
        "first=9",
        "first=4 map=moon",
        "board={",
        "board={}",
        "first",
        "first=1 first=2=3",
    ):
        async with unchanged(stage):
            check(await stage.lobby(settings=settings), settings)


# Names


async def test_names_with_mentions_and_markdown_ping_nobody_and_break_nothing(stage: Stage) -> None:
    everyone, link, title, hidden = (stage.discord.user(name) for name in RUDE_NAMES)
    opened = await everyone.slash("/game new", game="blue_lagoon", settings="first=1")
    for person in (link, title, hidden):
        await person.click(opened, "Join")
    await everyone.click(opened, "Start")
    await stage.quiet()
    table = Table(stage, stage.matches()[0], [everyone, link, title, hidden])
    for key in ("17", "18", "19", "20"):
        await table.play(table.to_move, f"{key}!")
        await stage.quiet()
    for command in ("/games", "/log", "/board", "/hand"):
        await link.slash(command, channel=table.place)
    await table.play(everyone, "nonsense")
    check_said(stage, [person.id for person in table.people])
    turns = [*table.people, table.people[0]]
    assert [post.pings for post in table.posts] == [[person.user] for person in turns]


def check_said(stage: Stage, players: list[int]) -> None:
    """All that was ever shown: nothing of a name came through as a mention, a link or a heading."""
    for sight in stage.discord.sights:
        shown = "\n".join(
            [sight.data.get("content", ""), *(str(embed) for embed in sight.data.get("embeds", []))]
        )
        assert "@everyone" not in shown and "@here" not in shown and "<@1>" not in shown
        # The bot's own links lead to Discord.
        assert (
            "](http" not in shown.replace("](https://discord.com/", "")
            and "\u202e" not in shown
            and "||s||" not in shown
            and "```js" not in shown
        )
        assert not any(line.startswith(("# ", "> ")) for line in shown.splitlines())
        assert {int(user["id"]) for user in sight.data.get("mentions", [])} <= set(players)
        assert sight.data.get("mention_everyone") is not True


# People and places


async def test_a_stranger_can_watch_but_touch_nothing(stage: Stage) -> None:
    table = await stage.started()
    panel = await table.panel(stage.ana)
    stolen = [part["custom_id"] for part in (*panel.message.buttons, *panel.message.selects)]
    async with unchanged(stage):
        refused = await stage.cem.click(table.board, "Your move")
        check(refused)
        assert "not your match" in refused.content
        for command in ("/play", "/undo", "/resign", "/hand"):
            check(await stage.cem.slash(command, channel=table.place), command)
            check(await stage.cem.slash(command, channel=table.place, match=table.id), command)
        check(await table.play(stage.cem, "17!"))
        check(await stage.cem.slash("/board", channel=table.place, mine=True))
        with pytest.raises(Impossible):
            await stage.cem.click(panel, custom_id=stolen[0], forged=True)
    kept = table.board.components
    for custom_id in (
        *stolen,
        f"x:{table.id}:0:0::",
        f"c:{table.id}:0:0::",
        f"u:{table.id}:0:0::all",
    ):
        for person in (stage.cem, stage.bea):
            planted(table.board, custom_id, 3 if custom_id in stolen else 2)
            async with unchanged(stage):
                await press(person, table.board, custom_id)
    table.board.components = kept


async def press(person: Person, board: Message, custom_id: str) -> None:
    """Use what is planted on a public board."""
    if board.selects:
        check(await person.choose(board, custom_id, ["17"], forged=True), custom_id)
    else:
        check(await person.click(board, custom_id=custom_id, forged=True), custom_id)


async def test_in_direct_messages_only_those_commands_are_offered_that_are_of_use_there(
    stage: Stage,
) -> None:
    table = await stage.started()
    letters: Channel = stage.discord.dm(stage.ana)
    commands: list[tuple[str, dict[str, Any]]] = [
        ("/game new", {"game": "blue_lagoon"}),
        *((f"/game {what}", {}) for what in ("join", "leave", "start", "cancel", "resume")),
        *(
            (command, {})
            for command in (
                "/play",
                "/undo",
                "/resign",
                "/board",
                "/hand",
                "/log",
                "/games",
                "/rules",
            )
        ),
        ("/play", {"move": "zz!", "match": table.id}),
    ]
    offered = []
    for command, options in commands:
        async with unchanged(stage):
            try:
                answer = await stage.ana.slash(command, channel=letters, options=options)
            except Impossible:
                continue
            check(answer, command)
            offered.append(command)
    assert offered and not [command for command in offered if command.startswith("/game ")]
    listed = await stage.ana.slash("/games", channel=letters)
    assert "Your move" in listed.content and str(table.board.id) in listed.content


async def test_where_the_bot_may_not_post_private_answers_still_come(stage: Stage) -> None:
    silent = stage.discord.add_channel("silent")
    stage.discord.deny(silent, "send_messages", "view_channel", "embed_links")
    await stage.started()
    for command in (
        "/play",
        "/board",
        "/log",
        "/games",
        "/rules",
        "/undo",
        "/game join",
        "/game resume",
    ):
        async with unchanged(stage):
            check(await stage.ana.slash(command, channel=silent), command)
    async with unchanged(stage):
        refused = await stage.ana.slash("/game new", game="blue_lagoon", channel=silent)
        check(refused)
        assert "I lack the permission" in refused.content
