"""Play a user's own computer player against Motu's: `motu play maori --player ...`.

The user's player is a command, see bot/workers/outside.py. Results are printed, and nothing is
stored.
"""

import argparse
import secrets

from msgspec import Struct

from bot.runtime.base import BotError
from bot.text import say
from bot.workers.outside import OutsidePlayer, PlayerFailed
from engine import GAMES, Commit, Match, Outcome, Seat, begin
from engine.core.words import and_list
from engine.players import LEVELS, Level, Thought, deal_for, think
from engine.players.simple import stand_in

MAX_MATCHES = 10_000
MAX_FAILURES_IN_A_ROW = 5
"""After this many turns without a legal answer, the command gets no more of them."""


class Ended(Struct, frozen=True):
    """A match between the command and computers."""

    outcome: Outcome
    failures: int
    """How many of the command's turns Motu made, because the command gave no legal answer."""


async def play_matches(options: argparse.Namespace) -> int:
    """Play matches and print their results; return 1 if the command has failed in one."""
    game = options.game.casefold()
    if game not in GAMES:
        raise BotError("play.no_game", games=and_list(GAMES))
    level = next((level for level in LEVELS if level == (options.level or "steady")), None)
    if level is None:
        raise BotError("play.no_such_level", levels=and_list(LEVELS))
    matches = 1 if options.matches is None else options.matches
    if not 0 < matches <= MAX_MATCHES:
        raise BotError("play.how_many", most=MAX_MATCHES)
    player = OutsidePlayer(options.player, options.seconds)
    await player.start()
    wins = 0.0
    failures = 0
    try:
        for number in range(matches):
            seat = Seat(number % 2)
            ended = await play_match(game, player, seat, level, secrets.token_hex(16))
            failures += ended.failures
            winners = ended.outcome.winners
            wins += (seat in winners) / len(winners)
            own, other = ended.outcome.scores[seat], ended.outcome.scores[1 - seat]
            print(
                say(
                    "play.result",
                    number=number + 1,
                    won=winners == (seat,),
                    lost=seat not in winners,
                    own=f"{own:g}",
                    other=f"{other:g}",
                ),
                flush=True,
            )
    finally:
        await player.close()
    print(say("play.total", wins=f"{wins:g}", matches=matches, level=say(f"level.{level}")))
    if failures:
        print(say("play.failures", turns=failures))
    return 1 if failures else 0


async def play_match(
    game: str, player: OutsidePlayer, seat: Seat, level: Level, seed: str
) -> Ended:
    """Play a match of the command, in this seat, against a computer of a level."""
    match = begin(GAMES[game], 2, {}, seed)
    failures = 0
    in_a_row = 0
    while match.outcome is None:
        mover = match.waiting_for()[0]
        state = deal_for(match.game, match.base, mover)
        if mover != seat:
            thought = think(match.game, state, mover, f"{mover} {match.number}", level)
            match = make_move(match, mover, thought)
            continue
        try:
            match = make_move(match, seat, await player.choose_turn(match.game, state, seat))
            in_a_row = 0
        except PlayerFailed as error:
            failures += 1
            in_a_row += 1
            if in_a_row == MAX_FAILURES_IN_A_ROW:
                raise BotError("play.gave_up", times=in_a_row, why=str(error)) from None
            print(say("play.failed", number=match.number + 1, why=str(error)), flush=True)
            match = stand_in(match, seat)
    return Ended(match.outcome, failures)


def make_move(match: Match, seat: Seat, thought: Thought) -> Match:
    """Return the match after a computer's move."""
    if thought.offer is not None:
        return match.pick(thought.offer)
    return match.replay(Commit(seat, thought.answers))
