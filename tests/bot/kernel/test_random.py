"""Random play through the services, with restarts, agrees with the engine."""

from pathlib import Path
from random import Random

import pytest

from bot.kernel.room import Press, Room, Update
from bot.model import Status
from engine import Answer, EngineError, Match, Seat
from engine.core.transcript import replay
from tests.bot.backend import ALL_GAMES, Backend, match_of, random_answer, restart_match


class Player:
    """Makes random presses in the services and in the engine alone."""

    def __init__(self, backend: Backend, room: Room, random: Random) -> None:
        self.backend, self.room, self.random = backend, room, random
        self.match: Match = restart_match(match_of(room))

    def press(self, seat: Seat) -> Press:
        """Return a press that carries the current turn, or a typed one."""
        turn = self.random.choice([self.match.turn(seat), None])
        return self.backend.press(self.room, seat, turn)

    async def step(self) -> None:
        """Make one press; sometimes repeat it, send it late, or restart before it."""
        seat = Seat(self.random.randrange(self.match.seats))
        deed = self.random.choices(("pick", "undo", "confirm", "restart", "late"), (8, 2, 6, 1, 1))[
            0
        ]
        if deed == "restart":
            await self.backend.restart()
        elif deed == "late":
            late = self.backend.press(self.room, seat, self.match.turn(seat) + 1)
            assert (await self.backend.matches.confirm(late)).stale
        else:
            await getattr(self, deed)(seat)
        self.room = await self.backend.matches.find(self.room.record.id)
        assert match_of(self.room) == self.match

    async def pick(self, seat: Seat) -> None:
        """Pick a legal answer."""
        answer = random_answer(self.match, seat, self.random)
        if answer is not None:
            expected = self.match.pick(answer)
            await self._same(self.press(seat), expected, "pick", answer.kind, answer.keys)

    async def undo(self, seat: Seat) -> None:
        """Undo, if there is anything to undo."""
        if self.match.draft(seat).answers:
            everything = self.random.random() < 0.3
            await self._same(
                self.press(seat), self.match.undo(seat, everything), "undo", everything
            )

    async def confirm(self, seat: Seat) -> None:
        """Confirm; both sides refuse an incomplete draft."""
        press = self.press(seat)
        try:
            expected = self.match.confirm(seat)
        except EngineError as refusal:
            if press.turn is None:
                with pytest.raises(type(refusal)):
                    await self.backend.matches.confirm(press)
            return
        await self._same(press, expected, "confirm")

    async def _same(self, press: Press, expected: Match, deed: str, *given: object) -> None:
        update: Update = await getattr(self.backend.matches, deed)(press, *given)
        assert (update.committed, update.stale) == (expected.number > self.match.number, False)
        if self.random.random() < 0.2:
            if self.random.random() < 0.5:
                await self.backend.restart()
            assert await getattr(self.backend.matches, deed)(press, *given) == update
        self.match = expected


@pytest.mark.parametrize(
    ("game", "people"), [("toy", 2), ("toy", 3), ("toy", 4), ("blue_lagoon", 2)]
)
async def test_random_presses_with_restarts_agree_with_the_engine(
    tmp_path: Path, game: str, people: int
) -> None:
    backend, random = Backend(tmp_path / "motu.sqlite3", cached_matches=1), Random(people)
    await backend.open()
    player = Player(backend, await backend.start_match(game, people), random)
    for _ in range(250):
        if player.match.outcome is not None:
            break
        await player.step()
    room = await backend.play_out(player.room)
    entries = await backend.matches.log(room.record.id, None)
    assert room.record.status is Status.FINISHED
    assert len(entries) == match_of(room).number + 1
    played = replay(await backend.matches.transcript(room.record.id), ALL_GAMES)
    assert played.base == match_of(room).base and played.outcome == match_of(room).outcome
    await backend.matches.close()


async def test_a_draft_cut_by_an_offer_is_cut_in_the_database(tmp_path: Path) -> None:
    """A storm closes the spot that the diver has drafted: they are told so, also after a
    restart.
    """
    backend = Backend(tmp_path / "motu.sqlite3")
    await backend.open()
    for number in range(60):
        room = await backend.start_match("toy", people=2)
        cut = await _play_until_cut(backend, room, Random(number))
        if cut is not None:
            break
    else:
        raise AssertionError("no draft was ever cut")
    await backend.restart()
    found = match_of(await backend.matches.find(cut.record.id))
    assert found == match_of(cut) and found.cut == match_of(cut).cut
    await backend.matches.close()


async def _play_until_cut(backend: Backend, room: Room, random: Random) -> Room | None:
    """Play randomly until an offer cuts a draft."""
    while match_of(room).outcome is None:
        match = match_of(room)
        for seat, draft in match.drafts.items():
            other = Seat(1 - seat)
            for offer in (decision for decision in match.decisions(other) if not decision.blocking):
                for option in offer.options:
                    if len(
                        match.pick(Answer(other, offer.kind, (option.key,))).draft(seat).answers
                    ) < len(draft.answers):
                        press = backend.press(room, other)
                        return (await backend.matches.pick(press, offer.kind, (option.key,))).room
        seat = match.waiting_for()[0]
        if match.is_complete(seat):
            room = (await backend.matches.confirm(backend.press(room, seat))).room
        else:
            question = next(decision for decision in match.decisions(seat) if decision.blocking)
            keys = tuple(
                random.sample(
                    [option.key for option in question.options], max(1, question.at_least)
                )
            )
            room = (await backend.matches.pick(backend.press(room, seat), question.kind, keys)).room
    return None
