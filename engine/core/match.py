"""A play of a game: seed and commits, with the present position beside them."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Seat
from engine.core.errors import BadSettings, IllegalAnswer, MatchOver, NotFinished, NothingToUndo
from engine.core.event import Event
from engine.core.game import RESIGNED, Game, Outcome, View, as_text, full_settings
from engine.core.once import Once
from engine.core.record import EMPTY, Chapter, Commit, Draft
from engine.core.table import Table

MAX_FORCED = 200
"""More only-possible answers in a row than any sane game has."""
MAX_DRAFT = 1000
"""More answers in a turn than any sane game has; drafts are chained, and a chain must not outgrow Python's stack."""


class Match(Struct, frozen=True, eq=False, dict=True):
    """A match as it stands. Every method returns a new one; the old stays valid."""

    game: Game[Any]
    seats: int
    settings: tuple[tuple[str, str], ...]
    seed: str
    draws: int
    base: Any
    number: int = 0
    """How many commits were made since the beginning."""
    answered: tuple[int, ...] = ()
    """How many answers each seat has committed."""
    drafts: Mapping[Seat, Draft] = {}
    resigned: frozenset[Seat] = frozenset()
    computers: frozenset[Seat] = frozenset()
    """Seats that no person ever took."""
    prologue: tuple[Event, ...] = ()
    """What the set-up told."""
    log: Chapter | None = None
    """Commits since the beginning, or since the snapshot this match was loaded from."""
    cut: frozenset[Seat] = frozenset()
    """Seats whose draft the last commit shortened."""

    def __repr__(self) -> str:
        # The seed and the drafts are secrets, and a repr may end in a log.
        return f"<Match of {self.game.id}, {self.seats} seats, {self.number} commits>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._identity() == other._identity()

    def __ne__(self, other: object) -> bool:
        # Python would ask msgspec's own, which compares by identity.
        return not self == other

    def __hash__(self) -> int:
        return hash((self.game.id, self.seed, self.number, self.base))

    def _identity(self) -> tuple[Any, ...]:
        drafts = {seat: draft.answers for seat, draft in self.drafts.items()}
        table = (self.game.id, self.seats, self.settings, self.seed, self.resigned, self.computers)
        return (*table, self.draws, self.number, self.answered, self.base, drafts)

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The log in order."""
        return tuple(reversed(list(self._backwards())))

    @property
    def commits(self) -> tuple[Commit, ...]:
        """The commits in order."""
        return tuple(chapter.commit for chapter in self.chapters)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that was told, in order, the set-up first."""
        return self.prologue + tuple(event for chapter in self.chapters for event in chapter.events)

    @property
    def outcome(self) -> Outcome | None:
        """The end, once it has come."""
        ended = self.game.outcome(self.base)
        return ended or (self._resignation() if self.resigned else None)

    def waiting_for(self) -> tuple[Seat, ...]:
        """Seats that owe a decision."""
        asked = self._open
        if len(asked) == 1 and asked[0].blocking:
            return (asked[0].seat,)
        return self._waiting

    def tip(self, seat: Seat) -> Any:
        """The position as this seat's draft would leave it."""
        draft = self.drafts.get(seat)
        return draft.tip if draft else self.base

    def turn(self, seat: Seat) -> int:
        """How many answers the seat has given: what other seats do leaves it as it is."""
        self._must_sit(seat)
        return self.answered[seat] + len(self.draft(seat).answers)

    def draft(self, seat: Seat) -> Draft:
        """What the seat has drafted so far."""
        return self.drafts.get(seat, EMPTY)

    def decisions(self, seat: Seat) -> tuple[Decision, ...]:
        """What the seat is asked: blocking questions after its own draft, offers from the base."""
        asked, draft = self._open, self.drafts.get(seat)
        question = draft.question if draft else _question(asked, seat)
        if len(asked) == 1 and asked[0].blocking:
            return (question,) if question else ()
        offers = self._offers.get(seat, ())
        return (question, *offers) if question else offers

    def view(self, viewer: Seat | None) -> View:
        """What a seat sees, its own draft included; what everyone sees for None."""
        self._must_sit(viewer)
        view = self.game.view(self.base if viewer is None else self.tip(viewer), viewer)
        # A game does not know that everybody has left.
        return replace(view, to_move=()) if self.resigned and self.outcome else view

    def follows(self, seat: Seat) -> str:
        """The step that comes after a confirm of this seat's draft, '' if it merely passes on."""
        return self.game.follows(self.tip(seat))

    def is_complete(self, seat: Seat) -> bool:
        """Whether the seat's draft can be confirmed as it is."""
        return seat in self.drafts and self.drafts[seat].question is None

    def pick(self, answer: Answer) -> "Match":
        """The match with one more answer in the seat's draft; an offer is committed at once."""
        own = answer
        if answer.forced or type(answer.keys) is not tuple:
            own = Answer(answer.seat, answer.kind, tuple(answer.keys))
        if not self._checked(own).blocking:
            return self._take_offer(own)
        after = self._drafted(own)
        return after._with_forced(own.seat) if after.drafts[own.seat].question else after

    def undo(self, seat: Seat, all: bool = False) -> "Match":
        """The match without the seat's last pick, or without its whole draft."""
        self._must_be_open()
        draft = self.drafts.get(seat)
        if not draft:
            raise NothingToUndo("There is nothing to undo: nothing has been chosen since the last confirm.")
        return self._with_draft(seat, Draft() if all else draft.shrunk())

    def confirm(self, seat: Seat) -> "Match":
        """The seat's draft committed; where an optional sequence is still open it is ended first."""
        draft = self.drafts.get(seat)
        if draft is None:
            self._must_be_open()
            raise NotFinished("Nothing has been chosen yet.")
        if draft.question is not None:
            return self._with_ending(seat, draft.question).confirm(seat)
        return self._committed(Commit(seat, draft.answers), draft.tip, draft.events)

    def replay(self, commit: Commit) -> "Match":
        """The match after a recorded commit."""
        self._must_be_open()
        if commit.resigned:
            return self.resign(commit.seat)
        if any(answer.seat != commit.seat for answer in commit.answers):
            raise IllegalAnswer("The recorded turn has an answer of another seat.")
        match = self._with_draft(commit.seat, Draft())
        for answer in commit.answers:
            if not match._checked(answer).blocking:
                return self._replayed_offer(commit)
            match = match._drafted(answer)
        if match._asked(commit.seat):
            raise NotFinished("The recorded turn is not complete.")
        return match.confirm(commit.seat)

    def resign(self, seat: Seat) -> "Match":
        """The seat given up: a computer player sits in, or the match ends if too few are left."""
        self._must_be_open()
        if seat not in self.humans():
            raise IllegalAnswer("No person holds that seat.")
        chapter = Chapter(self.log, Commit(seat, (), resigned=True), ())
        left = replace(self, resigned=self.resigned | {seat}, number=self.number + 1, log=chapter, cut=frozenset())
        return replace(left, drafts={}) if left.outcome else left._with_draft(seat, Draft())

    def humans(self) -> tuple[Seat, ...]:
        """Seats that a person still holds."""
        away = self.resigned | self.computers
        return tuple(Seat(seat) for seat in range(self.seats) if seat not in away)

    def _backwards(self) -> Iterator[Chapter]:
        chapter = self.log
        while chapter is not None:
            yield chapter
            chapter = chapter.before

    def _must_sit(self, seat: Seat | None) -> None:
        if seat is not None and seat not in range(self.seats):
            raise IllegalAnswer("There is no such seat at this table.")

    def _must_be_open(self) -> None:
        if self.outcome is not None:
            raise MatchOver("This match is over.")

    @Once
    def _open(self) -> tuple[Decision, ...]:
        """What the base asks, nothing once the match is over. To ask a game is dear: it is done once."""
        is_over = self.game.outcome(self.base) is not None or (self.resigned and self.outcome is not None)
        return () if is_over else self.game.decisions(self.base)

    @Once
    def _waiting(self) -> tuple[Seat, ...]:
        return tuple(sorted({decision.seat for decision in self._open if decision.blocking}))

    @Once
    def _offers(self) -> Mapping[Seat, tuple[Decision, ...]]:
        offers = [decision for decision in self._open if not decision.blocking]
        return {seat: tuple(offer for offer in offers if offer.seat == seat) for seat in {o.seat for o in offers}}

    def _asked(self, seat: Seat) -> Decision | None:
        """The question that the seat must answer next."""
        draft = self.drafts.get(seat)
        return draft.question if draft else _question(self._open, seat)

    def _checked(self, answer: Answer) -> Decision:
        """The decision that the answer is a legal one to."""
        draft = self.drafts.get(answer.seat)
        decision = draft.question if draft else _question(self._open, answer.seat)
        if decision is None or decision.kind != answer.kind:
            decision = self._offered(answer)
        decision.check(answer.keys)
        return decision

    def _offered(self, answer: Answer) -> Decision:
        for offer in self._open:
            if offer.kind == answer.kind and offer.seat == answer.seat and not offer.blocking:
                return offer
        self._must_be_open()
        raise IllegalAnswer("That is not being asked of this seat now.")

    def _with_draft(self, seat: Seat, draft: Draft) -> "Match":
        drafts = {other: kept for other, kept in self.drafts.items() if other != seat}
        if draft.answers:
            drafts[seat] = draft
        return replace(self, drafts=drafts)

    def _drafted(self, answer: Answer) -> "Match":
        told: list[Event] = []
        seat, game = answer.seat, self.game
        before = self.drafts.get(seat)
        tip = game.apply(before.tip if before else self.base, answer, told.append)
        asked = game.questions(tip)
        question = _question(asked, seat) if asked else None
        if before:
            if len(before.answers) >= MAX_DRAFT:
                raise RuntimeError(f"{game.id} lets a turn go on for ever")
            draft = Draft((*before.answers, answer), (*before.events, *told), tip, question, before)
        else:
            draft = Draft((answer,), tuple(told), tip, question, EMPTY)
        after = replace(self, drafts={**self.drafts, seat: draft})
        if question:
            # The base is the same: what is known of it is asked again with the next question.
            after.__dict__.update(self.__dict__)
        return after

    def _with_forced(self, seat: Seat) -> "Match":
        match = self
        for _ in range(MAX_FORCED):
            decision = match.drafts[seat].question
            if decision is None:
                return match
            answer = decision.only_answer() if decision.kind not in self.game.windows else None
            if answer is None:
                return match
            match = match._drafted(answer)
        raise RuntimeError(f"{self.game.id} asks the same question for ever")

    def _with_ending(self, seat: Seat, open_sequence: Decision) -> "Match":
        ending = open_sequence.ending()
        if ending is None:
            raise NotFinished("The turn is not complete: there is still something to choose.")
        return self.pick(Answer(seat, open_sequence.kind, (ending.key,)))

    def _take_offer(self, answer: Answer) -> "Match":
        told: list[Event] = []
        state = self.game.apply(self.base, answer, told.append)
        return self._committed(Commit(answer.seat, (answer,)), state, tuple(told), keep_draft=True)

    def _replayed_offer(self, commit: Commit) -> "Match":
        if len(commit.answers) > 1:
            raise IllegalAnswer("An offer is a turn of its own.")
        return self._take_offer(commit.answers[0])

    def _committed(self, commit: Commit, state: Any, told: tuple[Event, ...], keep_draft: bool = False) -> "Match":
        table = Table(self.seed, self.draws)
        base = self.game.advance(state, table)
        after = replace(
            self,
            base=base,
            draws=table.draws,
            number=self.number + 1,
            answered=_counted(self.answered, commit),
            drafts={},
            log=Chapter(self.log, commit, (*told, *table.events)),
            cut=frozenset(),
        )
        if len(self.drafts) <= 1 and not keep_draft:
            return after
        kept = {seat: draft.answers for seat, draft in self.drafts.items() if keep_draft or seat != commit.seat}
        return after.rebased(kept) if kept else after

    def rebased(self, drafts: Mapping[Seat, tuple[Answer, ...]]) -> "Match":
        """The match with these drafts drawn up anew; `cut` has the seats that lost something of theirs."""
        match, cut = self, set()
        for seat, answers in drafts.items():
            match = match.redrafted(seat, answers)
            if _keys(match.draft(seat).answers)[: len(answers)] != _keys(answers):
                cut.add(seat)
        return replace(match, cut=frozenset(cut))

    def redrafted(self, seat: Seat, answers: tuple[Answer, ...]) -> "Match":
        """The match with these answers drafted anew, as far as they are still legal."""
        match = self._with_draft(seat, Draft())
        for place, answer in enumerate(answers):
            given = match.draft(seat).answers[place : place + 1]
            if given and _keys(given) != _keys((answer,)):
                break
            if given:
                continue
            if not match._still_legal(seat, answer):
                break
            match = match._drafted(answer)._with_forced(seat)
        return match

    def _still_legal(self, seat: Seat, answer: Answer) -> bool:
        # What was the only answer and is one of several now is the player's own to choose.
        if answer.forced or answer.seat != seat:
            return False
        try:
            return self._checked(answer).blocking
        except IllegalAnswer:
            return False

    def _resignation(self) -> Outcome | None:
        humans = self.humans()
        if len(humans) > 1:
            return None
        scores = self.game.view(self.base, None).scores

        def place(seat: Seat) -> tuple[bool, bool, float]:
            return seat not in humans, seat in self.resigned, -scores[seat]

        seats = sorted((Seat(seat) for seat in range(self.seats)), key=place)
        return Outcome(RESIGNED, tuple(tuple(tied) for _, tied in groupby(seats, place)), scores)


