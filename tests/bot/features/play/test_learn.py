"""/learn: a first match with a coach, for every game, from the first question to the end."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from bot.features.play import advice as lesson
from bot.features.play.panel import Panel
from bot.kernel.room import Room
from bot.model import COMPUTER, Person, Status, Terms
from bot.ui import GOOD, Button, Menu
from engine import GAMES, Answer, Commit, Decision, Match, Seat, begin
from engine.core.words import words_of
from engine.players import Candidate, Thought, advice, deal_for, think
from engine.players import lesson as ideas
from engine.players.advice import find_choices
from engine.players.mind import mind_of
from engine.players.simple import stand_in
from tests.bench.secrets import think_little
from tests.bot.features.play.test_hint import candidate
from tests.bot.tables import controls_in, room_of
from tests.bot.world import World

TAUGHT = [game for game in GAMES if words_of(game).welcome]
PLAYER = Seat(0)
SEEDS = range(4)

MAX_SENTENCES = 2
"""Of what is taught in one panel."""
MAX_COACH_WORDS = 45
"""Of what is taught and the good choices."""
MAX_NEWS_WORDS = 20
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")

TOPICS = {
    "blue_lagoon": {
        "a turn": "Each turn you place one piece",
        "scoring": "Your best chain of connected pieces",
        "a trap": "Trap: villages on stone circles",
        "the end": "The exploration ends when",
    },
    "maori": {
        "a turn": "Each turn you sail the discoverer",
        "scoring": "Palms score 1 point each",
        "a trap": "Trap: only complete islands score",
        "the end": "The match ends when",
    },
    "polynesia": {
        "a turn": "Each turn you take one action",
        "scoring": "You score turtles",
        "a trap": "Trap: the eruption destroys",
        "the end": "The match ends at once",
    },
    "conquest": {
        "a turn": "Each turn you explore, move, then build",
        "scoring": "A Village scores 1 point",
        "a trap": "Trap: a Colony can't leave",
        "the end": "The match ends when",
    },
}


# Whole lessons, panel by panel.


class Moment(Struct, frozen=True):
    """What a newcomer sees when asked something."""

    match: Match
    question: Decision
    thought: Thought
    panel: Panel

    @property
    def idea(self) -> str:
        """What the coach teaches."""
        lines = [line for line in self.panel.text.splitlines() if line.startswith("> ")]
        assert len(lines) <= 1
        return lines[0].removeprefix("> ") if lines else ""

    @property
    def good(self) -> str:
        """The line about good choices, or why there is none."""
        below = self.panel.text.splitlines()[self._question_line + 1 :]
        return below[0] if below else ""

    @property
    def news(self) -> list[str]:
        """What happened since."""
        above = self.panel.text.splitlines()[: self._question_line]
        return [line for line in above if not line.startswith("> ")]

    @property
    def _question_line(self) -> int:
        return self.panel.text.replace("**", "").splitlines().index(self.panel.question)


def log_of(match: Match) -> list[Commit]:
    """Return a match's log with its set-up, as it is read from the store."""
    return [Commit(PLAYER, (), events=match.prologue), *match.commits]


def lesson_room(match: Match) -> Room:
    """Return the room of a lesson."""
    chairs = (Person(10, "Ana"), Person(COMPUTER, "Kupe"))
    return room_of(match, chairs=chairs, terms=Terms(lesson=True))


def play_lesson(game: str, seed: int, follows_advice: bool) -> Iterator[Moment | Match]:
    """Play a lesson; yield what is seen at each question, and at last the match at its end."""
    match = begin(GAMES[game], 2, {}, seed)
    random = Random(seed)
    while not match.game.lesson_over(match.base):
        seat = match.waiting_for()[0]
        if seat != PLAYER:
            match = stand_in(match, seat)
            continue
        known = deal_for(match.game, match.base, seat)
        thought = think(match.game, known, seat, f"{seed}/{match.number}", "strong")
        before = match.number
        while (question := match.question(seat)) and match.number == before:
            panel = lesson.build_lesson(lesson_room(match), seat, log_of(match), thought=thought)
            yield Moment(match, question, thought, panel)
            drafted = len(match.draft(seat).answers)
            if not follows_advice:
                number = max(question.at_least, min(1, question.at_most))
                options = random.sample(question.options, number)
                keys = tuple(option.key for option in options)
                match = match.pick(Answer(seat, question.kind, keys))
            elif thought.offer:
                match = match.pick(thought.offer)
            else:
                match = match.pick(thought.answers[drafted])
        if match.number == before:
            match = match.confirm(seat)
    yield match


