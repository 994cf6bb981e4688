"""Hints, for solo players and for tables that agreed to them."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from bot.features.play import presses
from bot.features.play.advice import MAX_LABEL, build_hint, find_hinted_turn, merge_beginnings
from bot.features.play.panel import HINT, PICK
from bot.kernel.room import Room
from bot.local import Response
from bot.model import COMPUTER, Person
from bot.runtime.base import Refused
from bot.ui.parts import GOOD, Button, Row
from engine import GAMES, Answer, Seat, begin
from engine.core.words import words_of
from engine.players import Candidate, Thought, continue_turn, think
from engine.players.mind import mind_of
from tests.bench.secrets import PEOPLE, think_little
from tests.bot.features.play.driver import controls
from tests.bot.tables import check_parts, room_of
from tests.bot.world import World
from tests.contract.kinds import positions

ANSWER = Answer(Seat(0), "place_piece", ("17",))
OTHER = Answer(Seat(0), "place_piece", ("18",))


def candidate(answers: Answer | tuple[Answer, ...], behind: float, **parts: float) -> Candidate:
    """Return a turn that was considered, with how far it is behind the best."""
    return Candidate(
        answers=answers if isinstance(answers, tuple) else (answers,),
        is_offer=False,
        points=0.0,
        lead=0.0,
        behind=behind,
        parts=(),
        parts_behind=tuple(parts.items()),
        samples=1,
    )


async def test_a_solo_player_gets_a_private_hint_from_a_button(world: World) -> None:
    await world.ana.slash("/solo", game="blue_lagoon")
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    opened = await world.ana.ask("/play", channel=world.place(room))
    posts = len(world.posts(room))
    hinted = await world.ana.click(opened, label="Hint")
    shown = hinted.private
    assert shown.content.startswith("**Hint: ") and "Where do you place" in shown.content
    (board,) = shown.attachments
    assert "Suggested: " in (board.description or "") and "You can choose: " not in (
        board.description or ""
    )
    assert len(world.posts(room)) == posts
    assert (await world.reload(room)).playing().draft(Seat(0)).answers == (), "it does nothing"
    assert (await world.ana.press(shown, label="Hint")).content == shown.content, (
        "and is the same again"
    )


@pytest.mark.parametrize("game", ["maori", "polynesia"])
async def test_one_press_plays_the_whole_turn_of_a_hint(
    world: World, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    think_little(monkeypatch.setattr)
    room = await open_solo(world, game)
    opened = await world.ana.ask("/play", channel=world.place(room))
    hinted = await world.ana.press(opened, label="Hint")
    assert "Hint" not in hinted.labels, "it is there already"
    thought = await world.matches.computers.advise(await world.reload(room), Seat(0))
    taken = await world.ana.press(hinted, label="Play this hint")
    assert "Nothing is final yet" in taken.content and "Undo" in taken.labels
    match = (await world.reload(room)).playing()
    assert match.is_complete(Seat(0))
    assert match.draft(Seat(0)).answers == thought.answers, "chosen, not confirmed"


@pytest.mark.parametrize("game", ["maori", "polynesia"])
async def test_a_hint_in_the_middle_of_a_turn_continues_it(
    world: World, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    think_little(monkeypatch.setattr)
    room = await open_solo(world, game)
    match = (await world.reload(room)).playing()
    question = match.question(Seat(0))
    assert question is not None
    # Not what a computer would begin with.
    worst = think(match.game, match.base, Seat(0), "own", "strong").ranked[-1:]
    key = worst[0].answers[0].keys[0] if worst else question.options[0].key
    shown = await world.ana.ask("/play", channel=world.place(room), move=key)
    begun = (await world.reload(room)).playing().draft(Seat(0)).answers
    assert begun
    hinted = await world.ana.press(shown, label="Hint")
    assert hinted.content.startswith("**Hint: ")
    pressed = next(label for label in ("Play this hint", *green(hinted)) if label in hinted.labels)
    await world.ana.press(hinted, label=pressed)
    after = (await world.reload(room)).playing().draft(Seat(0)).answers
    assert len(after) > len(begun)
    assert after[: len(begun)] == begun, "the turn that was begun goes on"


async def test_hints_between_people_need_everyone_s_consent(world: World) -> None:
    message = (await world.open_lobby()).message
    await world.bea.click(message, label="Join")
    assert "Hints: off" in world.newest().embeds[0]["fields"][1]["value"]
    await world.bea.click(message, label="Allow hints (0 of 2 agree)")
    message = world.newest()
    assert "Hints: off" in message.embeds[0]["fields"][1]["value"]
    assert (
        "don't have a seat"
        in (await world.cem.press(message, label="Allow hints (1 of 2 agree)")).content
    )
    await world.ana.click(message, label="Allow hints (1 of 2 agree)")
    assert "Hints: on" in world.newest().embeds[0]["fields"][1]["value"]
    await world.bea.click(message, label="Allow hints (2 of 2 agree)")
    assert "Hints: off" in world.newest().embeds[0]["fields"][1]["value"], "and may be taken back"


async def test_without_consent_there_is_no_button_and_a_forged_press_is_refused(
    world: World,
) -> None:
    room = await world.start_match()
    (lobby,) = [message for message in world.posts() if message.embeds]
    terms = lobby.embeds[0]["fields"][1]["value"]
    assert "Hints: off" in terms and "agree" not in terms, "nobody can agree any more"
    shown = await world.ana.ask("/play", channel=world.place(room))
    assert "Hint" not in shown.labels
    with pytest.raises(Refused, match="Hints are off"):
        await presses.show_hint(shown, room, Seat(0))  # type: ignore[arg-type]


def test_a_hint_is_one_sentence_with_what_to_do_and_why() -> None:
    thought = Thought(
        answers=(ANSWER,), ranked=(candidate(ANSWER, 0), candidate(OTHER, 4.2, links=6, set=1))
    )
    made = build_hint(solo_room(), Seat(0), thought)
    assert made.text.splitlines()[0] == (
        "**Hint: place a boat on 17**: it helps link more islands, helps complete the set "
        "and is worth about 4 points more than a boat on 18."
    )
    assert made.rings == ("17",) and advised_keys(made.parts) == ["17"]


def test_a_hint_prefers_what_a_turn_does_on_the_board() -> None:
    match = begin(GAMES["blue_lagoon"], 2, {"first": "1"}, 1)
    # A boat beside a precious stone, which the next piece takes.
    for place in range(1, 40):
        landed = match.pick(Answer(Seat(0), "place_piece", (f"{place}",))).confirm(Seat(0))
        landed = landed.pick(Answer(Seat(1), "place_piece", ("40",))).confirm(Seat(1))
        question, view = landed.question(Seat(0)), landed.view(Seat(0))
        assert question is not None
        taking = [
            option.key
            for option in question.options
            if option.key == option.spot and view.note(option.spot) == "stone"
        ]
        if taking:
            break
    best, other = (Answer(Seat(0), "place_piece", (key,)) for key in (taking[0], "41"))
    ranked = (candidate(best, 0), candidate(other, 3, resources=3))
    thought = Thought(answers=(best,), ranked=ranked)
    room = room_of(landed, chairs=(Person(10, "Ana"), Person(COMPUTER, "Teva")))
    text = build_hint(room, Seat(0), thought).text
    assert ": it takes a precious stone, " in text
    assert " and is worth about 3 points more than a boat on 41." in text


def test_where_nothing_else_can_be_said_a_hint_says_what_a_step_is_good_for() -> None:
    fish = (Answer(Seat(0), "take_action", ("fish",)),)
    said = build_hint(voyage_room(), Seat(0), Thought(answers=fish)).text
    assert said.startswith("**Hint: take 3 fish**: it pays for routes and guides.\n")


def test_the_value_of_winning_is_not_given_in_points() -> None:
    rival = replace(candidate(OTHER, 16.2, links=1), bonus_behind=15.0)
    said = build_hint(
        solo_room(), Seat(0), Thought(answers=(ANSWER,), ranked=(candidate(ANSWER, 0), rival))
    ).text
    assert "is worth about 1 point more and more likely to win than a boat on 18." in said


def test_turns_that_are_about_as_good_are_green_too_and_the_best_comes_first() -> None:
    ranked = (candidate(ANSWER, 0), candidate(OTHER, 0.4, links=6))
    made = build_hint(solo_room(), Seat(0), Thought(answers=(ANSWER,), ranked=ranked))
    assert "About as good: a boat on 18.\n" in made.text
    assert advised_keys(made.parts) == ["17", "18"]
    first = controls(made.parts)[0][0]
    assert (first.action, first.key) == (PICK, "17")
    worse = candidate(Answer(Seat(0), "place_piece", ("19",)), 3.3, links=2)
    made = build_hint(solo_room(), Seat(0), Thought(answers=(ANSWER,), ranked=(*ranked, worse)))
    assert "is worth about 3 points more than a boat on 19.\nAbout as good" in made.text


def test_turns_of_several_steps_have_a_button_each_that_drafts_them() -> None:
    best, other = (travel("m-n1", last) for last in ("m-n2", "m-n3"))
    thought = Thought(answers=best, ranked=(candidate(best, 0), candidate(other, 0.4)))
    room = voyage_room()
    made = build_hint(room, Seat(0), thought)
    assert "\nAbout as good: travelling from M to N3.\n" in made.text, "from where they differ"
    found = hint_buttons(made.parts)
    assert list(found) == ["Play this hint", "Or: travel from M to N3"]
    drafted = [find_hinted_turn(room.playing(), thought, key) for key in found.values()]
    assert drafted == [best, other]
    assert all(len(label) <= MAX_LABEL for label in found)


def test_the_same_turn_in_another_order_is_not_listed_twice() -> None:
    best, same = travel("m-n1", "m-n2"), travel("m-n2", "m-n1")
    thought = Thought(answers=best, ranked=(candidate(best, 0), candidate(same, 0.1)))
    assert "About as good" not in build_hint(voyage_room(), Seat(0), thought).text


def test_a_turn_that_was_begun_much_worse_can_be_started_over() -> None:
    begun, best = travel("m-n1", "m-n2"), (Answer(Seat(0), "take_action", ("fish",)),)
    room = voyage_room(begun[0])
    thought = Thought(answers=begun, ranked=(candidate(begun, 0),))
    assert "Starting over" not in build_hint(room, Seat(0), thought).text
    worse = replace(thought, restart=candidate(best, 0), restart_points=5.4)
    made = build_hint(room, Seat(0), worse)
    assert made.text.startswith("**Hint: travel from M to N1 and travel from M to N2**")
    assert "\nStarting over would be worth about 5 points more: take 3 fish.\n" in made.text
    key = hint_buttons(made.parts)["Start over and play that"]
    assert find_hinted_turn(room.playing(), worse, key) == best


@pytest.mark.parametrize("game", [game for game in GAMES if words_of(game).welcome])
async def test_a_hint_in_a_lesson_keeps_the_coach_s_choices(
    world: World, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    think_little(monkeypatch.setattr)
    await world.ana.slash("/learn", game=game)
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    shown = await world.ana.ask("/play", channel=world.place(room))
    await world.wait_until_idle()
    coached = await world.ana.ask("/play", channel=world.place(room))
    hinted = await world.ana.press(shown, label="Hint")
    quoted = [line for line in coached.content.splitlines() if line.startswith(">")]
    assert "**Hint: " in hinted.content
    assert all(line in hinted.content for line in quoted)
    assert set(green(coached)) <= set(green(hinted))


async def open_solo(world: World, game: str) -> Room:
    """Start a match against computers, up to Ana's first turn."""
    await world.ana.slash("/solo", game=game)
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    question = room.playing().question(Seat(0))
    if question is not None and question.kind == "place_discoverer":
        await world.ana.slash("/play", channel=world.place(room), move="1!")
        await world.wait_until_idle()
    return await world.reload(room)