def begin(
    game: Game[Any],
    seats: int,
    settings: Mapping[str, Any] | None = None,
    seed: int | str | bytes = 0,
    computers: frozenset[Seat] = frozenset(),
) -> Match:
    """A new match. A setting's value that is not text, such as a map, is taken as its JSON."""
    given = {key: as_text(key, value) for key, value in (settings or {}).items()}
    chosen = full_settings(game, seats, given)
    if not computers <= set(range(seats)):
        raise BadSettings(f"A computer cannot sit at {', '.join(f'p{seat + 1}' for seat in sorted(computers))}.")
    text = as_text("seed", seed.hex() if isinstance(seed, bytes) else str(seed))
    table = Table(text)
    state = game.advance(game.setup(seats, chosen, table), table)
    return Match(
        game,
        seats,
        tuple(sorted(chosen.items())),
        text,
        table.draws,
        state,
        answered=(0,) * seats,
        computers=computers,
        prologue=tuple(table.events),
    )


def _question(asked: tuple[Decision, ...], seat: Seat) -> Decision | None:
    for decision in asked:
        if decision.seat == seat and decision.blocking:
            return decision
    return None


def _keys(answers: tuple[Answer, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(answer.kind, answer.keys) for answer in answers]


def _counted(answered: tuple[int, ...], commit: Commit) -> tuple[int, ...]:
    counts = list(answered)
    counts[commit.seat] += len(commit.answers)
    return tuple(counts)
