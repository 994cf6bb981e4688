"""/learn: a first match with a coach, for every game and every question in it."""

from random import Random

import pytest

from bot.matches.room import Room, Status
from bot.panel import lesson
from engine import GAMES, Answer, Seat, begin
from engine.core.words import words_of
from engine.players.simple import stand_in
from tests.bot.answers import answer, labels, parts, said
from tests.bot.conftest import World
from tests.contract.games import tables
from tests.engine.players.test_levels import thinking_little

TAUGHT = [game for game in GAMES if words_of(game).lesson("begins")]


async def test_a_game_without_a_lesson_is_not_taught(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(words_of("maori")), "lesson", lambda self, part: "")
    refused = await world.ana.slash(world.channel, "learn", game="maori")
    assert refused.ephemeral and said(refused).startswith("There is no lesson in Maori yet.")
    assert await world.matches.of_user(world.ana.id) == []


async def begun(world: World, game: str) -> Room:
    """Ana's first match."""
    await world.ana.slash(world.channel, "learn", game=game)
    await world.env.settle()
    (room,) = await world.matches.of_user(world.ana.id)
    return room


@pytest.mark.parametrize("game", TAUGHT)
async def test_the_coach_speaks_from_the_first_question_to_the_end_of_the_lesson(
    world: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAMES[game]), "lesson_over", lambda self, state: None)
    thinking_little(monkeypatch)
    monkeypatch.setattr(lesson, "ANSWERS", 4)
    room, good = await begun(world, game), 0
    assert room.info.terms.lesson and [person.level for person in room.info.chairs] == [None, "easy"]
    shown = answer(await world.ana.slash(world.place(room), "play"))
    assert shown.content.startswith(f"> {words_of(game).lesson('begins')}")
    while not lesson.is_over((await world.room(room)).playing(), Seat(0)):
        match = (await world.room(room)).playing()
        question = match.question(Seat(0))
        shown = answer(await world.ana.slash(world.place(room), "play"))
        if question is None:
            assert "Confirm" in " ".join(labels(shown))
            await world.ana.slash(world.place(room), "play", move="!")
            continue
        assert f"> {words_of(game).coach(question.kind).splitlines()[0]}" in shown.content, question.kind
        good += "Good now" in shown.content
        if "ringed on the board" in shown.content:
            assert any(option.spot for option in question.options), question.kind
            assert "Suggested: " in (shown.message.attachments[0].description or ""), question.kind
        if "Good now, in green" in shown.content:
            # 3 is the style of a green button.
            green = [part for part in parts(shown) if part["custom_id"].startswith("p:") and part["style"] == 3]
            assert 1 <= len(green) <= lesson.NAMED, question.kind
        chosen = [option.key for option in question.options if option.ends] or [question.options[0].key]
        keys = "+".join([option.key for option in question.options][: question.at_least]) or chosen[0]
        await world.ana.slash(world.place(room), "play", move=keys if question.at_least > 1 else chosen[0])
    assert good
    if (await world.room(room)).playing().draft(Seat(0)).answers:
        await world.ana.slash(world.place(room), "undo", all=True)
    over = answer(await world.ana.slash(world.place(room), "play"))
    assert over.content.startswith("**The lesson is over.**") and labels(over) == ["End here", "Play on alone"]
    assert words_of(game).lesson("ends")[:60] in over.content
    await world.ana.click(over, label="Play on alone")
    again = answer(await world.ana.slash(world.place(room), "play"))
    assert "lesson" not in again.content and not again.content.startswith(">")


async def test_a_lesson_that_is_over_ends_the_match_without_a_result(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAMES["maori"]), "lesson_over", lambda self, state: True)
    room = await begun(world, "maori")
    over = answer(await world.ana.slash(world.place(room), "play"))
    await world.ana.click(over, label="End here")
    await world.env.settle()
    ended = await world.room(room)
    assert ended.info.status is Status.CALLED_OFF
    late = answer(await world.ana.slash(world.place(room), "play", move="1!", match=room.info.id))
    assert (await world.room(room)).playing() == ended.playing() and "without a result" in late.content


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
                match = match.pick(Answer(seat, question.kind, tuple(option.key for option in many)))
            match = match.confirm(seat)
    assert [kind for kind in sorted(asked) if not 1 < len(wording.coach(kind).splitlines()) <= 3] == []
