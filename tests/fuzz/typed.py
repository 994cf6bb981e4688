"""Type every turn of random matches in all possible ways, and compare with what the panel commits.

`python -m tests.fuzz.typed --turns 20000` plays all games in turn, with random settings and seats
for each match. `forms_of` lists the ways: add one there whenever players type something new.
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
from tests.engine.perspectives import perspective_of

NAMES = ("Ana", "Bea van Dyk", "mask", "Computer 1", "O'Hara, Cem")
"""Players' names, some of which look like choices of a game."""
MAX_COMPLETED_CHARACTERS = 100
"""The longest text whose completion is checked: Discord allows no longer choices."""
COMPLETIONS_READ = 4
"""How many completions of a turn are read back."""


class Misread(AssertionError):
    """A text was read as a different turn from the one it stands for."""


def forms_of(before: Match, after: Match, seat: Seat, rng: Random) -> dict[str, str]:
    """Return all ways to type a turn, from its first answer to its confirm, by description."""
    perspective = perspective_of(before, seat, NAMES[: before.seats])
    answers = drafts_of(after, seat)
    keys = [keys_text(answer) for answer, _ in answers]
    labels = list(label_answers(perspective, answers, brief=False))
    buttons = list(label_answers(perspective, answers, brief=True))
    short = needed_answers(answers, keys)
    mixed = [rng.choice(forms) for forms in zip(keys, labels, buttons, strict=True)]
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
    answers: list[tuple[Answer, Any]] = []
    draft = match.drafts.get(seat)
    while draft is not None:
        answers.insert(0, (draft.answers[-1], draft.before))
        draft = draft.before
    return answers


def ends_by_confirm(answer: Answer, earlier: Any) -> bool:
    """Return whether a confirm would have given this answer by itself."""
    ending = earlier.question.ending() if earlier and earlier.question else None
    return ending is not None and answer.keys == (ending.key,)


def keys_text(answer: Answer) -> str:
    """Return an answer as its keys are typed."""
    return "+".join(answer.keys) or "-"


def label_answers(
    perspective: Perspective, answers: list[tuple[Answer, Any]], brief: bool
) -> Iterator[str]:
    """Yield each answer as the panel labels it; its keys if two options have the same label."""
    seat, words, names = perspective.seat, perspective.words, perspective.names
    for answer, earlier in answers:
        position = earlier.position if earlier else perspective.match.position
        question = earlier.question if earlier else position.question(seat)
        view = position.view(seat)
        labels = {
            option.key: words.option(question, option, view, names, brief)
            for option in question.options
        }
        lower_case = [label.casefold() for label in labels.values()]
        chosen = [labels[key] for key in answer.keys]
        is_clear = chosen and all(lower_case.count(label.casefold()) == 1 for label in chosen)
        yield " + ".join(chosen) if is_clear else keys_text(answer)


def needed_answers(answers: list[tuple[Answer, Any]], keys: list[str]) -> list[int]:
    """Return the indices of the answers that must be typed.

    A forced answer has to be typed only if the next choice has the same keys.
    """
    needed: list[int] = []
    forced: list[int] = []
    for index, (answer, _) in enumerate(answers):
        if answer.forced:
            forced.append(index)
            continue
        repeated = [at for at, other in enumerate(forced) if keys[other] == keys[index]]
        if repeated:
            needed += forced[: repeated[-1] + 1]
        needed.append(index)
        forced = []
    return needed


def check_turn(before: Match, after: Match, seat: Seat, rng: Random) -> int:
    """Check that every typed form of a turn commits what the panel does.

    Return how many texts were checked.
    """
    expected = after.confirm(seat)
    forms = forms_of(before, after, seat, rng)
    perspective = perspective_of(before, seat, NAMES[: before.seats])
    for form, text in forms.items():
        if len(text) <= typed.MAX_CHARACTERS:
            check_text(perspective, text, form, expected)
    check_completion(perspective, forms["in full"])
    check_rest(before, after, seat, rng, expected)
    return len(forms) + 1


