"""Lookalikes: matches that differ only in what a viewer cannot know.

A lookalike of a match has everything hidden from a viewer dealt again. `follow_move` plays each
public move of the match in the lookalike too, and `check_alike` makes sure that the viewer cannot
tell the two apart until the rules reveal a difference. Dealing single positions again would not
find a secret that shows only in the result of a move: which way a piece is sent, what happens to
the pieces that stay behind, or who is asked next.

A game's own knowledge is in the tables by game. Don't use the game's `view` to decide what is
secret: that is what is tested.
"""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from bot.kernel import post_rules
from engine import (
    Answer,
    Commit,
    Decision,
    Event,
    IllegalAnswer,
    Match,
    NotFinished,
    Seat,
    Table,
    visible,
)
from engine.conquest.battle_rolls import PAUSING_MODES
from engine.conquest.sea_events import Sailed, Transited
from tests.contract import checks
from tests.contract.checks import answers_of, words_shown
from tests.contract.games import new_match
from tests.contract.player import can_stop, random_act, random_answer
from tests.engine.conquest.revealing_moves import revealing_moves
from tests.engine.conquest.wars import war

TRIES = 60
"""Answers that are tried before a lookalike counts as unable to make a move."""
REVEALING_KEYS = {"conquest": re.compile(r".*-on|fleet\d+|open.*|\d\w")}
"""By game: a pattern of the keys whose choice may reveal something."""
REVEALING_SHARE = 0.7
ORDERS_WITHOUT_QUESTIONS = {
    "losses": ("thrift", "bands", "canoes"),
    "orders": ("all", "shown", "none"),
    "course": ("far", "near", "lot"),
    "first": (),
    "sure": ("each", "launch", "never"),
    "finds": ("hide", "show"),
    "victory": ("askme", "declare"),
}
"""Conquest's standing orders, by field, that answer without asking the player."""


class Leak(AssertionError):
    """Something that is shown depends on a fact that its viewer cannot know."""


def _visible_move(event: Event) -> Any:
    """Return what a mover decides to show: start, goal, steps, number of pieces, open canoe."""
    if isinstance(event, Sailed | Transited):
        return (
            type(event),
            event.way[0],
            event.way[-1],
            len(event.way),
            event.count,
            event.left_open,
        )
    return event


DECISIONS: dict[str, Callable[[Event], Any]] = {"conquest": _visible_move}
"""By game: the part of a visible event that its mover has decided.

Everything else in the event must follow from public facts.
"""


REVEALING_MOVES: dict[str, Callable[[int], list[tuple[Match, Match]]]] = {
    "conquest": revealing_moves
}
"""By game: single moves by the first seat that are likely to leak something, before and after."""


def start_match(game_id: str, seats: int, seed: int) -> Match:
    """Return a match at its start; for Conquest, one in the middle of a war."""
    return (
        war(seats, seed)
        if game_id == "conquest"
        else new_match(game_id, seats, seed=f"twins {seed}")
    )


def _conquest_orders(base: Any, dealt: Any, viewer: Seat | None, rng: Random) -> Any:
    """Give others standing orders in a deal that make the match wait where their real ones do.

    Those show as soon as they act, because somebody is asked or not. The other orders are random.
    """
    for seat, nation in enumerate(base.nations):
        if seat == viewer:
            continue
        orders = {}
        for field, silent in ORDERS_WITHOUT_QUESTIONS.items():
            order = getattr(nation, field)
            orders[field] = rng.choice(silent) if order in silent else order
        dealt = dealt.with_nation(seat, **orders)
    if base.battle is not None:
        modes = [
            mode if mode in PAUSING_MODES else dealt_mode
            for mode, dealt_mode in zip(base.battle.modes, dealt.battle.modes, strict=True)
        ]
        battle = replace(dealt.battle, modes=tuple(modes), replies=base.battle.replies)
        dealt = dealt.with_changes(battle=battle)
    return dealt


ORDERS: dict[str, Callable[[Any, Any, Seat | None, Random], Any]] = {"conquest": _conquest_orders}
"""By game: changes to a lookalike after which the same seats are asked."""


def lookalike_of(match: Match, viewer: Seat | None, rng: Random) -> Match | None:
    """Return the match with everything unknown to a viewer redealt; None if nothing is hidden."""
    base = match.game.redeal(match.base, viewer, Table(f"twin {rng.random()}"))
    if match.game.id in ORDERS:
        base = ORDERS[match.game.id](match.base, base, viewer, rng)
    return replace(match, base=base, drafts={}) if base != match.base else None


def commits(match: Match, rng: Random) -> Iterator[tuple[Match, Match]]:
    """Yield the matches before and after each commit, played by players who show a lot."""
    before = match.without_drafts()
    while match.outcome is None:
        match = revealing_act(match, rng)
        if match.number > before.number:
            match = match.without_drafts()
            yield before, match
            before = match


def revealing_act(match: Match, rng: Random) -> Match:
    """Take one action of a player who likes to show a lot."""
    revealing = REVEALING_KEYS.get(match.game.id)
    seat = rng.choice(match.waiting_for())
    question = match.question(seat)
    if question is not None and revealing is not None and rng.random() < REVEALING_SHARE:
        options = [option.key for option in question.options if revealing.fullmatch(option.key)]
        if options and question.at_least <= 1 <= question.at_most:
            return match.pick(Answer(seat, question.kind, (rng.choice(options),)))
    if question is not None and not question.ending():
        return match.pick(random_answer(question, rng))
    if question is None and can_stop(match, seat):
        return match.confirm(seat)
    return random_act(match, rng).on(match)