@cache
def play_lessons(game: str, follows_advice: bool) -> list[list[Moment]]:
    """Return what is seen in whole lessons of a game, by its seeds."""
    with pytest.MonkeyPatch.context() as patch:
        think_little(patch.setattr)
        return [
            [one for one in play_lesson(game, seed, follows_advice) if isinstance(one, Moment)]
            for seed in SEEDS
        ]


@pytest.fixture(params=["advised", "random"])
def lessons(request: pytest.FixtureRequest, game: str) -> list[list[Moment]]:
    """Whole lessons of a game, by somebody who follows the advice or plays at random."""
    return play_lessons(game, request.param == "advised")


def count_words(text: str) -> int:
    """Return the number of words; signs alone are none."""
    return len([word for word in text.split() if any(map(str.isalnum, word))])


@pytest.mark.parametrize("game", TAUGHT)
def test_a_panel_teaches_little_at_a_time(game: str, lessons: list[list[Moment]]) -> None:
    for moment in (moment for moments in lessons for moment in moments):
        text = moment.panel.text
        assert len(SENTENCE_END.findall(moment.idea)) <= MAX_SENTENCES, text
        assert count_words(f"{moment.idea} {moment.good}") <= MAX_COACH_WORDS, text
        assert len(moment.news) <= 1, text
        assert count_words(" ".join(moment.news)) <= MAX_NEWS_WORDS, text


@pytest.mark.parametrize("game", TAUGHT)
def test_each_idea_is_told_once(game: str, lessons: list[list[Moment]]) -> None:
    for moments in lessons:
        told = Counter(moment.idea for moment in moments if moment.idea)
        assert told.most_common(1)[0][1] == 1


@pytest.mark.parametrize("game", TAUGHT)
def test_a_lesson_covers_a_turn_scoring_a_trap_and_the_end(
    game: str, lessons: list[list[Moment]]
) -> None:
    for moments in lessons:
        text = "\n".join(moment.idea for moment in moments)
        assert [topic for topic, begins in TOPICS[game].items() if begins not in text] == []


@pytest.mark.parametrize("game", TAUGHT)
def test_good_choices_are_ringed_and_green_and_come_first(
    game: str, lessons: list[list[Moment]]
) -> None:
    marked = 0
    for moment in (moment for moments in lessons for moment in moments):
        choices = find_choices(moment.match, PLAYER, moment.thought)
        if not moment.good.startswith("**Good**"):
            assert moment.thought.offer or not choices
            continue
        marked += 1
        spots = {choice.option.spot for choice in choices if choice.option.spot}
        if spots:
            assert set(moment.panel.rings) == spots and moment.panel.ringed == "advised"
        keys = {choice.option.key for choice in choices}
        for menu in (row for row in moment.panel.parts if isinstance(row, Menu)):
            assert {line.value for line in menu.choices if line.description} == keys
        if moment.question.at_least == moment.question.at_most == 1:
            buttons = [part for part in controls_in(moment.panel.parts) if isinstance(part, Button)]
            green = {button.id.split(":")[-1] for button in buttons if button.look == GOOD}
            assert keys <= green
            if not all(choice.option.ends or choice.option.forfeits for choice in choices):
                assert buttons[0].look == GOOD, "they come first"
    assert marked > 20


@pytest.mark.parametrize("game", TAUGHT)
def test_a_lesson_ends_with_the_points_and_three_things_to_try(game: str) -> None:
    match = begin(GAMES[game], 2, {}, 3)
    assert GAMES[game].lesson_over(match.base) is False
    while not GAMES[game].lesson_over(match.base):
        match = stand_in(match, match.waiting_for()[0])
    assert match.outcome is None and match.answered[0] > 8
    over = lesson.build_lesson(lesson_room(match), PLAYER, log_of(match))
    said, title, *steps = over.text.splitlines()
    assert said.startswith("**That's the lesson!** ")
    assert len(SENTENCE_END.findall(words_of(game).farewell((), match.view(PLAYER).scores))) <= 2
    assert title == "**Try next**" and len(steps) == 3
    assert all(f"game:{game}" in step for step in steps)
    assert over.with_scores


