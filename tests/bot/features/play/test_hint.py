"""Hints: what a strong player would do, for whoever plays alone or at a table that agreed."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from bot.features.play import presses
from bot.features.play.advice import build_hint
from bot.features.play.panel import PICK
from bot.kernel.room import Room
from bot.model import COMPUTER, Person
from bot.runtime.base import Refused
from bot.ui.parts import GOOD, Button, Row
from engine import GAMES, Answer, Seat, begin
from engine.core.words import words_of
from engine.players import Candidate, Thought
from engine.players.mind import mind_of
from tests.bot.features.play.driver import controls
from tests.bot.tables import room_of
from tests.bot.world import World

ANSWER = Answer(Seat(0), "place_piece", ("17",))
OTHER = Answer(Seat(0), "place_piece", ("18",))


def candidate(answers: Answer | tuple[Answer, ...], behind: float, **parts: float) -> Candidate:
    """A turn that was looked into; the parts are what the best has more."""
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


async def test_alone_a_hint_is_a_button_away_and_stays_private(world: World) -> None:
    await world.ana.slash("/solo", game="blue_lagoon")
    await world.idle()
    (room,) = await world.matches.of_user(world.ana.id)
    opened = (await world.ana.slash("/play", channel=world.place(room))).private
    posts = len(world.posts(room))
    hinted = await world.ana.click(opened, label="Hint")
    shown = hinted.private
    assert shown.content.startswith("**Hint**: ") and "Where do you place" in shown.content
    (board,) = shown.attachments
    assert "Suggested: " in (board.description or "") and "Legal: " not in (board.description or "")
    assert len(world.posts(room)) == posts
    assert (await world.room(room)).playing().draft(Seat(0)).answers == (), "it does nothing"
    assert (await world.ana.click(shown, label="Hint")).private.content == shown.content, (
        "and is the same again"
    )


async def test_the_whole_turn_of_a_hint_is_chosen_by_one_press(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.ana.slash("/solo", game="polynesia")
    await world.idle()
    (room,) = await world.matches.of_user(world.ana.id)
    turn = travel("m-n1", "m-n2", "m-n3")

    async def advice(room: Room, seat: Seat) -> Thought:
        return Thought(answers=turn)

    monkeypatch.setattr(world.matches.computers, "advice", advice)
    opened = (await world.ana.slash("/play", channel=world.place(room))).private
    hinted = (await world.ana.click(opened, label="Hint")).private
    assert "Hint" not in hinted.labels, "it is there already"
    taken = (await world.ana.click(hinted, label="Choose all of it")).private
    assert taken.content.startswith("Your turn is complete.") and "Undo" in taken.labels
    match = (await world.room(room)).playing()
    assert match.is_complete(Seat(0)) and match.draft(Seat(0)).answers == turn, (
        "chosen, not confirmed"
    )


async def test_between_people_hints_need_the_consent_of_all(world: World) -> None:
    message = (await world.lobby()).message
    await world.bea.click(message, label="Join")
    assert "Hints: off" in world.newest().embeds[0]["fields"][1]["value"]
    await world.bea.click(message, label="Allow hints (0 of 2 agree)")
    message = world.newest()
    assert "Hints: off" in message.embeds[0]["fields"][1]["value"]
    assert (
        "no seat"
        in (await world.cem.click(message, label="Allow hints (1 of 2 agree)")).private.content
    )
    await world.ana.click(message, label="Allow hints (1 of 2 agree)")
    assert "Hints: on" in world.newest().embeds[0]["fields"][1]["value"]
    await world.bea.click(message, label="Allow hints (2 of 2 agree)")
    assert "Hints: off" in world.newest().embeds[0]["fields"][1]["value"], "and may be taken back"


async def test_where_they_are_off_there_is_no_button_and_a_forged_press_is_refused(
    world: World,
) -> None:
    room = await world.started()
    (lobby,) = [message for message in world.posts() if message.embeds]
    terms = lobby.embeds[0]["fields"][1]["value"]
    assert "Hints: off" in terms and "agree" not in terms, "nobody can agree any more"
    shown = (await world.ana.slash("/play", channel=world.place(room))).private
    assert "Hint" not in shown.labels
    with pytest.raises(Refused, match="Hints are off"):
        await presses.show_hint(shown, room, Seat(0))  # type: ignore[arg-type]


def test_it_says_how_much_better_and_why() -> None:
    thought = Thought(
        answers=(ANSWER,), ranked=(candidate(ANSWER, 0), candidate(OTHER, 4.2, links=6, set=1))
    )
    made = build_hint(alone(), Seat(0), thought)
    assert (
        made.text.splitlines()[1]
        == "About 4 points better, for islands linked and the complete set, than 18: boat."
    )
    assert made.rings == ("17",) and green(made.rows) == ["17"]


def test_what_winning_is_worth_is_no_points() -> None:
    rival = replace(candidate(OTHER, 16.2, links=1), bonus_behind=15.0)
    said = build_hint(
        alone(), Seat(0), Thought(answers=(ANSWER,), ranked=(candidate(ANSWER, 0), rival))
    ).text
    assert "About 1 point better, for islands linked, and likelier to win than 18: boat." in said


def test_a_draft_that_begins_as_the_hint_does_goes_on_with_it() -> None:
    match = begin(GAMES["polynesia"], 2, {"first": "1"}, 1)
    turn = travel("m-n1", "m-n2")
    chairs = (Person(10, "Ana"), Person(COMPUTER, "Hotu"))
    thought = Thought(answers=turn, ranked=(candidate(turn, 0),))
    made = build_hint(room_of(match.pick(turn[0]), chairs=chairs), Seat(0), thought)
    assert "Undo first" not in made.text and green(made.rows) == ["m-n1"]
    populated = match.pick(Answer(Seat(0), "take_action", ("populate",)))
    other = build_hint(room_of(populated, chairs=chairs), Seat(0), thought)
    assert "Undo first" in other.text and not green(other.rows)
    short = Thought(answers=turn[:1], ranked=(candidate(turn[:1], 0),))
    for made in (other, build_hint(room_of(populated, chairs=chairs), Seat(0), short)):
        assert "Choose all of it" in [
            part.label for _, part in controls(made.rows) if isinstance(part, Button)
        ]


def green(rows: tuple[Row, ...]) -> list[str]:
    """What is picked by green buttons."""
    return [
        control.key
        for control, part in controls(rows)
        if isinstance(part, Button) and part.look == GOOD and control.sort == PICK
    ]


def test_it_says_which_turns_are_about_as_good() -> None:
    thought = Thought(
        answers=(ANSWER,), ranked=(candidate(ANSWER, 0), candidate(OTHER, 0.4, links=6))
    )
    assert "About as good:\n- 18: boat\n" in build_hint(alone(), Seat(0), thought).text
    worse = candidate(Answer(Seat(0), "place_piece", ("19",)), 3.3, links=2)
    thought = Thought(answers=(ANSWER,), ranked=(*thought.ranked, worse))
    said = build_hint(alone(), Seat(0), thought).text
    assert "- 18: boat\nAbout 3 points better, for islands linked, than 19: boat.\n" in said


def test_turns_that_begin_alike_are_told_from_where_they_part() -> None:
    match = begin(GAMES["polynesia"], 2, {"first": "1"}, 1)
    best, other = (travel("m-n1", last) for last in ("m-n2", "m-n3"))
    chairs = (Person(10, "Ana"), Person(COMPUTER, "Hotu"))
    thought = Thought(answers=best, ranked=(candidate(best, 0), candidate(other, 0.4)))
    told, _, one = build_hint(room_of(match, chairs=chairs), Seat(0), thought).text.splitlines()[:3]
    assert told.count(" → ") == 2 and one.startswith("- … → M > N3"), (told, one)


def test_a_turn_in_another_order_is_no_other_turn() -> None:
    match = begin(GAMES["polynesia"], 2, {"first": "1"}, 1)
    best, same = travel("m-n1", "m-n2"), travel("m-n2", "m-n1")
    chairs = (Person(10, "Ana"), Person(COMPUTER, "Hotu"))
    thought = Thought(answers=best, ranked=(candidate(best, 0), candidate(same, 0.1)))
    assert "About as good" not in build_hint(room_of(match, chairs=chairs), Seat(0), thought).text


def travel(*ways: str) -> tuple[Answer, ...]:
    """A turn of Polynesia over these routes."""
    return (
        Answer(Seat(0), "take_action", ("travel",)),
        *(Answer(Seat(0), "move_member", (way,)) for way in ways),
    )


def alone() -> Room:
    """A match of Blue Lagoon against a computer."""
    return room_of(
        begin(GAMES["blue_lagoon"], 2, {"first": "1"}, 1),
        chairs=(Person(10, "Ana"), Person(COMPUTER, "Teva")),
    )


@pytest.mark.parametrize("game", list(GAMES))
def test_every_part_of_an_estimate_has_words(game: str) -> None:
    parts: Sequence[Any] = mind_of(GAMES[game]).estimate(begin(GAMES[game], 2, {}, 1).base)
    assert parts and all(words_of(game).has(f"part.{name}") for part in parts for name in part)
