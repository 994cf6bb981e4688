"""What every feature must have, and that the bot copes without those that are left out.

That the README names every command is checked in test_readme.py, that every button is pressed by a
test in ui/test_acknowledgement.py, and that every table says which columns are personal in
store/test_personal.py.
"""

import ast
import logging
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bot.feature_list import FEATURES
from bot.features.films import Films
from bot.features.plans import Plans
from bot.features.ratings.service import Standing
from bot.features.votes import queries as vote_queries
from bot.features.votes.queries import VOTE_ENDS
from bot.features.votes.service import Votes
from bot.kernel import queries
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room
from bot.local.model import Message
from bot.model import Status
from bot.runtime.base import Refused
from bot.store.sqlite import SqliteStore
from bot.text import say
from bot.ui.commands import GROUP
from bot.ui.components import Item
from bot.ui.feature import Feature
from bot.ui.long_jobs import LongJobs
from bot.workers.jobs import FilmFile, WorkerJob
from tests.bot.backend import ANA, Backend
from tests.bot.features.privacy.test_service import ZOE, live_everywhere, traces
from tests.bot.features.test_plans import save_plan
from tests.bot.manual_clock import DAY
from tests.bot.ui.test_acknowledgement import OPTIONS, all_commands
from tests.bot.world import World, open_world

ROOT = Path(__file__).parents[2]
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))

FOUNDATION = frozenset(
    {"posts", "server_settings", "vacation", "reminders", "history", "play", "lobby"}
)
"""Features that others cannot do without."""
OPTIONAL = [feature.name for feature in FEATURES if feature.name not in FOUNDATION]


def commands_of(feature: Feature) -> list[tuple[str, Any]]:
    """Return the commands of a feature, without the slash."""
    made = [command.make() for command in feature.commands]
    return [(f"{command.extras[GROUP]} {command.name}".strip(), command) for command in made]


def without(*names: str) -> tuple[Feature, ...]:
    """Return all features but these."""
    assert {feature.name for feature in FEATURES} >= set(names)
    return tuple(feature for feature in FEATURES if feature.name not in names)


COMMANDS = [(name, command) for feature in FEATURES for name, command in commands_of(feature)]
ITEMS = [item for feature in FEATURES for item in feature.items]


# What a feature must have.


def test_features_have_names_of_their_own() -> None:
    names = [feature.name for feature in FEATURES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_a_command_has_help_and_a_test(name: str, command: Any) -> None:
    described = {
        "": command.description,
        **{one.display_name: str(one.description) for one in command.parameters},
    }
    # discord.py puts an ellipsis where nothing was written.
    assert [key for key, text in described.items() if text.strip() in ("", "…")] == []
    assert re.search(rf'"/?{name}"', TESTS), "a test uses it"


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.__name__)
def test_a_component_has_a_callback_and_a_pattern_of_its_own(item: type[Item]) -> None:
    assert item.on_press is not Item.on_press
    pattern = item.__discord_ui_compiled_template__
    assert [other for other in ITEMS if other.__discord_ui_compiled_template__ == pattern] == [item]


def kinds_of_jobs(path: Path) -> set[str]:
    """Return the kinds of jobs that a module schedules."""
    calls = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]
    jobs = [
        call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Job"
    ]
    names = {kind.id for kind in jobs if isinstance(kind, ast.Name) and kind.id.isupper()}
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return {getattr(import_module(module), name) for name in names}


async def test_every_job_that_is_scheduled_has_a_handler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = {kind for path in (ROOT / "bot").rglob("*.py") for kind in kinds_of_jobs(path)}
    assert len(kinds) > 10
    async with open_world(tmp_path, monkeypatch) as world:
        assert kinds - set(world.bot.kernel.scheduler._handlers) == set()


# Without a feature.


async def film_nothing(self: LongJobs, job: WorkerJob, progress: Any = None) -> FilmFile:
    """Skip the long work of a film."""
    return FilmFile(b"", 1)


@pytest.mark.parametrize("name", OPTIONAL)
async def test_without_a_feature_everything_else_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    monkeypatch.setattr(LongJobs, "result", film_nothing)
    (left_out,) = [feature for feature in FEATURES if feature.name == name]
    async with open_world(tmp_path, monkeypatch, films=True, features=without(name)) as world:
        commands = {command.qualified_name: command for command in all_commands(world)}
        assert commands.keys() == {name for name, _ in COMMANDS} - {
            name for name, _ in commands_of(left_out)
        }
        world.discord.allow(world.channel, "manage_guild", to=world.ana)
        room = await world.start_match()
        await world.play(world.ana, room, "17!")
        await world.play(world.bea, room, "1!")
        await world.wait_until_idle()
        await press_all(world, world.boards(room)[-1])
        for command in commands.values():
            options = {
                one.display_name: OPTIONS[one.display_name]
                for one in command.parameters
                if one.required
            }
            if any(one.display_name == "match" for one in command.parameters):
                options["match"] = room.record.id
            answer = await world.ana.slash(
                f"/{command.qualified_name}", channel=world.place(room), options=options
            )
            assert answer.messages or answer.interaction.form, command.qualified_name
        room = await world.play_out(await world.matches.find(room.record.id))
        await world.wait_until_idle()
        assert room.record.status is Status.FINISHED
        assert world.boards(room)[-1].content.startswith(f"{world.ana.mention} {world.bea.mention}")
    assert [
        record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR
    ] == []


