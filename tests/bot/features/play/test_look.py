"""Looking at matches on Discord: /board, /hand, /log, /rules, /games and the buttons under a
turn.
"""

import re

import pytest

from bot.runtime.base import Refused
from bot.ui.rate import MOST_PUBLIC_ANSWERS, PUBLIC_ANSWERS_WITHIN, PublicAnswers
from engine import GAMES, commitment
from engine.core.transcript import replay
from engine.core.words import words_of
from tests.bot.world import World


async def test_board_shows_the_public_picture_again_to_oneself_with_the_buttons_of_a_turn(
    world: World,
) -> None:
    room = await world.started()
    live = world.newest(room)
    shown = (await world.ana.slash("/board", channel=world.place(room))).private
    assert "**Ana** places a piece" in shown.content
    assert [file.filename for file in shown.attachments] == ["board.png"]
    assert shown.labels == ["Your move", "What happened", "My view", "Log", "Rules"]
    assert world.newest(room) == live and live.components
    assert (
        "Where do you place a piece?"
        in (await world.ana.click(shown, label="Your move")).private.content
    )


async def test_board_is_shown_to_all_on_request_and_has_buttons_too(world: World) -> None:
    room = await world.started()
    shown = await world.cem.slash("/board", channel=world.place(room), public=True)
    assert not shown.ephemeral and shown.message.labels == [
        "Your move",
        "What happened",
        "My view",
        "Log",
        "Rules",
    ]
    elsewhere = await world.ana.slash("/board", public=True, match=room.record.id)
    assert elsewhere.private.attachments, "what is played in a thread is not shown in the channel"


async def test_one_person_shows_only_so_much_to_all(world: World) -> None:
    room = await world.started()
    place = world.place(room)
    await world.ana.slash("/play", channel=place, move="17!")
    ways = (
        ("board", {}),
        ("board", {"at": "0"}),
        ("leaderboard", {}),
        ("stats", {"player": "nobody"}),
    )
    for command, options in ways[:MOST_PUBLIC_ANSWERS]:
        assert not (await world.cem.slash(command, channel=place, public=True, **options)).ephemeral
    seen = world.newest(place)
    for command, options in ways:
        refused = await world.cem.slash(command, channel=place, public=True, **options)
        assert refused.private.ephemeral
    refused = (await world.cem.slash("/board", channel=place, public=True)).private.content
    assert "You've shown 3 things to everyone here" in refused
    assert (
        "You've shown 3 things" in (await world.cem.slash("/replay", channel=place)).private.content
    )
    assert world.newest(place) == seen, "nobody else has seen anything of it"
    # To oneself, for others and elsewhere it goes on.
    assert (await world.cem.slash("/board", channel=place)).private.attachments
    assert not (await world.bea.slash("/board", channel=place, public=True)).ephemeral
    assert not (await world.cem.slash("/leaderboard", public=True)).ephemeral


def test_public_answers_are_possible_again_as_time_passes() -> None:
    now = [1000.0]
    answers = PublicAnswers(lambda: now[0])
    for step in range(4 * MOST_PUBLIC_ANSWERS):
        answers.admit(1, 2)
        if step >= MOST_PUBLIC_ANSWERS - 1:
            with pytest.raises(
                Refused, match=rf"<t:{int(now[0] - 400 + PUBLIC_ANSWERS_WITHIN) + 1}:R>"
            ):
                answers.admit(1, 2)
        now[0] += PUBLIC_ANSWERS_WITHIN / MOST_PUBLIC_ANSWERS
    now[0] += PUBLIC_ANSWERS_WITHIN
    answers.admit(3, 4)
    assert len(answers._shown) == 1, "nothing is kept of those who have shown nothing of late"


async def test_a_moment_that_cannot_be_shown_to_all_is_refused_in_private(world: World) -> None:
    room = await world.started()
    refused = await world.ana.slash("/board", channel=world.place(room), at="nonsense", public=True)
    assert refused.ephemeral and refused.private.content