def green(shown: Response) -> list[str]:
    """Return the labels of the green buttons of options."""
    return [
        part["label"]
        for part in shown.controls
        # 3 is the style of a green button.
        if part["custom_id"].startswith(f"{PICK}:") and part["style"] == 3
    ]


def advised_keys(rows: tuple[Row, ...]) -> list[str]:
    """Return the keys of the green buttons."""
    return [
        control.key
        for control, part in controls(rows)
        if isinstance(part, Button) and part.look == GOOD and control.action == PICK
    ]


def hint_buttons(rows: tuple[Row, ...]) -> dict[str, str]:
    """Return the labels and keys of the buttons that draft whole turns."""
    return {
        part.label: control.key
        for control, part in controls(rows)
        if isinstance(part, Button) and control.action == HINT and control.key
    }


def travel(*ways: str) -> tuple[Answer, ...]:
    """Return a Polynesia turn over these routes."""
    return (
        Answer(Seat(0), "take_action", ("travel",)),
        *(Answer(Seat(0), "move_member", (way,)) for way in ways),
    )


def voyage_room(*begun: Answer) -> Room:
    """Return a Polynesia match against a computer, with a turn begun."""
    match = begin(GAMES["polynesia"], 2, {"first": "1"}, 1)
    for answer in begun:
        match = match.pick(answer)
    return room_of(match, chairs=(Person(10, "Ana"), Person(COMPUTER, "Hotu")))


