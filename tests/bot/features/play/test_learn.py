"""/learn: a first match with a coach, for every game and every question in it."""

from random import Random

import pytest
from msgspec.structs import replace

from bot.features.play import advice as lesson
from bot.features.play.panel import Advice, Panel, build_panel
from bot.kernel.room import Room
from bot.model import COMPUTER, Person, Status, Terms
from engine import GAMES, Answer, Seat, begin
from engine.core.words import words_of
from engine.players import Candidate, Thought, advice
from engine.players.mind import mind_of
from engine.players.simple import stand_in
from tests.bench.secrets import think_little
from tests.bot.features.play.test_hint import candidate
from tests.bot.tables import room_of
from tests.bot.world import World
from tests.contract.games import tables

TAUGHT = [game for game in GAMES if words_of(game).lesson("begins")]


async def test_a_game_without_a_lesson_is_not_taught(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(words_of("maori")), "lesson", lambda self, part: "")
    refused = await world.ana.slash("/learn", game="maori")
    assert refused.ephemeral and refused.private.content.startswith(
        "There is no lesson in Maori yet."
    )
    assert await world.matches.of_user(world.ana.id) == []


async def begun(world: World, game: str) -> Room:
    """Ana's first match."""
    await world.ana.slash("/learn", game=game)
    await world.idle()
    (room,) = await world.matches.of_user(world.ana.id)
    return room


@pytest.mark.parametrize("game", TAUGHT)
async def test_the_coach_speaks_from_the_first_question_to_the_end_of_the_lesson(
    world: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAMES[game]), "lesson_over", lambda self, state: None)
    think_little(monkeypatch.setattr)
    monkeypatch.setattr(advice, "MAX_LESSON_ANSWERS", 4)
    room, good = await begun(world, game), 0
    begins = [f"> {line}" for line in words_of(game).lesson("begins").splitlines()]
    assert room.record.terms.lesson and [person.level for person in room.record.chairs] == [
        None,
        "easy",
    ]
    shown = (await world.ana.slash("/play", channel=world.place(room))).private
    welcome, *coach = shown.content.splitlines()
    assert welcome.startswith("Welcome to Motu!")
    assert coach[: len(begins)] == begins
    while not advice.is_lesson_over((await world.room(room)).playing(), Seat(0)):
        match = (await world.room(room)).playing()
        question = match.question(Seat(0))
        shown = (await world.ana.slash("/play", channel=world.place(room))).private
        if question is None:
            assert "Confirm" in " ".join(shown.labels)
            await world.ana.slash("/play", channel=world.place(room), move="!")
            continue
        assert f"> {words_of(game).coach(question.kind).splitlines()[0]}" in shown.content, (
            question.kind
        )
        good += "Good now" in shown.content
        if "ringed on the board" in shown.content:
            assert any(option.spot for option in question.options), question.kind
            assert "Suggested: " in (shown.attachments[0].description or ""), question.kind
        if "Good now, in green" in shown.content:
            # 3 is the style of a green button.
            green = [
                part
                for part in shown.controls
                if part["custom_id"].startswith("p:") and part["style"] == 3
            ]
            assert 1 <= len(green) <= advice.MAX_CHOICES, question.kind
        chosen = [option.key for option in question.options if option.ends] or [
            question.options[0].key
        ]
        keys = (
            "+".join([option.key for option in question.options][: question.at_least]) or chosen[0]
        )
        await world.ana.slash(
            "/play", channel=world.place(room), move=keys if question.at_least > 1 else chosen[0]
        )
    assert good
    if (await world.room(room)).playing().draft(Seat(0)).answers:
        await world.ana.slash("/undo", channel=world.place(room), all=True)
    over = (await world.ana.slash("/play", channel=world.place(room))).private
    assert over.content.startswith("**The lesson is over.**") and over.labels == [
        "End here",
        "Play on alone",
    ]
    assert words_of(game).lesson("ends")[:60] in over.content
    if game != "blue_lagoon":
        # There a phase must have ended for it, which a lesson cut short has not seen.
        assert [file.filename for file in over.attachments] == ["board.png", "scores.png"]
    await world.ana.click(over, label="Play on alone")
    again = (await world.ana.slash("/play", channel=world.place(room))).private
    assert "lesson" not in again.content and not again.content.startswith(">")


async def test_a_lesson_that_is_over_ends_the_match_without_a_result(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAMES["maori"]), "lesson_over", lambda self, state: True)
    room = await begun(world, "maori")
    (lobby,) = [message for message in world.posts() if message.embeds]
    assert (
        "A lesson" in lobby.embeds[0]["fields"][1]["value"]
        and "Rated" not in lobby.embeds[0]["fields"][1]["value"]
    )
    over = (await world.ana.slash("/play", channel=world.place(room))).private
    ending = (await world.ana.click(over, label="End here")).private
    assert (
        ending.content.startswith("The lesson has ended") and "`/solo game:maori`" in ending.content
    )
    await world.idle()
    ended = await world.room(room)
    assert ended.record.status is Status.CALLED_OFF
    late = (
        await world.ana.slash("/play", channel=world.place(room), move="1!", match=room.record.id)
    ).private
    assert (
        await world.room(room)
    ).playing() == ended.playing() and "without a result" in late.content