async def test_every_board_marks_what_happened_since_the_last_post(
    world: World, monkeypatch
) -> None:
    room = await world.started()
    scenes = []
    draw = world.bot.pictures.board

    async def noting(view, names, **scene):
        scenes.append((view.viewer, [event.spot for event in scene["events"]], scene["last"]))
        return await draw(view, names, **scene)

    monkeypatch.setattr(world.bot.pictures, "board", noting)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    (posted,) = [scene for scene in scenes if scene[0] is None]
    assert posted == (None, ["17"], "Ana: boat on 17.")
    scenes.clear()
    turn = world.newest(room)
    await world.cem.slash("/board", channel=world.place(room))
    await world.bea.slash("/play", channel=world.place(room))
    await world.bea.click(turn, label="My view")
    assert scenes == [(None, *posted[1:]), (1, *posted[1:]), (1, *posted[1:])]
    scenes.clear()
    await world.bea.slash("/play", channel=world.place(room), move="1")
    assert scenes == [(1, ["17", "1"], "Ana: boat on 17. Bea: boat on 1.")], (
        "the draft of one's own comes last"
    )


async def test_board_of_a_match_elsewhere_is_shown_privately(world: World) -> None:
    room = await world.started()
    shown = (await world.ana.slash("/board", match=room.record.id)).private
    assert shown.attachments


async def test_board_mine_shows_the_draft_to_its_owner_alone(world: World) -> None:
    room = await world.started()
    await world.ana.slash("/play", channel=world.place(room), move="17")
    own = (await world.ana.slash("/board", channel=world.place(room), mine=True)).private
    assert own.attachments
    everyone = (await world.bea.slash("/board", channel=world.place(room))).private
    pictures = [shown.attachments[0].data for shown in (own, everyone)]
    assert pictures[0] != pictures[1]
    assert (
        "no running match"
        in (await world.cem.slash("/board", channel=world.place(room), mine=True)).private.content
    )