def follow_move(before: Match, after: Match, lookalike: Match, viewer: Seat | None) -> Match | None:
    """Return the lookalike after the same public move; None if it is not possible there."""
    commit = after.last
    assert commit is not None
    if commit.resigned:
        return lookalike.resign(commit.seat)
    offered = any(offer.kind == commit.answers[0].kind for offer in before.offers(commit.seat))
    if commit.seat == viewer or offered:
        # The viewer is asked the same in both, so the same answers are legal. Offers to others may
        # concern something hidden, and so differ.
        try:
            return lookalike.replay(replace(commit, events=()))
        except (IllegalAnswer, NotFinished) as error:
            if commit.seat == viewer:
                raise Leak(f"{viewer} can do something else: {error}") from error
            return None
    return _Follower(before, after, commit, viewer).search(lookalike)


class _Follower:
    """A search for answers of another seat that look the same to the viewer."""

    def __init__(self, before: Match, after: Match, commit: Commit, viewer: Seat | None) -> None:
        self.seat, self.commit, self.viewer = commit.seat, commit, viewer
        self.decided = DECISIONS.get(before.game.id, lambda event: event)
        drafted = before.replay_draft(commit.seat, commit.answers)
        self.shown_events = visible(drafted.draft(commit.seat).events, viewer)
        self.public = [answer for answer, asked in self._asked(before) if not asked.secret]
        self.tries = 0

    def _asked(self, match: Match) -> Iterator[tuple[Answer, Decision]]:
        """Yield the answers of the commit, each with its question."""
        for answer in self.commit.answers:
            question = match.question(self.seat)
            assert question is not None
            yield answer, question
            match = match._add_to_draft(answer)

    def search(self, lookalike: Match) -> Match | None:
        """Return the lookalike after a move that looks the same; None if there is none."""
        found = next(self._completions(lookalike, self.public), None)
        if found is None:
            return None
        events = visible(found.draft(self.seat).events, self.viewer)
        if events != self.shown_events:
            raise Leak(f"the same move shows {events} instead of {self.shown_events}")
        return found.confirm(self.seat)

    def _completions(self, match: Match, public: list[Answer]) -> Iterator[Match]:
        """Yield whole drafts with the same open answers that look the same so far as shown."""
        self.tries += 1
        question = match.question(self.seat)
        shown = visible(match.draft(self.seat).events, self.viewer)
        if self.tries > TRIES or not self._agrees(shown, whole=question is None):
            return
        if question is None:
            if not public:
                yield match
            return
        if not question.secret:
            if public and public[0].kind == question.kind and _is_legal(question, public[0].keys):
                yield from self._completions(match._add_to_draft(public[0]), public[1:])
            return
        # First the answer with the same number, then ending: one can add to a list for ever.
        number = len(match.draft(self.seat).answers)
        likely = [
            answer
            for answer in self.commit.answers[number : number + 1]
            if answer.kind == question.kind
        ]
        ending = question.ending()
        if ending is not None:
            likely.append(Answer(self.seat, question.kind, (ending.key,)))
        likely += [answer for answer in self.commit.answers if answer.kind == question.kind]
        for answer in dict.fromkeys([*likely, *answers_of(question, Random(0), 30)]):
            if _is_legal(question, answer.keys):
                yield from self._completions(match._add_to_draft(answer), public)

    def _agrees(self, shown: tuple[Event, ...], whole: bool) -> bool:
        """Return whether the events shown so far are the same decisions in the same order."""
        if whole and len(shown) != len(self.shown_events):
            return False
        pairs = zip(shown, self.shown_events, strict=False)
        return all(self.decided(one) == self.decided(other) for one, other in pairs)


def _is_legal(question: Decision, keys: tuple[str, ...]) -> bool:
    try:
        question.check(keys)
    except IllegalAnswer:
        return False
    return True


def check_alike(
    before: Match, after: Match, lookalike_before: Match, lookalike: Match, viewer: Seat | None
) -> bool:
    """Return whether the rules revealed the same in both; raise Leak if anything else differs."""
    assert after.last is not None and lookalike.last is not None
    if visible(after.last.events, viewer) != visible(lookalike.last.events, viewer):
        return False
    shown = [
        ("what is seen", after.view(viewer), lookalike.view(viewer)),
        ("who is waited for", after.waiting_for(), lookalike.waiting_for()),
        ("the end", after.outcome is None, lookalike.outcome is None),
        ("the words", words_shown(after, viewer), words_shown(lookalike, viewer)),
        (
            "when it is posted",
            post_rules.needs_post(before, after, None),
            post_rules.needs_post(lookalike_before, lookalike, None),
        ),
        ("how a seat is called", _shorts(after), _shorts(lookalike)),
    ]
    if viewer is not None:
        shown.append(("what is asked", after.decisions(viewer), lookalike.decisions(viewer)))
    # What a computer player is handed: nothing of the true position may be left in it.
    deals = [match.game.redeal(match.base, viewer, Table("alike")) for match in (after, lookalike)]
    shown.append(("a deal", *deals))
    for what, one, other in shown:
        if one != other:
            raise Leak(f"{what} differs for {viewer}: {one} and {other}")
    return True


def _shorts(match: Match) -> list[str]:
    """Return what a post says about the seats to move."""
    words, people = checks.words_for(match.game), checks.names(match)
    return [words.short(question, people) for question in match.asked()]
