"""Looking at matches: /board, /hand, /log, /rules and the buttons under a turn."""

import re

import pytest

from bot.runtime.base import Refused
from bot.ui.rate import MAX_PUBLIC_ANSWERS, PUBLIC_ANSWERS_WITHIN, PublicAnswers
from engine import GAMES, commitment
from engine.core.transcript import replay
from engine.core.words import words_of
from tests.bot.world import World


async def test_board_shows_the_public_picture_privately_with_the_turn_buttons(
    world: World,
) -> None:
    room = await world.start_match()
    live = world.newest(room)
    shown = await world.ana.ask("/board", channel=world.place(room))
    assert "**Ana**'s turn: place a piece" in shown.content
    assert [file.filename for file in shown.attachments] == ["board.png"]
    assert shown.labels == ["Your move", "Catch me up", "My view", "Log", "Rules"]
    assert world.newest(room) == live and live.components
    assert (
        "Where do you place your piece?"
        in (await world.ana.press(shown, label="Your move")).content
    )


async def test_board_can_be_shown_publicly_with_the_turn_buttons(world: World) -> None:
    room = await world.start_match()
    shown = await world.cem.slash("/board", channel=world.place(room), public=True)
    assert not shown.ephemeral
    assert shown.message.labels == [
        "Your move",
        "Catch me up",
        "My view",
        "Log",
        "Rules",
    ]
    elsewhere = await world.ana.slash("/board", public=True, match=room.record.id)
    assert elsewhere.private.attachments, "what is played in a thread is not shown in the channel"


async def test_public_answers_are_rate_limited_per_person(world: World) -> None:
    room = await world.start_match()
    place = world.place(room)
    await world.ana.slash("/play", channel=place, move="17!")
    ways = (
        ("board", {}),
        ("board", {"at": "0"}),
        ("leaderboard", {}),
        ("stats", {"player": "nobody"}),
    )
    for command, options in ways[:MAX_PUBLIC_ANSWERS]:
        assert not (await world.cem.slash(command, channel=place, public=True, **options)).ephemeral
    message = world.newest(place)
    for command, options in ways:
        refused = await world.cem.slash(command, channel=place, public=True, **options)
        assert refused.private.ephemeral
    refused = (await world.cem.ask("/board", channel=place, public=True)).content
    assert "You've shown 3 things to everyone here" in refused
    assert "You've shown 3 things" in (await world.cem.ask("/replay", channel=place)).content
    assert world.newest(place) == message, "nobody else has seen anything of it"
    # To oneself, for others and elsewhere it goes on.
    assert (await world.cem.ask("/board", channel=place)).attachments
    assert not (await world.bea.slash("/board", channel=place, public=True)).ephemeral
    assert not (await world.cem.slash("/leaderboard", public=True)).ephemeral


def test_the_limit_on_public_answers_is_lifted_with_time() -> None:
    now = [1000.0]
    answers = PublicAnswers(lambda: now[0])
    for step in range(4 * MAX_PUBLIC_ANSWERS):
        answers.admit(1, 2)
        if step >= MAX_PUBLIC_ANSWERS - 1:
            with pytest.raises(
                Refused, match=rf"<t:{int(now[0] - 400 + PUBLIC_ANSWERS_WITHIN) + 1}:R>"
            ):
                answers.admit(1, 2)
        now[0] += PUBLIC_ANSWERS_WITHIN / MAX_PUBLIC_ANSWERS
    now[0] += PUBLIC_ANSWERS_WITHIN
    answers.admit(3, 4)
    assert len(answers._shown) == 1, "nothing is kept of those who have shown nothing of late"


async def test_an_unknown_moment_is_refused_privately(world: World) -> None:
    room = await world.start_match()
    refused = await world.ana.slash("/board", channel=world.place(room), at="nonsense", public=True)
    assert refused.ephemeral and refused.private.content


