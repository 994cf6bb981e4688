"""The contract that every game must keep with the engine: a function for each rule.

Each takes a match at any point and asserts that the rule holds. No game appears here: a rule that
one game can't keep is no rule of the contract.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, islice
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from engine import (
    Answer,
    Decision,
    EngineError,
    Event,
    Match,
    MatchOver,
    Seat,
    Table,
    load,
    save,
    snapshot,
    visible,
)
from tests.contract.games import ALL, words_for
from tests.contract.strict import StrictWords

KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,23}")
GROUP = re.compile(r"[a-z0-9][a-z0-9-]{0,23}")
KIND = re.compile(r"[a-z][a-z_]{0,31}")
NO_KEYS = ("", "-", "zz99", "no-such-key", "Ω" * 300, "{key}")
"""Texts that are no key of any question and no code of any board."""
MENU = 25
"""The most choices in a Discord menu."""


def viewers(match: Match) -> list[Seat | None]:
    """Return every seat, and None for a spectator."""
    return [None, *(Seat(seat) for seat in range(match.seats))]


def names(match: Match) -> tuple[str, ...]:
    """Return players' names for texts."""
    return ("Ana", "Bea", "Cem", "Dov", "Eva", "Fay")[: match.seats]


def check_somebody_is_asked(match: Match) -> None:
    """Check that a running match asks somebody, and a finished one nobody."""
    if match.outcome is None:
        assert match.waiting_for(), "the match asks nobody and is not over"
        for seat in match.waiting_for():
            assert match.drafts.get(seat) or match.question(seat)
    else:
        assert match.waiting_for() == ()
        assert not any(match.decisions(Seat(seat)) for seat in range(match.seats))


def check_questions(match: Match, before: Match | None = None) -> None:
    """Check the kinds, keys, groups and numbers of all questions and offers.

    Nobody may get another seat's question. With `before`, the match at the last check, seats for
    which nothing has changed since are skipped.
    """
    assert not any(offer.blocking for offer in match.position.offers), "a question is no offer"
    for seat in map(Seat, range(match.seats)):
        if before and (before.position, before.draft(seat)) == (match.position, match.draft(seat)):
            continue
        decisions = match.decisions(seat)
        questions = match.draft(seat).position.questions
        assert all(question.blocking for question in questions), "an offer is no question"
        kinds = {decision.kind for decision in decisions}
        assert len(kinds) == len(decisions), "two questions of one kind"
        assert [question.seat for question in questions].count(seat) <= 1, "two questions at a time"
        for decision in decisions:
            assert decision.seat == seat
            _check_question(decision)
            # The first question of a turn may have a single answer; later ones are forced then.
            is_later = match.draft(seat).answers and decision.blocking
            if is_later and decision.kind not in match.game.windows:
                assert decision.only_answer() is None, f"{decision.kind} has one answer"


def _check_question(decision: Decision) -> None:
    keys = [option.key for option in decision.options]
    assert KIND.fullmatch(decision.kind), decision.kind
    assert keys and len(set(keys)) == len(keys), "keys must be unique"
    assert all(
        KEY.fullmatch(key) and key not in {"resigns", "handed", "takes", "rewinds"} for key in keys
    ), keys
    assert 0 <= decision.at_least <= decision.at_most <= len(keys)
    assert decision.at_most >= 1
    if decision.at_most > 1:
        assert len(keys) <= MENU, "many picks need one menu"
    groups = Counter(option.group for option in decision.options)
    assert all(GROUP.fullmatch(group) for group in groups if group), groups
    if len(keys) > MENU:
        assert "" not in groups, "a long list needs groups"
        assert len(groups) <= MENU
        assert max(groups.values()) <= MENU


def check_all_is_worded(match: Match, events: tuple[Event, ...] = ()) -> None:
    """Check that no raw key reaches a person."""
    words = StrictWords(words_for(match.game).text)
    people = names(match)
    for seat in map(Seat, range(match.seats)):
        view = match.view(seat)
        for decision in match.decisions(seat):
            assert words.question(decision, people)
            assert words.short(decision, people)
            for option in decision.options:
                assert words.option(decision, option, view, people)
                assert not option.group or words.group(option.group)
        words.confirm(match.follows(seat))
        words.status(view, people)
        words.stage(view.stage())
    for viewer in viewers(match):
        for event in visible(events, viewer):
            words.event_lines(event, people)


