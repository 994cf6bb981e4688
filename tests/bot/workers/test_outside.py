"""A computer player of one's own: its protocol, its failures, and what it is not told."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

import bot.run.play
from bot.program import run
from bot.runtime.base import BotError
from bot.workers.outside import OutsidePlayer, OutsideThinkers, PlayerFailed, clean_environment
from bot.workers.pool import Urgency
from engine import GAMES, Seat, Table, begin
from engine.players import Thought
from engine.players.simple import stand_in
from tests.bench.players import play_match, rows_of
from tests.patience import PATIENCE
from tests.postgres_server import is_alive

EXAMPLE = f"{sys.executable} {Path(__file__).parents[2] / 'example_player.py'}"
SECONDS = 60.0
"""Longer than any machine needs."""

MakePlayer = Callable[..., OutsidePlayer]


@pytest.fixture
async def make_player(tmp_path: Path) -> AsyncIterator[MakePlayer]:
    """Make a player of lines of Python."""
    made = []

    def make(code: str, seconds: float = SECONDS) -> OutsidePlayer:
        script = tmp_path / f"player_{len(made)}.py"
        script.write_text(f"import json, os, sys\n{code}\n")
        made.append(OutsidePlayer(f"{sys.executable} -S {script}", seconds))
        return made[-1]

    yield make
    for player in made:
        await player.close()


def first_question(game: str = "blue_lagoon") -> tuple[Any, Any, Seat]:
    match = begin(GAMES[game], 2, {}, "outside")
    return match.game, match.base, match.waiting_for()[0]


ANSWER_FIRST = """
for line in sys.stdin:
    asked = json.loads(line)
    keys = [asked["decision"]["options"][0]["key"]]
    print(json.dumps({"number": asked["number"], "keys": keys}), flush=True)
"""


async def test_it_is_asked_for_each_answer_of_a_turn(make_player: MakePlayer) -> None:
    game, state, seat = first_question("maori")
    player = make_player(ANSWER_FIRST)
    thought = await player.choose_turn(game, state, seat)
    match = bot.run.play.make_move(begin(game, 2, {}, "outside"), seat, thought)
    assert match.number == 1
    following = match.waiting_for()[0]
    again = await player.choose_turn(game, match.base, following)
    assert len(again.answers) > 1
    assert bot.run.play.make_move(match, following, again).number == 2


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("sys.stdin.readline()", "ended without an answer"),
        ("raise SystemExit(3)", "ended without an answer"),
        ("print('hello', flush=True)\nsys.stdin.read()", "isn't the expected JSON"),
        ("print('{\"number\": 1}', flush=True)\nsys.stdin.read()", "field `keys`"),
        ('print(\'{"number": 1, "keys": ["zz"]}\', flush=True)\nsys.stdin.read()', "isn't allowed"),
        ('print(\'{"number": 1, "keys": []}\', flush=True)\nsys.stdin.read()', "isn't allowed"),
        ('print(\'{"number": 7, "keys": []}\', flush=True)\nsys.stdin.read()', "question 7"),
        (
            'print(\'{"number": 1, "keys": [], "offer": "win"}\', flush=True)\nsys.stdin.read()',
            "took an offer",
        ),
        ("while True: print('x' * 1000, end='', flush=True)", "more than 65536 bytes"),
        ("while True: print('x' * 1000, flush=True)", "isn't the expected JSON"),
    ],
)
async def test_a_failure_is_told_plainly(make_player: MakePlayer, code: str, why: str) -> None:
    player = make_player(code)
    with pytest.raises(PlayerFailed) as failed:
        await player.choose_turn(*first_question())
    assert why in str(failed.value)
    assert player._process is None, "the command has been stopped"


async def test_silence_is_a_failure_after_the_time_limit(make_player: MakePlayer) -> None:
    player = make_player("sys.stdin.read()", seconds=0.05)
    with pytest.raises(PlayerFailed, match="gave no answer within"):
        await player.choose_turn(*first_question())


async def test_after_a_failure_it_is_started_again(make_player: MakePlayer, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    fails_once = f"""
if not os.path.exists({str(mark)!r}):
    open({str(mark)!r}, "w").close()
    sys.exit()
{ANSWER_FIRST}"""
    player = make_player(fails_once)
    with pytest.raises(PlayerFailed):
        await player.choose_turn(*first_question())
    assert (await player.choose_turn(*first_question())).answers


async def test_it_gets_no_secrets(
    make_player: MakePlayer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither of Motu's environment nor of the match: deals that look alike are one question."""
    monkeypatch.setenv("DISCORD_TOKEN", "token-in-the-environment")
    monkeypatch.setenv("MOTU_DATABASE", "postgresql://me:password@host/motu")
    report = tmp_path / "report"
    player = make_player(f"""
for line in sys.stdin:
    with open({str(report)!r}, "a") as file:
        file.write(line + json.dumps(dict(os.environ)))
    sys.exit()
""")
    match = begin(GAMES["conquest"], 2, {}, "secret seed")
    seat, other = match.waiting_for()[0], match.base
    while other == match.base:
        match = stand_in(match, match.waiting_for()[0])
        seat = match.waiting_for()[0]
        other = match.game.redeal(match.base, seat, Table("other"))
    with pytest.raises(PlayerFailed):
        await player.choose_turn(match.game, match.base, seat)
    told = report.read_text()
    assert "token-in" not in told and "password" not in told and "secret seed" not in told
    report.unlink()
    with pytest.raises(PlayerFailed):
        await player.choose_turn(match.game, other, seat)
    assert report.read_text().replace('"number":2', '"number":1') == told