async def test_every_board_marks_the_moves_since_the_last_post(world: World, monkeypatch) -> None:
    room = await world.start_match()
    scenes = []
    draw = world.bot.pictures.board

    async def noting(view, names, **scene):
        scenes.append((view.viewer, [event.spot for event in scene["events"]], scene["last"]))
        return await draw(view, names, **scene)

    monkeypatch.setattr(world.bot.pictures, "board", noting)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    (posted,) = [scene for scene in scenes if scene[0] is None]
    assert posted == (None, ["17"], "Ana placed a boat on 17.")
    scenes.clear()
    turn = world.newest(room)
    await world.cem.slash("/board", channel=world.place(room))
    await world.bea.slash("/play", channel=world.place(room))
    await world.bea.click(turn, label="My view")
    assert scenes == [(None, *posted[1:]), (1, *posted[1:]), (1, *posted[1:])]
    scenes.clear()
    await world.bea.slash("/play", channel=world.place(room), move="1")
    assert scenes == [(1, ["17", "1"], "Ana placed a boat on 17. Bea placed a boat on 1.")], (
        "the viewer's own draft comes last"
    )


async def test_board_of_a_match_elsewhere_is_shown_privately(world: World) -> None:
    room = await world.start_match()
    shown = await world.ana.ask("/board", match=room.record.id)
    assert shown.attachments


async def test_board_mine_shows_the_draft_only_to_its_owner(world: World) -> None:
    room = await world.start_match()
    await world.ana.slash("/play", channel=world.place(room), move="17")
    own = await world.ana.ask("/board", channel=world.place(room), mine=True)
    assert own.attachments
    everyone = await world.bea.ask("/board", channel=world.place(room))
    pictures = [shown.attachments[0].data for shown in (own, everyone)]
    assert pictures[0] != pictures[1]
    assert (
        "not in this match"
        in (await world.cem.ask("/board", channel=world.place(room), mine=True)).content
    )