async def test_what_was_not_possible_is_said_before_the_coach_speaks(world: World) -> None:
    room = await begun(world, "maori")
    refused = (
        await world.ana.slash("/play", channel=world.place(room), move="nonsense")
    ).private.content.splitlines()
    at = next(number for number, line in enumerate(refused) if "is not possible now" in line)
    assert at < next(number for number, line in enumerate(refused) if line.startswith("> "))


def turn(*keys: str, behind: float = 0.0, **at_once: float) -> Candidate:
    """A turn of Maori: the discoverer moved, a tile taken, and placed."""
    kinds = ("move_discoverer", "discover_tile", "place_tile")
    made = candidate(
        tuple(Answer(Seat(0), kind, (key,)) for kind, key in zip(kinds, keys, strict=True)), behind
    )
    return replace(made, at_once=tuple(at_once.items()))


def first_turn() -> Room:
    """A lesson in Maori, at its first turn."""
    match = begin(GAMES["maori"], 2, {"first": "2"}, 1)
    match = match.pick(Answer(Seat(1), "place_discoverer", ("1",))).confirm(Seat(1))
    return room_of(
        match, chairs=(Person(10, "Ana"), Person(COMPUTER, "Kupe")), terms=Terms(lesson=True)
    )


def coach_says(*turns: Candidate) -> Panel:
    """The panel of a first turn of Maori, where a strong player thinks of these turns."""
    thought = Thought(answers=turns[0].answers, ranked=turns)
    return lesson.build_lesson(first_turn(), Seat(0), thought=thought)


def test_the_advice_and_the_question_are_whole_however_much_has_happened() -> None:
    room, happened = first_turn(), "Kupe did much. " * 60
    said = Advice(["A coach's word. " * 70, "Good now: 2."])
    made = build_panel(room, Seat(0), notice=happened, advice=said)
    asked = build_panel(room, Seat(0)).text
    assert "Kupe did much." in made.text and happened not in made.text
    assert len(made.text) <= 2000 and made.text.endswith(f"> Good now: 2.\n{asked}")


def test_a_good_choice_is_named_with_what_its_turn_goes_on_with_and_what_it_brings_at_once() -> (
    None
):
    said = coach_says(
        turn("2", "f", "r2", leis=3), turn("2", "b", "r2"), turn("3", "c", "r2", behind=2)
    ).text
    (good,) = [line for line in said.splitlines() if line.startswith("> Good now")]
    assert (
        good.startswith("> Good now, in green, ringed on the board: 2: 1 step") and " → F: " in good
    )
    assert good.endswith(" → R2 (for leis).")


def test_where_a_plan_stands_unless_another_is_clearly_better_it_alone_is_good(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = turn("2", "b", "r2"), turn("3", "c", "r2", behind=-0.2)
    assert {"> - 2: ", "> - 3: "} <= {line[:7] for line in coach_says(*turns).text.splitlines()}
    cautious = replace(mind_of(GAMES["maori"]), caution=0.7)
    monkeypatch.setattr(advice, "mind_of", lambda game: cautious)
    assert "> Good now, in green, ringed on the board: 2: " in coach_says(*turns).text


@pytest.mark.parametrize("game", TAUGHT)
def test_a_lesson_is_over_before_the_match_is(game: str) -> None:
    match = begin(GAMES[game], 2, {}, 3)
    assert GAMES[game].lesson_over(match.base) is False
    while not GAMES[game].lesson_over(match.base):
        match = stand_in(match, match.waiting_for()[0])
    assert match.outcome is None and match.answered[0] > 8


@pytest.mark.parametrize("game", TAUGHT)
def test_every_question_has_its_coach(game: str) -> None:
    wording = words_of(game)
    assert wording.lesson("begins") and wording.lesson("ends")
    asked, random = set(), Random(5)
    for settings in tables(GAMES[game], 2):
        match = begin(GAMES[game], 2, settings, 3)
        for _ in range(60):
            if match.outcome is not None:
                break
            seat = match.waiting_for()[0]
            while question := match.question(seat):
                asked.add(question.kind)
                many = random.sample(question.options, max(1, question.at_least))
                match = match.pick(
                    Answer(seat, question.kind, tuple(option.key for option in many))
                )
            match = match.confirm(seat)
    assert [
        kind for kind in sorted(asked) if not 1 < len(wording.coach(kind).splitlines()) <= 3
    ] == []