@pytest.mark.parametrize("game", TAUGHT)
def test_the_coach_has_an_idea_for_every_question_of_a_lesson(game: str) -> None:
    asked = set()
    for seed in range(8):
        match, random = begin(GAMES[game], 2, {}, seed), Random(seed)
        for _ in range(60):
            if match.outcome is not None:
                break
            seat = match.waiting_for()[0]
            while question := match.question(seat):
                asked.add(question.kind)
                many = random.sample(question.options, max(1, question.at_least))
                keys = tuple(option.key for option in many)
                match = match.pick(Answer(seat, question.kind, keys))
            match = match.confirm(seat)
    assert [kind for kind in sorted(asked) if not words_of(game).ideas("asked", kind)] == []


def test_ideas_wait_for_questions_and_events() -> None:
    words = words_of("blue_lagoon")
    match = begin(GAMES["blue_lagoon"], 2, {"first": "1"}, 1)

    def find_idea() -> str:
        return ideas.find_idea(words, match, PLAYER, log_of(match))

    assert find_idea() == words.welcome
    match = match.pick(Answer(PLAYER, "place_piece", ("1",)))
    assert find_idea() == "", "nothing is asked before Confirm"
    match = stand_in(match.confirm(PLAYER), Seat(1))
    assert find_idea() == words.ideas("asked", "place_piece")[2]
    question = match.question(PLAYER)
    assert question is not None
    view = match.view(PLAYER)
    item = next(option for option in question.options if view.note(option.spot))
    match = stand_in(
        match.pick(Answer(PLAYER, "place_piece", (item.key,))).confirm(PLAYER), Seat(1)
    )
    assert find_idea() == words.ideas("after", "Collected")[1]


# How good choices are named.


def maori_turn(*keys: str, behind: float = 0.0, **at_once: float) -> Candidate:
    """Return a Maori turn: move the discoverer, take a tile, place it."""
    kinds = ("move_discoverer", "discover_tile", "place_tile")
    answers = [Answer(PLAYER, kind, (key,)) for kind, key in zip(kinds, keys, strict=True)]
    return replace(candidate(tuple(answers), behind), at_once=tuple(at_once.items()))


def good_choices(*turns: Candidate) -> str:
    """Return how the good choices of a first Maori turn with these candidates are named."""
    match = begin(GAMES["maori"], 2, {"first": "2"}, 1)
    match = match.pick(Answer(Seat(1), "place_discoverer", ("1",))).confirm(Seat(1))
    thought = Thought(answers=turns[0].answers, ranked=turns)
    shown = lesson.build_lesson(lesson_room(match), PLAYER, log_of(match), thought=thought)
    return next(line for line in shown.text.splitlines() if line.startswith("**Good**"))


def test_a_good_choice_is_named_with_what_it_does() -> None:
    good = good_choices(
        maori_turn("2", "b", "r2", islands=3),
        maori_turn("2", "f", "r2"),
        maori_turn("3", "c", "r2", behind=2),
    )
    assert good == "**Good**, in green, ringed on the board: 2 – adds an island worth 2 points"


def test_a_gain_that_no_deed_explains_is_named_by_its_kind_of_points() -> None:
    turns = maori_turn("2", "b", "r2", leis=3), maori_turn("3", "c", "r2", behind=2)
    assert good_choices(*turns).endswith(": 2 – helps complete leis")


def test_what_all_good_choices_gain_is_named_once() -> None:
    turns = (
        maori_turn("2", "f", "r2", leis=3),
        maori_turn("3", "c", "r2", leis=3),
        maori_turn("4", "c", "r2", behind=2),
    )
    assert good_choices(*turns).endswith(": 2 or 3 – helps complete leis")


def test_a_kept_plan_is_the_only_good_choice_unless_another_is_clearly_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = maori_turn("2", "b", "r2"), maori_turn("3", "c", "r2", behind=-0.2)
    assert ": 2 – " in good_choices(*turns) and " · 3 – " in good_choices(*turns)
    cautious = replace(mind_of(GAMES["maori"]), switch_margin=0.7)
    monkeypatch.setattr(advice, "mind_of", lambda game: cautious)
    assert ": 2 – " in good_choices(*turns) and " · " not in good_choices(*turns)


# On Discord.