def check_values(match: Match, events: tuple[Event, ...] = ()) -> None:
    """Check that states, views, decisions and events are hashable and survive JSON."""
    game = match.game
    _survives(match.base, game.state_type)
    for viewer in viewers(match):
        view = match.view(viewer)
        assert view.game == game.id
        assert view.viewer == viewer
        assert len(view.scores) == match.seats
        _survives(view, type(view))
    assert match.view(None).to_move == match.waiting_for()
    for seat in range(match.seats):
        for decision in match.decisions(Seat(seat)):
            _survives(decision, Decision)
    for event in events:
        _survives(event, game.event_type)


def _survives(value: Any, kind: Any) -> None:
    again = msgspec.json.decode(msgspec.json.encode(value), type=kind)
    assert again == value
    assert hash(again) == hash(value)


def check_saves(match: Match) -> None:
    """Check that a save restores everything, and a snapshot all but the history."""
    whole = load(save(match), ALL)
    assert whole == match
    assert (whole.commits, whole.events) == (match.commits, match.events)
    bare = load(snapshot(match), ALL)
    assert bare == match
    assert not bare.commits
    for seat in map(Seat, range(match.seats)):
        assert whole.draft(seat) == bare.draft(seat) == match.draft(seat)
        assert bare.decisions(seat) == match.decisions(seat)
        assert bare.turn(seat) == match.turn(seat)


def check_advance_is_idempotent(match: Match) -> None:
    """Check that advancing a match that waits for a decision, or has ended, changes nothing."""
    table = Table("any other")
    assert match.game.advance(match.base, table) == match.base
    assert (table.draws, table.events) == (0, [])


def answers_of(decision: Decision, rng: Random, most: int) -> list[Answer]:
    """Return every legal answer, or a sample that includes the shortest and longest."""
    keys = [option.key for option in decision.options]
    sizes = range(decision.at_least, decision.at_most + 1)
    subsets = list(islice((subset for size in sizes for subset in combinations(keys, size)), 2000))
    chosen = (
        subsets if len(subsets) <= most else [subsets[0], subsets[-1], *rng.sample(subsets, most)]
    )
    return [Answer(decision.seat, decision.kind, subset) for subset in chosen]


def check_offered_is_accepted(match: Match, rng: Random, most: int = 1000) -> None:
    """Check that every offered answer can be picked."""
    for seat in map(Seat, range(match.seats)):
        for decision in match.decisions(seat):
            for answer in answers_of(decision, rng, most):
                try:
                    match.pick(answer)
                except EngineError as error:
                    raise AssertionError(f"{answer} was offered, but: {error}") from error


def check_picks(match: Match, rng: Random, most: int = 8) -> None:
    """Check that a pick is deterministic, private and undone by undo, and an offer committed."""
    for seat in map(Seat, range(match.seats)):
        for decision in match.decisions(seat):
            for answer in answers_of(decision, rng, most):
                after = match.pick(answer)
                again = match.pick(answer)
                assert (after, after.tip(seat)) == (again, again.tip(seat))
                if decision.blocking:
                    _stays_private(match, after, seat)
                    _is_undone(match, after, seat)
                else:
                    assert after.number == match.number + 1
                    assert after.commits[-1].answers == (answer,)


def _stays_private(match: Match, after: Match, seat: Seat) -> None:
    assert after.base == match.base
    assert after.number == match.number
    assert after.commits == match.commits
    assert after.waiting_for() == match.waiting_for()
    assert after.turn(seat) > match.turn(seat)
    for viewer in viewers(match):
        if viewer != seat:
            assert after.view(viewer) == match.view(viewer)
        if viewer is not None and viewer != seat:
            assert after.decisions(viewer) == match.decisions(viewer)
            assert after.draft(viewer).answers == match.draft(viewer).answers


def _is_undone(match: Match, after: Match, seat: Seat) -> None:
    back = after.undo(seat)
    assert back == match
    assert back.draft(seat) == match.draft(seat)
    assert back.decisions(seat) == match.decisions(seat)
    assert after.undo(seat, all=True).draft(seat).answers == ()


def check_anything_else_is_refused(match: Match, rng: Random) -> None:
    """Check that an answer that is not offered raises an EngineError and changes nothing."""
    before = save(match)
    for act in _nonsense(match, rng):
        try:
            act()
        except EngineError:
            assert save(match) == before
        else:
            raise AssertionError("something was accepted that nobody offered")