async def test_board_in_words(world: World) -> None:
    room = await world.start_match()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    shown = await world.cem.ask("/board", channel=world.place(room), text=True)
    words = shown.content + "".join([(file.data).decode() for file in shown.attachments])
    assert "17" in words and "Ana" in words


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_resigned_match_shows_no_projected_points(world: World, game: str) -> None:
    lobby = (await world.ana.slash("/game new", game=game)).message
    await world.bea.click(lobby, label="Join")
    await world.ana.click(lobby, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    shown = (await world.ana.ask("/hand", channel=world.place(room))).content
    assert len(re.findall(r"(?i)points:|\bnow:", shown)) <= 1, "points are said once"
    ask = await world.bea.slash("/resign", channel=world.place(room))
    await world.bea.click(ask.private, label="Yes, give up my seat")
    for looked in ({}, {"text": True}, {"mine": True}):
        answer = await world.ana.ask(
            "/board", channel=world.place(room), match=room.record.id, **looked
        )
        texts = [(file.data).decode() for file in answer.attachments if looked.get("text")]
        assert not re.search(r"(ended|erupted) now", answer.content + "".join(texts))


async def test_hand_is_private(world: World) -> None:
    room = await world.start_match()
    await world.ana.slash("/play", channel=world.place(room), move="17")
    shown = await world.ana.ask("/hand", channel=world.place(room))
    assert shown.attachments and "Your draft: Ana placed a boat on 17." in shown.content
    assert (
        "\nYou have 29 settlers and 5 villages left.\nYou've collected nothing yet."
        in shown.content
    )
    assert "Bea: " not in shown.content


async def test_hand_lists_the_player_s_places_and_secrets(world: World) -> None:
    message = (await world.ana.slash("/game new", game="conquest")).message
    await world.bea.click(message, label="Join")
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    home = room.match.base.nations[0].home.upper()
    shown = (await world.ana.ask("/hand", channel=world.place(room))).content
    assert re.search(rf"\nHome: (.+ \({home}\))\.\n(.*\n)*At \1: 2 Warrior Bands\.\n", shown)
    assert "\nCards: none.\n" in shown and shown.count("oints:") == 1
    assert "\nPieces you can still build: 6 War Canoes, " in shown


async def test_hand_shows_the_player_s_own_board(world: World) -> None:
    message = (await world.ana.slash("/game new", game="maori", settings="first=1")).message
    await world.bea.click(message, label="Join")
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    await world.ana.slash("/play", channel=world.place(room), move="16!")
    await world.bea.slash("/play", channel=world.place(room), move="1,a,q3!")
    own = (await world.bea.ask("/hand", channel=world.place(room))).content.splitlines()
    other = (await world.ana.ask("/hand", channel=world.place(room))).content.splitlines()
    assert (
        sum(line.startswith("Q3 ") for line in own)
        == sum(line.startswith("Q3 ") for line in other)
        == 1
    )
    assert "Q3 empty; Q4 empty; Q5 empty." in other and "Q3 empty; Q4 empty; Q5 empty." not in own


async def test_my_view_is_the_player_s_view_or_the_public_one(world: World) -> None:
    room = await world.start_match()
    await world.ana.slash("/play", channel=world.place(room), move="17")
    turn = world.newest(room)
    assert "Your draft" in (await world.ana.press(turn, label="My view")).content
    for who in (world.bea, world.cem):
        shown = await who.press(turn, label="My view")
        assert shown.attachments and "Drafted" not in shown.content


async def test_log_lists_the_moves(world: World) -> None:
    room = await world.start_match()
    place = world.place(room)
    assert "Resources are laid out" in (await world.cem.ask("/log", channel=place)).content
    await world.ana.slash("/play", channel=place, move="17!")
    for shown in (
        await world.cem.slash("/log", channel=place),
        await world.bea.click(world.newest(place), label="Log"),
    ):
        assert "1. Ana placed a boat on 17." in shown.private.content


async def test_log_numbers_do_not_betray_secret_commits(world: World) -> None:
    """Nobody else may learn of a standing order's commit, not even from a gap in the numbers."""
    message = (await world.ana.slash("/game new", game="conquest")).message
    await world.bea.click(message, label="Join")
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    place = world.place(room)
    people = {0: world.ana, 1: world.bea}
    first = room.match.waiting_for()[0]
    done = (
        await people[1 - first].ask("/play", channel=place, move="set_loss_order/bands!")
    ).content
    assert "Battle losses from now on" in done
    await people[first].slash(
        "/play", channel=place, move=f"{room.match.decisions(first)[0].options[0].key}!"
    )
    for who in (people[first], world.cem):
        assert "\n1. " in (await who.ask("/log", channel=place)).content
    own = (await people[1 - first].ask("/log", channel=place)).content
    assert "\n1. Battle losses" in own and "\n2. " in own


async def test_the_whole_log_is_a_file(world: World) -> None:
    room = await world.start_match()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    shown = await world.cem.ask("/log", channel=world.place(room), whole=True)
    (file,) = shown.attachments
    assert "1. Ana placed a boat on 17." in (file.data).decode()


async def test_a_finished_match_shows_ranking_seed_and_transcript(world: World) -> None:
    room = await world.start_match()
    place = world.place(room)
    await world.ana.slash("/play", channel=place, move="17!")
    log = await world.bea.ask("/log", channel=place)
    assert "seed" not in log.content.lower()
    sealed = (await world.bea.press(log, label="Fairness")).content
    assert room.record.commitment in sealed
    assert (await world.reload(room)).match.seed not in sealed
    answer = await world.bea.ask("/resign", channel=place)
    await world.bea.click(answer, label="Yes, give up my seat")
    last = world.newest(place)
    proof = await world.cem.press(last, label="Fairness")
    seed = proof.content.split("The seed was `")[1].split("`")[0]
    assert commitment(room.record.id, seed) in proof.content
    transcript = (proof.attachments[-1].data).decode()
    assert replay(transcript).outcome is not None and f"seed {seed}" in transcript
    log = await world.cem.press(last, label="Log")
    assert "Bea resigned" in log.content and (log.attachments[0].data).decode() == transcript


async def test_the_log_marks_a_computer_s_moves_only_after_the_resignation(
    world: World,
) -> None:
    room = await world.start_match(world.bea, world.cem)
    place = world.place(room)
    for person, move in ((world.ana, "17!"), (world.bea, "1!"), (world.cem, "30!")):
        await person.slash("/play", channel=place, move=move)
    answer = await world.bea.ask("/resign", channel=place)
    await world.bea.click(answer, label="Yes, give up my seat")
    await world.ana.slash("/play", channel=place, move="15!")
    log = (await world.cem.ask("/log", channel=place)).content
    told = [line.partition(" ")[2] for line in log.splitlines() if "Bea" in line]
    assert [line.partition(" placed")[0] for line in told] == ["Bea", "Bea resigned.", "Bea ⚙"], log


async def test_commands_in_the_thread_of_a_finished_match_mean_that_match(
    world: World,
) -> None:
    room = await world.start_match()
    place = world.place(room)
    answer = await world.bea.ask("/resign", channel=place)
    await world.bea.click(answer, label="Yes, give up my seat")
    assert "Bea resigned." in (await world.cem.ask("/log", channel=place)).content
    assert "**Blue Lagoon: " in (await world.cem.ask("/rules", channel=place)).content
    assert "1. **Ana**" in (await world.ana.ask("/play", channel=place)).content
    assert "over" in (await world.ana.ask("/resign", channel=place)).content
    assert "not in this match" in (await world.cem.ask("/play", channel=place)).content
    assert "no running match" in (await world.ana.ask("/log")).content
    assert "1. **Ana**" in (await world.cem.ask("/board", channel=place)).content


async def test_rules_shows_a_page_with_links_to_the_others(world: World) -> None:
    topics = list(words_of("blue_lagoon").topics)
    shown = await world.cem.ask("/rules", game="blue_lagoon")
    assert shown.content.startswith("**Blue Lagoon:")
    other = (await world.cem.choose(shown, None, [topics[1]])).private
    assert words_of("blue_lagoon").topics[topics[1]]["title"] in other.content
    assert other.id == shown.id


@pytest.mark.parametrize("game_id", GAMES)
async def test_every_rules_page_fits_a_message(world: World, game_id: str) -> None:
    for topic in words_of(game_id).topics:
        text = (await world.cem.ask("/rules", topic=topic, game=game_id)).content
        assert words_of(game_id).topics[topic]["text"].strip() in text


async def test_rules_open_from_a_turn_and_in_direct_messages(world: World) -> None:
    room = await world.start_match()
    assert "Blue Lagoon" in (await world.cem.press(world.newest(room), label="Rules")).content
    someone = world.add_person("Dee")
    assert (
        "Blue Lagoon"
        in (
            await someone.ask("/rules", channel=world.discord.dm(someone), game="blue_lagoon")
        ).content
    )


async def test_without_a_match_rules_offers_all_games(world: World) -> None:
    response = await world.cem.slash("/rules")
    assert response.ephemeral and response.private.labels == [GAMES[game].title for game in GAMES]
    for game in GAMES:
        shown = await world.cem.click(response, label=GAMES[game].title)
        first = next(iter(words_of(game).topics.values()))
        assert first["title"] in shown.private.content
        assert first["text"].strip() in shown.private.content
        response = await world.cem.slash("/rules")
    topic = next(iter(set(words_of("maori").topics) & set(words_of("polynesia").topics)))
    several = await world.cem.slash("/rules", topic=topic)
    shown = await world.cem.click(several.message, label="Maori")
    assert words_of("maori").topics[topic]["text"].strip() in shown.private.content


@pytest.mark.parametrize("topic", ["nonsense", "x" * 6000, "@everyone"])
async def test_a_page_that_does_not_exist_is_refused(world: World, topic: str) -> None:
    text = (await world.cem.ask("/rules", topic=topic, game="blue_lagoon")).content
    assert "no such page" in text and "@everyone" not in text and len(text) < 500
    assert "don't know that game" in (await world.cem.ask("/rules", game=topic)).content


async def test_rules_pages_are_completed(world: World) -> None:
    offered = (await world.cem.autocomplete("/rules", game="blue_lagoon", topic="")).choices
    assert {choice["value"] for choice in offered} <= set(words_of("blue_lagoon").topics)
    assert offered
    assert (await world.cem.autocomplete("/rules", game="zzz")).choices == []