async def test_a_game_without_a_lesson_cannot_be_learned(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(words_of("maori")), "welcome", "")
    refused = await world.ana.slash("/learn", game="maori")
    assert refused.ephemeral
    assert refused.private.content.startswith("There's no lesson for Maori yet.")
    assert await world.matches.of_user(world.ana.id) == []


async def start_lesson(world: World, game: str) -> Room:
    """Start Ana's first match."""
    await world.ana.slash("/learn", game=game)
    await world.wait_until_idle()
    rooms: list[Room] = await world.matches.of_user(world.ana.id)
    return rooms[0]


@pytest.mark.parametrize("game", TAUGHT)
async def test_the_coach_speaks_from_the_first_question_to_the_end_of_the_lesson(
    world: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAMES[game]), "lesson_over", lambda self, state: None)
    think_little(monkeypatch.setattr)
    monkeypatch.setattr(ideas, "MAX_LESSON_ANSWERS", 4)
    room, good = await start_lesson(world, game), 0
    assert room.record.terms.lesson
    assert [person.level for person in room.record.chairs] == [None, "first_steps"]
    channel = world.place(room)
    told = []
    while not ideas.is_lesson_over((await world.reload(room)).playing(), PLAYER):
        match = (await world.reload(room)).playing()
        question = match.question(PLAYER)
        shown = await world.ana.ask("/play", channel=channel)
        if question is None:
            assert "Confirm" in " ".join(shown.labels)
            await world.ana.slash("/play", channel=channel, move="!")
            continue
        again = await world.ana.ask("/play", channel=channel)
        assert again.content == shown.content, "a panel that is opened again tells the same"
        told += [line for line in shown.content.splitlines() if line.startswith("> ")]
        good += "**Good**" in shown.content
        if "ringed on the board" in shown.content:
            assert any(option.spot for option in question.options), question.kind
            assert "Suggested: " in (shown.attachments[0].description or ""), question.kind
        endings = [option.key for option in question.options if option.ends]
        keys = "+".join([option.key for option in question.options][: question.at_least])
        chosen = endings[0] if endings else question.options[0].key
        move = keys if question.at_least > 1 else chosen
        await world.ana.slash("/play", channel=channel, move=move)
    assert good and f"> {words_of(game).welcome}" in told and len(set(told)) == len(told)
    if (await world.reload(room)).playing().draft(PLAYER).answers:
        await world.ana.slash("/undo", channel=channel, all=True)
    over = await world.ana.ask("/play", channel=channel)
    assert over.content.startswith("**That's the lesson!** ")
    assert over.labels == ["Keep playing", "Stop here"]
    if game != "blue_lagoon":
        # There a phase must have ended for it, which a lesson cut short has not seen.
        assert [file.filename for file in over.attachments] == ["board.png", "scores.png"]
    await world.ana.click(over, label="Keep playing")
    again = await world.ana.ask("/play", channel=channel)
    assert "lesson" not in again.content and "\n>" not in again.content


async def test_a_finished_lesson_can_end_the_match_without_a_result(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAMES["maori"]), "lesson_over", lambda self, state: True)
    room = await start_lesson(world, "maori")
    (lobby,) = [message for message in world.posts() if message.embeds]
    assert "Lesson" in lobby.embeds[0]["fields"][1]["value"]
    assert "Rated" not in lobby.embeds[0]["fields"][1]["value"]
    over = await world.ana.ask("/play", channel=world.place(room))
    ending = await world.ana.press(over, label="Stop here")
    assert ending.content.startswith("You've stopped here")
    assert "`/solo game:maori level:easy`" in ending.content
    await world.wait_until_idle()
    ended = await world.reload(room)
    assert ended.record.status is Status.CALLED_OFF
    late = await world.ana.ask("/play", channel=world.place(room), move="1!", match=room.record.id)
    assert (await world.reload(room)).playing() == ended.playing()
    assert "without a result" in late.content


async def test_a_refusal_comes_before_the_coach_s_advice(world: World) -> None:
    room = await start_lesson(world, "maori")
    refused = (
        await world.ana.ask("/play", channel=world.place(room), move="nonsense")
    ).content.splitlines()
    at = next(number for number, line in enumerate(refused) if "isn't possible now" in line)
    assert at < next(number for number, line in enumerate(refused) if line.startswith("> "))