def check_refusals(match: Match, known: Iterable[str]) -> None:
    """Check that every key that is not offered is refused in words, and that no other is.

    The keys tried are `known`, those of other questions, all spots of the board, and nonsense.
    """
    words = StrictWords(words_for(match.game).text)
    people = names(match)
    for seat in map(Seat, range(match.seats)):
        for decision in match.decisions(seat):
            view = match.view(seat) if decision.blocking else match.without_drafts().view(seat)
            offered = {option.key for option in decision.options}
            for key in {*known, *match.game.places(view), *NO_KEYS} | offered:
                own = match.game.refusal(state_at_decision(match, decision), decision, key)
                line = match.refusal(seat, decision, key)
                if key in offered:
                    assert own is None and line is None, f"{key} is offered, but: {own}"
                else:
                    assert line is not None
                    assert own is None or own == line
                    assert words.why(line, people, view).endswith(".")


def state_at_decision(match: Match, decision: Decision) -> Any:
    """Return the state in which a decision is made: after the draft; for an offer, the base."""
    return match.tip(decision.seat) if decision.blocking else match.base


def count_own_refusals(match: Match, offered_before: Mapping[str, set[str]]) -> tuple[int, int]:
    """Return how many earlier options the game refuses with its own reason, and how many there are.

    `offered_before` has the keys that each kind of question has offered earlier in the match.
    """
    own = gone = 0
    for seat in map(Seat, range(match.seats)):
        for decision in match.decisions(seat):
            state = state_at_decision(match, decision)
            for key in offered_before.get(decision.kind, set()) - {
                option.key for option in decision.options
            }:
                own += match.game.refusal(state, decision, key) is not None
                gone += 1
    return own, gone


def _nonsense(match: Match, rng: Random) -> Iterator[Callable[[], Match]]:
    for seat in map(Seat, range(-1, match.seats + 1)):
        decisions = match.decisions(seat)
        yield lambda seat=seat: match.pick(Answer(seat, "no_such_question", ("x",)))
        for decision in decisions:
            for keys in _illegal_keys(decision):
                yield lambda seat=seat, kind=decision.kind, keys=keys: match.pick(
                    Answer(seat, kind, keys)
                )
            other = Seat((seat + 1) % match.seats)
            if decision.kind not in {asked.kind for asked in match.decisions(other)}:
                key = rng.choice(decision.options).key
                yield lambda other=other, kind=decision.kind, key=key: match.pick(
                    Answer(other, kind, (key,))
                )
        if not match.draft(seat).answers:
            yield lambda seat=seat: match.undo(seat)
            # A turn without a pick can be confirmed only if there is nothing to choose.
            if not match.has_one_answer(seat):
                yield lambda seat=seat: match.confirm(seat)


def _illegal_keys(decision: Decision) -> Iterator[tuple[str, ...]]:
    keys = tuple(option.key for option in decision.options)
    yield ("no-such-key",)
    yield (keys[0].upper() + " ",)
    yield ("",)
    yield (keys[0], keys[0])
    if decision.at_least:
        yield keys[: decision.at_least - 1]
    if decision.at_most < len(keys):
        yield keys[: decision.at_most + 1]


def check_other_seeds(before: Match, seat: Seat, rng: Random) -> bool | None:
    """Confirm under other seeds, and check the results.

    Return whether any result differs; None if nothing was drawn.
    """
    after = before.confirm(seat)
    others = [replace(before, seed=f"other {rng.random()}").confirm(seat) for _ in range(3)]
    for other in others:
        check_somebody_is_asked(other)
        check_questions(other)
        check_values(other)
    return (
        None if after.draws == before.draws else any(other.base != after.base for other in others)
    )


def check_simultaneous_answers_commute(match: Match, rng: Random) -> None:
    """Check that the order of simultaneous confirms does not matter."""
    waiting = match.waiting_for()
    if len(waiting) < 2 or match.drafts:
        return
    first, second = rng.sample(waiting, 2)
    drafted = complete(complete(match, first, rng), second, rng)
    one, other = drafted.confirm(first), drafted.confirm(second)
    assert not one.cut and not other.cut, "a sealed answer cut another seat's draft"
    assert one.draft(second).answers == drafted.draft(second).answers
    one, other = one.confirm(second), other.confirm(first)
    assert one.base == other.base
    assert one.draws == other.draws
    assert Counter(_since(match, one)) == Counter(_since(match, other))
    separate = complete(complete(match, first, rng).confirm(first), second, rng)
    assert separate.draft(second).answers, "the second seat is asked no more"