async def press_all(world: World, message: Message) -> None:
    """Have Ana press every button under a message."""
    for label in message.labels:
        answer = await world.ana.click(message, label=label)
        assert answer.messages, label


async def test_without_votes_commands_that_need_one_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path, monkeypatch, features=without("votes")) as world:
        room = await world.start_match()
        place = world.place(room)
        await world.play(world.ana, room, "17!")
        for command, options, said in (
            ("/game pace", {"pace": "quick"}, say("unavailable.votes")),
            ("/game replace", {"player": "Ana"}, say("unavailable.seats")),
            ("/rewind", {"to": "1"}, say("unavailable.votes")),
        ):
            answer = await world.ana.slash(command, channel=place, options=options)
            assert answer.content == said, command


async def test_the_buttons_of_a_feature_that_is_left_out_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path, monkeypatch) as world:
        room = await world.start_match()
        await world.ana.slash("/game pause", channel=world.place(room))
        (vote,) = [
            one
            for one in world.discord.messages(world.place(room))
            if "wants to pause" in one.content
        ]
        await world.stop()
        world.features = without("votes")
        await world.start()
        answer = await world.bea.click(vote, "Yes")
        assert answer.messages[-1].ephemeral
        assert answer.messages[-1].content == say("refusal.not_ours")
        assert (await world.matches.find(room.record.id)).record.status is Status.RUNNING


async def open_without(tmp_path: Path, *names: str) -> Backend:
    """Open a backend without some features."""
    backend = Backend(tmp_path / "motu.sqlite3", features=without(*names))
    await backend.open()
    return backend


async def reopen_without(backend: Backend, *names: str) -> None:
    """Reopen a backend without some features."""
    backend.options["features"] = without(*names)
    await backend.restart()


async def test_the_jobs_of_a_feature_that_is_left_out_are_dropped(
    backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    room = await backend.start_match("blue_lagoon")
    await backend.matches.votes.propose(room.record.id, ANA, "pause")
    await reopen_without(backend, "votes")
    await backend.advance(30 * DAY)
    assert not await backend.matches.store.read(queries.find_job, VOTE_ENDS, room.record.id)
    assert [
        record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR
    ] == []


async def test_without_votes_nobody_is_asked_about_a_silent_match(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    backend = await open_without(tmp_path, "votes")
    room = await backend.start_match("blue_lagoon")
    await backend.advance(90 * DAY)
    assert (await backend.matches.find(room.record.id)).record.status is Status.RUNNING
    assert await backend.matches.store.read(vote_queries.votes, room.record.id) == []
    assert [
        record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR
    ] == []
    await backend.matches.close()


async def test_without_plans_a_saved_plan_stays_and_its_owner_is_awaited(backend: Backend) -> None:
    room: Room = await backend.start_match("blue_lagoon")
    plan = await save_plan(backend, room, 1, "14")
    await reopen_without(backend, "plans")
    with pytest.raises(Refused, match="Plans are switched off"):
        backend.matches.kernel.services.require(Plans)
    room = (await backend.take_turn(await backend.matches.find(room.record.id), 0)).room
    assert room.playing().number == 1
    assert room.playing().waiting_for() == (1,)
    assert [kept.id for kept in room.record.plans] == [plan.id]


async def test_without_ratings_a_match_ends_and_nobody_is_rated(tmp_path: Path) -> None:
    backend = await open_without(tmp_path, "ratings")
    room = await backend.play_out(await backend.start_match())
    assert room.record.status is Status.FINISHED
    assert backend.matches.kernel.services.get(Standing) is None
    assert (await backend.matches.privacy.export(ANA.id))["ratings"] == []
    await backend.matches.close()


async def test_without_films_the_end_is_posted_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path, monkeypatch, films=True, features=without("films")) as world:
        room = await world.play_out(await world.start_match())
        await world.wait_until_idle()
        assert room.record.status is Status.FINISHED and world.bot.services.get(Films) is None
        names = [file.filename for file in world.boards(room)[-1].attachments]
        assert names == ["board.png", "scores.png"]


@pytest.mark.parametrize(
    "names",
    [("votes",), ("ratings",), set(OPTIONAL) - {"privacy"}],
    ids=["votes", "ratings", "all"],
)
async def test_deleting_a_person_reaches_the_rows_of_features_that_are_left_out(
    backend: Backend, names: tuple[str, ...]
) -> None:
    await live_everywhere(backend)
    assert traces(backend.path)
    await reopen_without(backend, *names)
    await backend.matches.privacy.delete(ZOE.id)
    assert traces(backend.path) == []


async def test_the_kernel_alone_opens_and_closes(tmp_path: Path) -> None:
    kernel = Kernel(await SqliteStore.open(tmp_path / "motu.sqlite3"))
    await kernel.recover()
    assert kernel.services.get(Votes) is None
    await kernel.close()
