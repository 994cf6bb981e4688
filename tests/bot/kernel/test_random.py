"""Random play through the services, with restarts, agrees with the engine."""

from pathlib import Path
from random import Random

import pytest

from bot.kernel.room import Press, Room, Update
from bot.model import Status
from engine import Answer, EngineError, Match, Seat
from engine.core.transcript import replay
from tests.bot.seating import ALL_GAMES, House, playing, random_answer, restart_match


class Player:
    """Makes random presses in the services and in the engine alone."""

    def __init__(self, house: House, room: Room, random: Random) -> None:
        self.house, self.room, self.random = house, room, random
        self.match: Match = restart_match(playing(room))

    def press(self, seat: Seat) -> Press:
        """Return a press that carries the current turn, or a typed one."""
        turn = self.random.choice([self.match.turn(seat), None])
        return self.house.press(self.room, seat, turn)

    async def step(self) -> None:
        """Make one press; sometimes repeat it, send it late, or restart before it."""
        seat = Seat(self.random.randrange(self.match.seats))
        deed = self.random.choices(("pick", "undo", "confirm", "restart", "late"), (8, 2, 6, 1, 1))[
            0
        ]
        if deed == "restart":
            await self.house.restart()
        elif deed == "late":
            late = self.house.press(self.room, seat, self.match.turn(seat) + 1)
            assert (await self.house.matches.confirm(late)).stale
        else:
            await getattr(self, deed)(seat)
        self.room = await self.house.matches.find(self.room.record.id)
        assert playing(self.room) == self.match

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
                    await self.house.matches.confirm(press)
            return
        await self._same(press, expected, "confirm")

    async def _same(self, press: Press, expected: Match, deed: str, *given: object) -> None:
        update: Update = await getattr(self.house.matches, deed)(press, *given)
        assert (update.committed, update.stale) == (expected.number > self.match.number, False)
        if self.random.random() < 0.2:
            if self.random.random() < 0.5:
                await self.house.restart()
            assert await getattr(self.house.matches, deed)(press, *given) == update
        self.match = expected


@pytest.mark.parametrize(
    ("game", "people"), [("toy", 2), ("toy", 3), ("toy", 4), ("blue_lagoon", 2)]
)
async def test_random_presses_with_restarts_agree_with_the_engine(
    tmp_path: Path, game: str, people: int
) -> None:
    house, random = House(tmp_path / "motu.sqlite3", cached_matches=1), Random(people)
    await house.open()
    player = Player(house, await house.start_match(game, people), random)
    for _ in range(250):
        if player.match.outcome is not None:
            break
        await player.step()
    room = await house.play_out(player.room)
    entries = await house.matches.log(room.record.id, None)
    assert room.record.status is Status.FINISHED
    assert len(entries) == playing(room).number + 1
    played = replay(await house.matches.transcript(room.record.id), ALL_GAMES)
    assert played.base == playing(room).base and played.outcome == playing(room).outcome
    await house.matches.close()


async def test_a_draft_cut_by_an_offer_is_cut_in_the_database(tmp_path: Path) -> None:
    """A storm closes the spot that the diver has drafted: they are told so, also after a
    restart.
    """
    house = House(tmp_path / "motu.sqlite3")
    await house.open()
    for number in range(60):
        room = await house.start_match("toy", people=2)
        cut = await _play_until_cut(house, room, Random(number))
        if cut is not None:
            break
    else:
        raise AssertionError("no draft was ever cut")
    await house.restart()
    found = playing(await house.matches.find(cut.record.id))
    assert found == playing(cut) and found.cut == playing(cut).cut
    await house.matches.close()


async def _play_until_cut(house: House, room: Room, random: Random) -> Room | None:
    """Play randomly until an offer cuts a draft."""
    while playing(room).outcome is None:
        match = playing(room)
        for seat, draft in match.drafts.items():
            other = Seat(1 - seat)
            for offer in (decision for decision in match.decisions(other) if not decision.blocking):
                for option in offer.options:
                    if len(
                        match.pick(Answer(other, offer.kind, (option.key,))).draft(seat).answers
                    ) < len(draft.answers):
                        press = house.press(room, other)
                        return (await house.matches.pick(press, offer.kind, (option.key,))).room
        seat = match.waiting_for()[0]
        if match.is_complete(seat):
            room = (await house.matches.confirm(house.press(room, seat))).room
        else:
            question = next(decision for decision in match.decisions(seat) if decision.blocking)
            keys = tuple(
                random.sample(
                    [option.key for option in question.options], max(1, question.at_least)
                )
            )
            room = (await house.matches.pick(house.press(room, seat), question.kind, keys)).room
    return None