def solo_room() -> Room:
    """Return a Blue Lagoon match against a computer."""
    return room_of(
        begin(GAMES["blue_lagoon"], 2, {"first": "1"}, 1),
        chairs=(Person(10, "Ana"), Person(COMPUTER, "Teva")),
    )


@pytest.mark.parametrize("game", list(GAMES))
def test_every_question_has_a_hint_in_words_with_buttons_that_fit(
    monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    think_little(monkeypatch.setattr)
    for position in positions(game, 1):
        match, seat = position.match, position.seat
        question, begun = match.question(seat), match.draft(seat).answers
        if question is None:
            continue
        if begun:
            thought = continue_turn(match.game, match.base, seat, "own", begun)
        else:
            thought = think(match.game, match.base, seat, "own", "strong")
        made = build_hint(room_of(match, PEOPLE[: match.seats]), seat, thought)
        check_parts(made.parts)
        assert made.text.startswith("**Hint: ") and "{" not in made.text
        assert all(len(label) <= MAX_LABEL for label in hint_buttons(made.parts))
        is_marked = advised_keys(made.parts) or hint_buttons(made.parts)
        assert is_marked or thought.offer or match.has_one_answer(seat), made.text


@pytest.mark.parametrize("game", list(GAMES))
def test_every_part_of_an_estimate_has_words(game: str) -> None:
    parts: Sequence[Any] = mind_of(GAMES[game]).estimate(begin(GAMES[game], 2, {}, 1).base)
    assert parts and all(words_of(game).has(f"part.{name}") for part in parts for name in part)


def test_reasons_that_begin_alike_are_told_as_one() -> None:
    merge = merge_beginnings
    assert merge(["helps complete islands", "helps complete leis"]) == [
        "helps complete islands and leis"
    ]
    apart = ["helps complete leis", "helps get the most ships"]
    assert merge(apart) == apart and merge(apart[:1]) == apart[:1] and merge([]) == []