async def test_board_in_words(world: World) -> None:
    room = await world.started()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    shown = (await world.cem.slash("/board", channel=world.place(room), text=True)).private
    words = shown.content + "".join([(file.data).decode() for file in shown.attachments])
    assert "17" in words and "Ana" in words


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_match_that_was_given_up_says_nothing_of_what_it_would_come_to(
    world: World, game: str
) -> None:
    lobby = (await world.ana.slash("/game new", game=game)).message
    await world.bea.click(lobby, label="Join")
    await world.ana.click(lobby, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    shown = (await world.ana.slash("/hand", channel=world.place(room))).private.content
    assert len(re.findall(r"(?i)points:|\bnow:", shown)) <= 1, "points are said once"
    ask = await world.bea.slash("/resign", channel=world.place(room))
    await world.bea.click(ask.private, label="Yes, give up my seat")
    for looked in ({}, {"text": True}, {"mine": True}):
        told = (
            await world.ana.slash(
                "/board", channel=world.place(room), match=room.record.id, **looked
            )
        ).private
        texts = [(file.data).decode() for file in told.attachments if looked.get("text")]
        assert not re.search(r"(ended|erupted) now", told.content + "".join(texts))


async def test_hand_is_private(world: World) -> None:
    room = await world.started()
    await world.ana.slash("/play", channel=world.place(room), move="17")
    shown = (await world.ana.slash("/hand", channel=world.place(room))).private
    assert shown.attachments and "Drafted: Ana: boat on 17." in shown.content
    assert (
        "\nLeft: 29 settlers and 5 villages.\nHeld: nothing." in shown.content
        and "Bea: " not in shown.content
    )


async def test_hand_says_what_lies_where_and_what_is_seen_by_its_holder_alone(world: World) -> None:
    message = (await world.ana.slash("/game new", game="conquest")).message
    await world.bea.click(message, label="Join")
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    home = room.match.base.nations[0].home.upper()
    shown = (await world.ana.slash("/hand", channel=world.place(room))).private.content
    assert re.search(rf"\nHome: (.+ \({home}\))\.\n(.*\n)*At \1: 2 Warrior Bands\.\n", shown)
    assert "\nCards: no cards.\n" in shown and shown.count("oints:") == 1
    assert "\nPieces not yet built: 6 War Canoes, " in shown


async def test_hand_shows_the_board_that_is_the_player_s_own(world: World) -> None:
    message = (await world.ana.slash("/game new", game="maori", settings="first=1")).message
    await world.bea.click(message, label="Join")
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    await world.ana.slash("/play", channel=world.place(room), move="16!")
    await world.bea.slash("/play", channel=world.place(room), move="1,a,q3!")
    own = (await world.bea.slash("/hand", channel=world.place(room))).private.content.splitlines()
    other = (await world.ana.slash("/hand", channel=world.place(room))).private.content.splitlines()
    assert (
        sum(line.startswith("Q3 ") for line in own)
        == sum(line.startswith("Q3 ") for line in other)
        == 1
    )
    assert "Q3 empty; Q4 empty; Q5 empty." in other and "Q3 empty; Q4 empty; Q5 empty." not in own


async def test_my_view_is_the_player_s_own_or_the_public_one(world: World) -> None:
    room = await world.started()
    await world.ana.slash("/play", channel=world.place(room), move="17")
    turn = world.newest(room)
    assert "Drafted" in (await world.ana.click(turn, label="My view")).private.content
    for who in (world.bea, world.cem):
        shown = (await who.click(turn, label="My view")).private
        assert shown.attachments and "Drafted" not in shown.content


async def test_log_tells_what_happened(world: World) -> None:
    room = await world.started()
    place = world.place(room)
    assert "The items are dealt" in (await world.cem.slash("/log", channel=place)).private.content
    await world.ana.slash("/play", channel=place, move="17!")
    for shown in (
        await world.cem.slash("/log", channel=place),
        await world.bea.click(world.newest(place), label="Log"),
    ):
        assert "1. Ana: boat on 17." in shown.private.content


async def test_the_numbers_of_the_log_tell_of_no_secret_commit(world: World) -> None:
    """Standing orders are a commit that nobody else may know of, not even by a number left out."""
    message = (await world.ana.slash("/game new", game="conquest")).message
    await world.bea.click(message, label="Join")
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    place, people = world.place(room), {0: world.ana, 1: world.bea}
    first = room.match.waiting_for()[0]
    done = (
        await people[1 - first].slash("/play", channel=place, move="set_loss_order/bands!")
    ).private.content
    assert "Your order for losses" in done
    await people[first].slash(
        "/play", channel=place, move=f"{room.match.decisions(first)[0].options[0].key}!"
    )
    for who in (people[first], world.cem):
        assert "\n1. " in (await who.slash("/log", channel=place)).private.content
    own = (await people[1 - first].slash("/log", channel=place)).private.content
    assert "\n1. Your order" in own and "\n2. " in own


async def test_the_whole_log_is_a_file(world: World) -> None:
    room = await world.started()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    shown = (await world.cem.slash("/log", channel=world.place(room), whole=True)).private
    (file,) = shown.attachments
    assert "1. Ana: boat on 17." in (file.data).decode()


async def test_a_finished_match_gives_ranking_seed_and_transcript(world: World) -> None:
    room = await world.started()
    place = world.place(room)
    await world.ana.slash("/play", channel=place, move="17!")
    log = (await world.bea.slash("/log", channel=place)).private
    assert "seed" not in log.content.lower()
    sealed = (await world.bea.click(log, label="Fairness")).private.content
    assert room.record.commitment in sealed and (await world.room(room)).match.seed not in sealed
    asked = (await world.bea.slash("/resign", channel=place)).private
    await world.bea.click(asked, label="Yes, give up my seat")
    last = world.newest(place)
    proof = (await world.cem.click(last, label="Fairness")).private
    seed = proof.content.split("The seed is `")[1].split("`")[0]
    assert commitment(room.record.id, seed) in proof.content
    transcript = (proof.attachments[-1].data).decode()
    assert replay(transcript).outcome is not None and f"seed {seed}" in transcript
    log = (await world.cem.click(last, label="Log")).private
    assert "Bea resigns" in log.content and (log.attachments[0].data).decode() == transcript


async def test_the_log_marks_what_a_computer_did_for_whoever_left_and_nothing_before(
    world: World,
) -> None:
    room = await world.started(world.bea, world.cem)
    place = world.place(room)
    for person, move in ((world.ana, "17!"), (world.bea, "1!"), (world.cem, "30!")):
        await person.slash("/play", channel=place, move=move)
    asked = (await world.bea.slash("/resign", channel=place)).private
    await world.bea.click(asked, label="Yes, give up my seat")
    await world.ana.slash("/play", channel=place, move="15!")
    log = (await world.cem.slash("/log", channel=place)).private.content
    told = [line.partition(" ")[2] for line in log.splitlines() if "Bea" in line]
    assert [line.partition(":")[0] for line in told] == ["Bea", "Bea resigns.", "Bea ⚙"], log


async def test_in_the_thread_of_a_finished_match_it_is_that_match_that_is_meant(
    world: World,
) -> None:
    room = await world.started()
    place = world.place(room)
    asked = (await world.bea.slash("/resign", channel=place)).private
    await world.bea.click(asked, label="Yes, give up my seat")
    assert "Bea resigns." in (await world.cem.slash("/log", channel=place)).private.content
    assert "**Blue Lagoon: " in (await world.cem.slash("/rules", channel=place)).private.content
    assert "1. **Ana**" in (await world.ana.slash("/play", channel=place)).private.content
    assert "over" in (await world.ana.slash("/resign", channel=place)).private.content
    assert "no running match" in (await world.cem.slash("/play", channel=place)).private.content
    assert "no running match" in (await world.ana.slash("/log")).private.content
    assert "1. **Ana**" in (await world.cem.slash("/board", channel=place)).private.content


async def test_rules_shows_a_page_and_turns_to_others(world: World) -> None:
    topics = list(words_of("blue_lagoon").topics)
    shown = (await world.cem.slash("/rules", game="blue_lagoon")).private
    assert shown.content.startswith("**Blue Lagoon:")
    other = (await world.cem.choose(shown, None, [topics[1]])).private
    assert (
        words_of("blue_lagoon").topics[topics[1]]["title"] in other.content and other.id == shown.id
    )


@pytest.mark.parametrize("game_id", GAMES)
async def test_every_rules_page_fits_a_message(world: World, game_id: str) -> None:
    for topic in words_of(game_id).topics:
        told = (await world.cem.slash("/rules", topic=topic, game=game_id)).private.content
        assert words_of(game_id).topics[topic]["text"].strip() in told


async def test_rules_from_the_turn_and_in_direct_messages(world: World) -> None:
    room = await world.started()
    assert (
        "Blue Lagoon" in (await world.cem.click(world.newest(room), label="Rules")).private.content
    )
    someone = world.person("Dee")
    assert (
        "Blue Lagoon"
        in (
            await someone.slash("/rules", channel=world.discord.dm(someone), game="blue_lagoon")
        ).private.content
    )


async def test_where_nothing_is_played_rules_offers_all_games(world: World) -> None:
    asked = await world.cem.slash("/rules")
    assert asked.ephemeral and asked.private.labels == [GAMES[game].title for game in GAMES]
    for game in GAMES:
        shown = await world.cem.click(asked, label=GAMES[game].title)
        first = next(iter(words_of(game).topics.values()))
        assert (
            first["title"] in shown.private.content
            and first["text"].strip() in shown.private.content
        )
        asked = await world.cem.slash("/rules")
    topic = next(iter(set(words_of("maori").topics) & set(words_of("polynesia").topics)))
    several = await world.cem.slash("/rules", topic=topic)
    shown = await world.cem.click(several.message, label="Maori")
    assert words_of("maori").topics[topic]["text"].strip() in shown.private.content


@pytest.mark.parametrize("topic", ["nonsense", "x" * 6000, "@everyone"])
async def test_a_page_that_does_not_exist_is_refused(world: World, topic: str) -> None:
    told = (await world.cem.slash("/rules", topic=topic, game="blue_lagoon")).private.content
    assert "no such page" in told and "@everyone" not in told and len(told) < 500
    assert "no such game" in (await world.cem.slash("/rules", game=topic)).private.content


async def test_rules_pages_are_completed(world: World) -> None:
    offered = (await world.cem.autocomplete("/rules", game="blue_lagoon", topic="")).choices
    assert {choice["value"] for choice in offered} <= set(
        words_of("blue_lagoon").topics
    ) and offered
    assert (await world.cem.autocomplete("/rules", game="zzz")).choices == []