def test_the_environment_is_what_programs_need() -> None:
    given = {"PATH": "/bin", "HOME": "/home/ana", "DISCORD_TOKEN": "x", "PGPASSWORD": "y"}
    assert clean_environment(given) == {"PATH": "/bin", "HOME": "/home/ana"}


async def test_what_it_has_started_is_stopped_with_it(
    make_player: MakePlayer, tmp_path: Path
) -> None:
    report = tmp_path / "child"
    player = make_player(f"""
import subprocess
child = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
with open({str(report)!r}, "w") as file:
    file.write(str(child.pid))
{ANSWER_FIRST}""")
    await player.choose_turn(*first_question())
    await player.close()
    async with asyncio.timeout(PATIENCE):
        # The signal has been sent, but a busy machine may not have delivered it yet.
        while is_alive(int(report.read_text())):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_computers_of_a_table_are_played_by_it_and_hints_are_not(
    make_player: MakePlayer,
) -> None:
    asked = []

    async def think_inside(*arguments: Any) -> Thought:
        asked.append(arguments)
        return Thought()

    thinkers: Any = think_inside
    thinker = OutsideThinkers(make_player(ANSWER_FIRST), thinkers)
    game, state, seat = first_question()
    assert (await thinker(game, state, seat, "seed", "easy", Urgency.TURN)).answers
    assert not asked
    assert await thinker(game, state, seat, "seed", "strong", Urgency.PERSON) == Thought()
    assert len(asked) == 1


@pytest.mark.parametrize("command", ["", "  ", "'open"])
def test_a_command_that_is_none_is_refused(command: str) -> None:
    with pytest.raises(BotError):
        OutsidePlayer(command)


def test_motu_play_plays_matches_and_prints_their_results(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["play", "maori", "--player", EXAMPLE, "--level", "easy", "--matches", "2"]) == 0
    first, second, total = capsys.readouterr().out.splitlines()
    assert first.startswith("Match 1: ") and second.startswith("Match 2: ")
    assert total.startswith("Won ") and total.endswith(" of 2 against easy.")


def test_a_match_goes_on_after_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plain player moves instead, and the exit code tells."""
    choose_turn = OutsidePlayer.choose_turn

    async def choose(self: OutsidePlayer, game: Any, state: Any, seat: Seat) -> Thought:
        if not failed:
            failed.append(True)
            raise PlayerFailed("It has no idea.")
        return await choose_turn(self, game, state, seat)

    failed: list[bool] = []
    monkeypatch.setattr(OutsidePlayer, "choose_turn", choose)
    assert run(["play", "maori", "--player", EXAMPLE, "--level", "easy"]) == 1
    told = capsys.readouterr().out
    assert "It has no idea. The plain player moves instead" in told
    assert "Match 1: " in told and "stood in for 1 turn" in told


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess", "--player", EXAMPLE], "The games are blue_lagoon"),
        (["maori", "--player", EXAMPLE, "--level", "hard"], "first_steps, easy, steady and strong"),
        (["maori", "--player", EXAMPLE, "--matches", "0"], "must be from 1"),
        (["maori", "--player", EXAMPLE, "--seconds", "0"], "at least 1"),
        (["maori", "--player", "/no/such/program"], "can't be started"),
        (["maori", "--player", f"{sys.executable} -c pass"], "5 times in a row"),
    ],
)
def test_what_cannot_be_played_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    assert run(["play", *arguments]) == 1
    assert why in capsys.readouterr().err


def test_the_bench_plays_it_against_every_level() -> None:
    rows = rows_of(EXAMPLE)
    assert len(rows) == len(GAMES) * 4
    outcome, times = play_match("maori", [rows[0].one, "plain"], "outside", turns=6)
    assert len(outcome.scores) == 2 and not times