def check_rest(before: Match, after: Match, seat: Seat, rng: Random, expected: Match) -> None:
    """Check that a turn begun in the panel can be completed by typing the rest."""
    answers = after.draft(seat).answers
    picks = [number for number, answer in enumerate(answers) if not answer.forced]
    begun = rng.choice(picks)
    match = before
    for number in picks[: picks.index(begun)]:
        match = match.pick(Answer(seat, answers[number].kind, answers[number].keys))
    rest = ",".join(keys_text(answer) for answer in answers[begun:])
    if len(rest) < typed.MAX_CHARACTERS:
        perspective = perspective_of(match, seat, NAMES[: match.seats])
        check_text(perspective, f"{rest}!", "after a draft", expected)


def check_text(perspective: Perspective, text: str, form: str, expected: Match) -> None:
    """Check that a text leads to the expected match; raise Misread if not.

    `form` says in the message how the text was written.
    """
    try:
        committed = typed.read_turn(perspective, text).steps[-1]
    except UnreadableTurn as error:
        raise Misread(f"{form}: {text!r} is refused: {error}") from error
    if committed != expected or committed.last != expected.last:
        raise Misread(f"{form}: {text!r} commits {committed.last}, the panel {expected.last}")


def check_completion(perspective: Perspective, text: str) -> None:
    """Check that a turn is among its own completions, and that the first ones can be read."""
    if len(text) > MAX_COMPLETED_CHARACTERS:
        return
    completions = [value for _, value in typed.suggest_turns(perspective, text.removesuffix("!"))]
    if text not in completions:
        raise Misread(f"{text!r} is not among the completions {completions}")
    for value in completions[:COMPLETIONS_READ]:
        try:
            typed.read_turn(perspective, value)
        except UnreadableTurn as error:
            raise Misread(f"completion {value!r} is refused: {error}") from error


def check_offer(before: Match, answer: Answer) -> int:
    """Check that an offer, typed by its keys or in words, is read back as the same answer.

    Return how many texts were checked.
    """
    perspective = perspective_of(before, answer.seat, NAMES[: before.seats])
    expected = before.pick(answer)
    offer = next(offer for offer in before.offers(answer.seat) if offer.kind == answer.kind)
    # Offers are made in the committed position, so their labels are those without a draft.
    there = perspective.at(before.without_drafts())
    labels = " + ".join(there.label(offer, offer.option(key)) for key in answer.keys)
    texts = (
        f"{offer.kind}/{keys_text(answer)}!",
        f"{perspective.name_offer(offer)}: {labels}!",
    )
    for text in texts:
        check_text(perspective, text, "offer", expected)
    return len(texts)


def check_match(match: Match, rng: Random, kinds: set[str] | None = None) -> Iterator[int]:
    """Check each turn of a match, and yield for each how many texts were checked.

    `kinds` collects the kinds of questions. Some matches are played at random; in others most turns
    are those of the simple player, who gets further.
    """
    share_of_simple_turns = rng.choice((0.0, 0.7))
    while match.outcome is None:
        idle = [seat for seat in match.waiting_for() if not match.draft(seat).answers]
        if idle and rng.random() < share_of_simple_turns:
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
        # Type the turn from its beginning, however much of it was drafted before.
        others = {seat: draft for seat, draft in before.drafts.items() if seat != act.seat}
        begun = drafted = before._with(drafts=others)
        for answer in after.last.answers:
            if not answer.forced:
                drafted = drafted.pick(Answer(act.seat, answer.kind, answer.keys))
        yield check_turn(begun, drafted, act.seat, rng)


def random_match(game: Game[Any], seed: str, rng: Random) -> Match:
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
            for checked in check_match(random_match(GAMES[game], seed, rng), rng, kinds[game]):
                turns[game] += 1
                texts += checked
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
