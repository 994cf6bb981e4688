"""Type every turn of random matches in all ways, and compare with what the panel commits.

`python -m tests.fuzz.typed --turns 20000` plays all games in turn, with random settings and seats
for each match.
"""

import argparse
import itertools
import secrets
import sys
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from engine import GAMES, Answer, Game, Match, Seat, UnreadableTurn, begin
from engine.core import typed
from engine.core.perspective import Perspective
from engine.core.words import words_of
from engine.players.simple import stand_in
from tests.contract.games import tables
from tests.contract.player import Act, random_act
from tests.engine.seeing import seen_by

NAMES = ("Ana", "Bea van Dyk", "mask", "Computer 1", "O'Hara, Cem")
"""Some of them look like choices of a game."""
MAX_COMPLETED_CHARACTERS = 100
"""Characters of a turn whose completion is checked: what Discord takes."""


class Misread(AssertionError):
    """A text was read as a different turn from the one it stands for."""


def forms_of(before: Match, after: Match, seat: Seat, rng: Random) -> dict[str, str]:
    """Return all ways to type a turn, from its first answer to its confirm."""
    seen = seen_by(before, seat, NAMES[: before.seats])
    answers = drafts_of(after, seat)
    keys = [spelled(answer) for answer, _ in answers]
    labels = list(labelled(seen, answers, brief=False))
    buttons = list(labelled(seen, answers, brief=True))
    short = left_out(answers, keys)
    mixed = [rng.choice(pair) for pair in zip(keys, labels, buttons, strict=True)]
    is_open = len(answers) > 1 and ends_by_confirm(*answers[-1])
    return {
        "in full": ",".join(keys) + "!",
        "with its end left to the confirm": ",".join(keys[:-1] if is_open else keys) + "!",
        "in short": ",".join(keys[number] for number in short) + "!",
        "with blanks": " ".join(keys) + " !",
        "short with blanks": " ".join(keys[number] for number in short) + "!",
        "in capitals": ", ".join(keys).upper() + "!",
        "by labels": ", ".join(labels) + "!",
        "by labels, short": ", ".join(labels[number] for number in short) + "!",
        "by labels, with blanks": " ".join(labels) + "!",
        "by buttons": ", ".join(buttons) + "!",
        "by buttons, short, with blanks": " ".join(buttons[number] for number in short) + "!",
        "mixed": " ".join(part + rng.choice((",", "")) for part in mixed) + "!",
    }


def drafts_of(match: Match, seat: Seat) -> list[tuple[Answer, Any]]:
    """Return the answers of a draft, each with the draft before it (None for the first)."""
    found: list[tuple[Answer, Any]] = []
    draft = match.drafts.get(seat)
    while draft is not None:
        found.insert(0, (draft.answers[-1], draft.before))
        draft = draft.before
    return found


def ends_by_confirm(answer: Answer, earlier: Any) -> bool:
    """Return whether a confirm would have given this answer by itself."""
    ending = earlier.question.ending() if earlier and earlier.question else None
    return ending is not None and answer.keys == (ending.key,)


def spelled(answer: Answer) -> str:
    """Return an answer in keys."""
    return "+".join(answer.keys) or "-"


def labelled(seen: Perspective, answers: list[tuple[Answer, Any]], brief: bool) -> Iterator[str]:
    """Return each answer as the panel labels it; in keys if two options have the same label."""
    for answer, earlier in answers:
        position = earlier.position if earlier else seen.match.position
        question = earlier.question if earlier else position.question(seen.seat)
        view = position.view(seen.seat)
        said = {
            option.key: seen.words.option(question, option, view, seen.names, brief)
            for option in question.options
        }
        plain = [label.casefold() for label in said.values()]
        chosen = [said[key] for key in answer.keys]
        is_clear = chosen and all(plain.count(label.casefold()) == 1 for label in chosen)
        yield " + ".join(chosen) if is_clear else spelled(answer)


def left_out(answers: list[tuple[Answer, Any]], keys: list[str]) -> list[int]:
    """Return the answers that must be typed: a forced one only to tell it from the next choice."""
    kept: list[int] = []
    forced: list[int] = []
    for number, (answer, _) in enumerate(answers):
        if answer.forced:
            forced.append(number)
            continue
        repeated = [place for place, other in enumerate(forced) if keys[other] == keys[number]]
        if repeated:
            kept += forced[: repeated[-1] + 1]
        kept.append(number)
        forced = []
    return kept


def check_turn(before: Match, after: Match, seat: Seat, rng: Random) -> int:
    """Refuse a match in which a typed form of a turn commits something else than the panel."""
    wanted = after.confirm(seat)
    forms = forms_of(before, after, seat, rng)
    seen = seen_by(before, seat, NAMES[: before.seats])
    for how, text in forms.items():
        if len(text) <= typed.MAX_CHARACTERS:
            check_text(seen, text, how, wanted)
    check_completion(seen, forms["in full"])
    check_rest(before, after, seat, rng, wanted)
    return len(forms) + 1