def _since(match: Match, after: Match) -> tuple[Event, ...]:
    return after.events[len(match.events) :]


def complete(match: Match, seat: Seat, rng: Random) -> Match:
    """Draft a random whole turn of a seat."""
    for _ in range(500):
        decision = match.question(seat)
        if decision is None:
            return match
        ending = decision.ending() if match.draft(seat).answers else None
        chosen = (
            Answer(seat, decision.kind, (ending.key,))
            if ending
            else answers_of(decision, rng, 3)[-1]
        )
        match = match.pick(chosen)
    raise AssertionError("the turn never ends")


def check_secrets(match: Match, rng: Random) -> None:
    """Check that nothing a viewer sees changes if what they cannot know is dealt again.

    Both the committed position and the one after the viewer's draft are checked.
    """
    for viewer in viewers(match):
        table = Table(f"redeal {rng.random()}")
        hidden = match.game.redeal(match.base, viewer, table)
        other = redeal_match(match, viewer, hidden)
        assert other.view(viewer) == match.view(viewer)
        assert other.waiting_for() == match.waiting_for()
        assert (other.outcome is None) == (match.outcome is None)
        assert words_shown(other, viewer) == words_shown(match, viewer)
        if viewer is not None:
            assert other.decisions(viewer) == match.decisions(viewer)
            assert other.draft(viewer).answers == match.draft(viewer).answers
            assert visible(other.draft(viewer).events, viewer) == visible(
                match.draft(viewer).events, viewer
            )
            assert other.follows(viewer) == match.follows(viewer)
            check_same_refusals(match, other, viewer)
            tip = match.game.redeal(match.tip(viewer), viewer, table)
            assert match.game.view(tip, viewer) == match.game.view(match.tip(viewer), viewer)
            for asks in (match.game.questions, match.game.offers):
                assert _own(asks(tip), viewer) == _own(asks(match.tip(viewer)), viewer)


def check_same_refusals(match: Match, other: Match, seat: Seat) -> None:
    """Check that a seat gets the same refusals in both matches.

    Tried are all spots of the board and the options of all its questions.
    """
    decisions = match.decisions(seat)
    keys = {option.key for decision in decisions for option in decision.options}
    for decision in decisions:
        for key in keys | {*match.game.places(match.view(seat))}:
            assert other.refusal(seat, decision, key) == match.refusal(seat, decision, key)


def check_redeals_are_canonical(match: Match, rng: Random) -> None:
    """Check that positions which look alike to a viewer are redealt alike."""
    redeal = match.game.redeal
    for viewer in viewers(match):
        other = redeal(match.base, viewer, Table(f"other {rng.random()}"))
        seed = f"canonical {rng.random()}"
        assert redeal(other, viewer, Table(seed)) == redeal(match.base, viewer, Table(seed))


def redeal_match(match: Match, viewer: Seat | None, base: Any) -> Match:
    """Return the match on a redealt base, with the viewer's draft rebuilt."""
    fresh = replace(match, base=base, drafts={})
    return fresh if viewer is None else fresh.replay_draft(viewer, match.draft(viewer).answers)


def _own(decisions: tuple[Decision, ...], seat: Seat) -> tuple[Decision, ...]:
    return tuple(decision for decision in decisions if decision.seat == seat)


def words_shown(match: Match, viewer: Seat | None) -> list[str]:
    """Return everything that the viewer reads in this position."""
    words = words_for(match.game)
    people = names(match)
    view = match.view(viewer)
    shown = words.status(view, people)
    if viewer is None:
        return shown
    for decision in match.decisions(viewer):
        shown.append(words.question(decision, people))
        shown += [words.option(decision, option, view, people) for option in decision.options]
    shown.append(words.confirm(match.follows(viewer)))
    for event in visible(match.draft(viewer).events, viewer):
        shown += words.event_lines(event, people)
    return shown


def check_nothing_after_the_end(match: Match) -> None:
    """Check that nothing can be done in a match that has ended."""
    assert match.outcome is not None
    acts = (
        match.undo,
        match.confirm,
        match.resign,
        lambda seat: match.pick(Answer(seat, "any", ())),
    )
    for seat in map(Seat, range(match.seats)):
        for act in acts:
            try:
                act(seat)
            except MatchOver:
                continue
            except EngineError:
                raise AssertionError("refused, but not because the match is over") from None
            raise AssertionError("a finished match went on")