def check_rest(before: Match, after: Match, seat: Seat, rng: Random, wanted: Match) -> None:
    """Refuse a turn that begins in the panel and is not completed by typing the rest."""
    answers = after.draft(seat).answers
    picks = [number for number, answer in enumerate(answers) if not answer.forced]
    begun = rng.choice(picks)
    match = before
    for number in picks[: picks.index(begun)]:
        match = match.pick(Answer(seat, answers[number].kind, answers[number].keys))
    rest = ",".join(spelled(answer) for answer in answers[begun:])
    if len(rest) < typed.MAX_CHARACTERS:
        check_text(seen_by(match, seat, NAMES[: match.seats]), f"{rest}!", "after a draft", wanted)


def check_text(seen: Perspective, text: str, how: str, wanted: Match) -> None:
    """Refuse a text that does not commit exactly this turn."""
    try:
        committed = typed.read_turn(seen, text).steps[-1]
    except UnreadableTurn as refused:
        raise Misread(f"{how}: {text!r} is refused: {refused}") from refused
    if committed != wanted or committed.last != wanted.last:
        raise Misread(f"{how}: {text!r} commits {committed.last}, the panel {wanted.last}")


def check_completion(seen: Perspective, text: str) -> None:
    """Refuse completions that lead to another turn or to none."""
    if len(text) > MAX_COMPLETED_CHARACTERS:
        return
    offered = [value for _, value in typed.suggest_turns(seen, text.removesuffix("!"))]
    if text not in offered:
        raise Misread(f"{text!r} is not among the completions {offered}")
    for value in offered[:4]:
        try:
            typed.read_turn(seen, value)
        except UnreadableTurn as refused:
            raise Misread(f"completion {value!r} is refused: {refused}") from refused


def check_offer(before: Match, answer: Answer) -> int:
    """Refuse an offer that is not taken as it is typed."""
    seen = seen_by(before, answer.seat, NAMES[: before.seats])
    wanted = before.pick(answer)
    offer = next(offer for offer in before.offers(answer.seat) if offer.kind == answer.kind)
    view = before.without_drafts().view(answer.seat)
    said = [seen.words.option(offer, offer.option(key), view, seen.names) for key in answer.keys]
    asked = seen.name_offer(offer)
    for text in (f"{offer.kind}/{spelled(answer)}!", f"{asked}: {' + '.join(said)}!"):
        check_text(seen, text, "offer", wanted)
    return 2


def check_match(match: Match, rng: Random, kinds: set[str] | None = None) -> Iterator[int]:
    """Check each turn of a match; return how many texts were read.

    `kinds` collects the kinds of questions. Some matches are played at random; in others most turns
    are those of the simple player, who gets further.
    """
    sense = rng.choice((0.0, 0.7))
    while match.outcome is None:
        idle = [seat for seat in match.waiting_for() if not match.draft(seat).answers]
        if idle and rng.random() < sense:
            seat = rng.choice(idle)
            before, act, after = match, Act(seat), stand_in(match, seat)
        else:
            act = random_act(match, rng)
            before, after = match, act.on(match)
        match = after
        if after.number == before.number or after.last is None:
            continue
        if kinds is not None:
            kinds |= {answer.kind for answer in after.last.answers}
        if act.answer is not None:
            yield check_offer(before, act.answer)
            continue
        # The turn from its beginning, whatever was drafted of it before.
        others = {seat: draft for seat, draft in before.drafts.items() if seat != act.seat}
        begun = drafted = before._with(drafts=others)
        for answer in after.last.answers:
            if not answer.forced:
                drafted = drafted.pick(Answer(act.seat, answer.kind, answer.keys))
        yield check_turn(begun, drafted, act.seat, rng)


def drawn_match(game: Game[Any], seed: str, rng: Random) -> Match:
    """Return a match with random seats and settings."""
    seats = rng.choice(list(game.seats))
    settings: Mapping[str, str] = rng.choice(tables(game, seats))
    return begin(game, seats, settings, seed)


def main() -> int:
    """Check this many turns; return 1 if a text was misread, and print how to repeat it."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.typed", description=__doc__)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--game", choices=sorted(GAMES), help="one game only; else all in turn")
    parser.add_argument(
        "--seed", default=secrets.token_hex(4), help="the first part of every match's seed"
    )
    options = parser.parse_args()
    games = [options.game] if options.game else list(GAMES)
    turns = dict.fromkeys(games, 0)
    texts = 0
    kinds = {game: set[str]() for game in games}
    for count in itertools.count():
        open_games = [game for game in games if turns[game] < options.turns / len(games)]
        if not open_games:
            break
        game, seed = open_games[count % len(open_games)], f"{options.seed}-{count}"
        rng = Random(seed)
        try:
            for read in check_match(drawn_match(GAMES[game], seed, rng), rng, kinds[game]):
                turns[game], texts = turns[game] + 1, texts + read
        except Misread as misread:
            print(f"{game}, seed {seed}: {misread}")
            return 1
    print(
        f"seed {options.seed}: {sum(turns.values())} turns ({turns}) in {texts} texts, no "
        "difference"
    )
    for game in games:
        print(
            f"{game}: never asked were {sorted({*words_of(game).text['decision']} - kinds[game])}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
