"""A play of a game: seed and commits, with the present position beside them."""

import re
from collections.abc import Mapping
from functools import cached_property
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Seat
from engine.core.errors import BadSettings, IllegalAnswer, MatchOver, NotFinished, NothingToUndo
from engine.core.event import Event, Line
from engine.core.game import RESIGNED, Game, Outcome, View, as_text, full_settings
from engine.core.position import Position
from engine.core.record import Commit, Draft
from engine.core.table import Table
from engine.core.words import Names, say, words_of

SEED = re.compile(r"[0-9a-f]{1,64}")
"""What the seed of new dice looks like."""
MAX_FORCED = 200
"""More only-possible answers in a row than any sane game has."""
MAX_DRAFT = 1000
"""More answers in a turn than any sane game has; drafts are chained, and a chain must not
outgrow Python's stack.
"""


class Match(Struct, frozen=True, eq=False, dict=True):
    """A match as it stands. Every method returns a new one; the old stays valid."""

    game: Game[Any]
    seats: int
    settings: tuple[tuple[str, str], ...]
    seed: str
    draws: int
    base: Any
    number: int = 0
    """How many commits were made since the beginning.

    It never falls: what is undone stays in the log.
    """
    answered: tuple[int, ...] = ()
    """How many answers each seat has committed, which tells its turns apart; going back makes it
    leap, never fall.
    """
    drafts: Mapping[Seat, Draft] = {}
    resigned: frozenset[Seat] = frozenset()
    computers: frozenset[Seat] = frozenset()
    """Seats that no person ever took."""
    away: frozenset[Seat] = frozenset()
    """Seats that a computer plays until their person is back, or another takes over."""
    prologue: tuple[Event, ...] = ()
    """What the set-up told."""
    commits: tuple[Commit, ...] = ()
    """The log, since the beginning or since the snapshot this match was loaded from."""
    cut: frozenset[Seat] = frozenset()
    """Seats whose draft the last commit shortened."""
    reseeds: tuple[str, ...] = ()
    """The seeds of the dice since, one for each time that the match went back and got new ones."""
    asides: int = 0
    """How many commits were no move, or were undone."""

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
        table = (
            self.game.id,
            self.seats,
            self.settings,
            self.seed,
            self.resigned,
            self.computers,
            self.away,
        )
        return (
            *table,
            self.reseeds,
            self.draws,
            self.number,
            self.asides,
            self.answered,
            self.base,
            drafts,
        )

    @property
    def moves(self) -> int:
        """How many commits led here from the beginning."""
        return self.number - self.asides

    @property
    def dice(self) -> str:
        """The seed of the dice that are rolled now. A secret."""
        return self.reseeds[-1] if self.reseeds else self.seed

    @property
    def last(self) -> Commit | None:
        """The newest commit of the log."""
        return self.commits[-1] if self.commits else None

    @property
    def events(self) -> tuple[Event, ...]:
        """All that was told, in order, the set-up first."""
        return self.prologue + tuple(event for commit in self.commits for event in commit.events)

    @cached_property
    def position(self) -> Position:
        """Where the match stands, with what its game says of it."""
        return Position(self.game, self.base)

    @cached_property
    def outcome(self) -> Outcome | None:
        """The end, once it has come."""
        return self.position.outcome or (self._resignation() if self.resigned else None)

    def asked(self) -> tuple[Decision, ...]:
        """The questions to all seats as everyone knows them, whatever anybody has drafted."""
        return () if self.outcome else self.position.questions

    def waiting_for(self) -> tuple[Seat, ...]:
        """Seats that owe a decision."""
        return tuple(sorted({question.seat for question in self.asked()}))

    def question(self, seat: Seat) -> Decision | None:
        """What the seat must answer next, after its own draft."""
        if self.outcome:
            return None
        draft = self.drafts.get(seat)
        return draft.question if draft else self.position.question(seat)

    def offers(self, seat: Seat) -> tuple[Decision, ...]:
        """What the seat may take at any time, whatever it has drafted."""
        if self.outcome:
            return ()
        return tuple(offer for offer in self.position.offers if offer.seat == seat)

    def decisions(self, seat: Seat) -> tuple[Decision, ...]:
        """All that the seat may answer now: its question, if it has one, and its offers."""
        question = self.question(seat)
        return (question, *self.offers(seat)) if question else self.offers(seat)

    def tip(self, seat: Seat) -> Any:
        """The state as this seat's draft would leave it."""
        return self.draft(seat).tip

    def turn(self, seat: Seat) -> int:
        """How many answers the seat has given: what other seats do leaves it as it is."""
        self._must_sit(seat)
        return self.answered[seat] + len(self.draft(seat).answers)

    def draft(self, seat: Seat) -> Draft:
        """What the seat has drafted so far, perhaps nothing."""
        return self.drafts.get(seat) or Draft((), (), self.position, None, None)

    def view(self, viewer: Seat | None) -> View:
        """What a seat sees, its own draft included; what everyone sees for None."""
        self._must_sit(viewer)
        position = self.position if viewer is None else self.draft(viewer).position
        # Until a draft is confirmed the hand has not passed: who is to move is what everyone knows
        # of it.
        return replace(position.view(viewer), to_move=self.waiting_for(), outcome=self.outcome)

    def follows(self, seat: Seat) -> str:
        """The step that comes after a confirm of this seat's draft, '' if it merely passes on."""
        return self.game.follows(self.tip(seat))

    def is_complete(self, seat: Seat) -> bool:
        """Whether the seat's draft can be confirmed as it is."""
        return seat in self.drafts and self.drafts[seat].question is None

    def has_one_answer(self, seat: Seat) -> bool:
        """Whether the seat has drafted nothing and could only end what it is asked: then to
        confirm is enough.
        """
        question = self.question(seat)
        if question is None or self.draft(seat).answers:
            return False
        return len(question.options) == 1 and question.ending() is not None

    def wants_no_confirm(self, seat: Seat) -> bool:
        """Whether the seat's draft is a whole turn, and all that it answers was asked to be
        carried out at once.
        """
        if not self.is_complete(seat):
            return False
        step: Draft | None = self.draft(seat)
        while step is not None and step.answers:
            asked = step.before.question if step.before else self.position.question(seat)
            if not step.answers[-1].forced and (asked is None or not asked.at_once):
                return False
            step = step.before
        return True

    def why_not(self, seat: Seat, decision: Decision, key: str, names: Names = ()) -> str:
        """Why the seat cannot answer a question or an offer of its own so, in words; '' if it
        can.
        """
        line = self.objection(seat, decision, key)
        return (
            words_of(self.game.id).why(line, names, self._asked_view(seat, decision))
            if line
            else ""
        )

    def objection(self, seat: Seat, decision: Decision, key: str) -> Line | None:
        """The same as a line of [why]: the game's own, or what can be said of any; None if the
        seat can.
        """
        if any(option.key == key for option in decision.options):
            return None
        text = str(key)
        own = self.game.objection(
            self.tip(seat) if decision.blocking else self.base, decision, text
        )
        if own is not None:
            return own
        is_about_places = any(option.spot for option in decision.options)
        board = self.game.places(self._asked_view(seat, decision)) if is_about_places else {}
        # A word that no code could be was not meant for a place.
        is_off_board = bool(board) and text not in board and len(text) <= max(map(len, board))
        return ("not_on_board" if is_off_board else "not_a_choice"), {"key": text[:40]}

    def _asked_view(self, seat: Seat, decision: Decision) -> View:
        """What the seat sees where it is asked: a question comes after its draft, an offer is of
        the match itself.
        """
        return self.view(seat) if decision.blocking else self.without_drafts().view(seat)

    def pick(self, answer: Answer) -> "Match":
        """The match with one more answer in the seat's draft; an offer is committed at once."""
        # Only the match itself calls an answer forced.
        answer = Answer(answer.seat, answer.kind, tuple(answer.keys))
        if not self._checked(answer).blocking:
            return self._take_offer(answer)
        return self._drafted(answer)._with_forced(answer.seat)

    def undo(self, seat: Seat, all: bool = False) -> "Match":
        """The match without the seat's last pick, or without its whole draft."""
        self._must_be_open()
        draft = self.drafts.get(seat)
        if not draft:
            raise NothingToUndo(say("refusal.nothing_to_undo"))
        return self._with_draft(seat, None if all else draft.shrunk())

    def confirm(self, seat: Seat) -> "Match":
        """The seat's draft committed; where an optional sequence is still open it is ended
        first.
        """
        draft = self.drafts.get(seat)
        if draft is None:
            self._must_be_open()
            question = self.position.question(seat)
            if question is None or not self.has_one_answer(seat):
                raise NotFinished(say("refusal.nothing_chosen"))
            return self.pick(Answer(seat, question.kind, (question.options[0].key,))).confirm(seat)
        if draft.question is not None:
            ending = draft.question.ending()
            if ending is None:
                raise NotFinished(say("refusal.not_complete"))
            return self.pick(Answer(seat, draft.question.kind, (ending.key,))).confirm(seat)
        return self._committed(Commit(seat, draft.answers, events=draft.events), draft.tip)

    def replay(self, commit: Commit, past: Mapping[int, "Match"] | None = None) -> "Match":
        """The match after a recorded commit; where one goes back, `past` has the match after the
        commit of a number.
        """
        self._must_be_open()
        if commit.back_to is not None:
            if past is None or commit.back_to not in past:
                raise IllegalAnswer(say("refusal.no_way_back"))
            return self.back_to(past[commit.back_to], commit.seat, commit.seed)
        if commit.resigned:
            return self.resign(commit.seat)
        if commit.handed:
            return self.hand_over(commit.seat, commit.handed == "computer")
        if any(answer.seat != commit.seat for answer in commit.answers):
            raise IllegalAnswer(say("refusal.foreign_answer"))
        # Unlike a pick, this forces nothing: the forced answers are in the record, as the rules
        # then had them.
        match = self._with_draft(commit.seat, None)
        for answer in commit.answers:
            if not match._checked(answer).blocking:
                if len(commit.answers) > 1:
                    raise IllegalAnswer(say("refusal.offer_alone"))
                return self._take_offer(answer)
            match = match._drafted(answer)
        if match.question(commit.seat):
            raise NotFinished(say("refusal.record_not_complete"))
        return match.confirm(commit.seat)

    def resign(self, seat: Seat) -> "Match":
        """The seat given up: a computer player sits in, or the match ends if too few are left."""
        self._must_be_open()
        if seat not in self.humans():
            raise IllegalAnswer(say("refusal.no_person"))
        left = self._logged(Commit(seat, (), resigned=True))._with(resigned=self.resigned | {seat})
        return left._with(drafts={}) if left.outcome else left._with_draft(seat, None)

    def hand_over(self, seat: Seat, to_computer: bool) -> "Match":
        """The seat played by a computer until a person takes it back; or by a person, whoever
        has played it so far.
        """
        self._must_be_open()
        self._must_sit(seat)
        if to_computer != (seat in self.humans()):
            raise IllegalAnswer(say("refusal.no_person" if to_computer else "refusal.has_person"))
        if to_computer:
            handed = self._logged(Commit(seat, (), handed="computer"))._with(
                away=self.away | {seat}
            )
        else:
            handed = self._logged(Commit(seat, (), handed="person"))._with(
                away=self.away - {seat},
                resigned=self.resigned - {seat},
                computers=self.computers - {seat},
            )
        return handed._with_draft(seat, None)

    def back_to(self, past: "Match", seat: Seat, seed: str = "") -> "Match":
        """The match as it stood at a commit of its own `past`, as that seat has it; with new dice
        if there is a seed.

        Who sits where is no part of the position: it stays as it is now.
        """
        self._must_be_open()
        self._must_sit(seat)
        if past.number >= self.number or (past.game.id, past.seats, past.seed) != (
            self.game.id,
            self.seats,
            self.seed,
        ):
            raise IllegalAnswer(say("refusal.no_way_back"))
        if seed and not SEED.fullmatch(seed):
            raise IllegalAnswer(say("refusal.bad_seed"))
        commit = Commit(seat, (), back_to=past.number, seed=seed)
        after = replace(
            self,
            base=past.base,
            number=self.number + 1,
            asides=self.number + 1 - past.moves,
            # A button of before must not fit any turn to come, whatever was drafted when it was
            # made.
            answered=tuple(count + MAX_DRAFT for count in self.answered),
            drafts={},
            commits=(*self.commits, commit),
            cut=frozenset(),
        )
        after.__dict__["position"] = past.position
        return replace(after, reseeds=(*self.reseeds, seed), draws=0) if seed else after

    def humans(self) -> tuple[Seat, ...]:
        """Seats that a person plays."""
        return tuple(seat for seat in self._people() if seat not in self.away)

    def without_log(self) -> "Match":
        """The match as one that is loaded from a snapshot: its past is kept elsewhere."""
        return self._with(prologue=(), commits=())

    def without_drafts(self) -> "Match":
        """The match as everyone knows it."""
        return self._with(drafts={})

    def _people(self) -> tuple[Seat, ...]:
        """Seats that belong to a person, even if a computer plays for them at present."""
        gone = self.resigned | self.computers
        return tuple(Seat(seat) for seat in range(self.seats) if seat not in gone)

    def _logged(self, commit: Commit) -> "Match":
        """The match with a commit in its log that leaves the position as it is."""
        return self._with(
            number=self.number + 1,
            asides=self.asides + 1,
            commits=(*self.commits, commit),
            cut=frozenset(),
        )

    def _with(self, **changes: Any) -> "Match":
        """The match with these changes, of which none is another base: what is known of the base
        stays known.
        """
        after = replace(self, **changes)
        after.__dict__["position"] = self.position
        return after

    def _must_sit(self, seat: Seat | None) -> None:
        if seat is not None and seat not in range(self.seats):
            raise IllegalAnswer(say("refusal.no_seat"))

    def _must_be_open(self) -> None:
        if self.outcome is not None:
            raise MatchOver(say("refusal.over"))

    def _checked(self, answer: Answer) -> Decision:
        """The decision that the answer is a legal one to."""
        for decision in self.decisions(answer.seat):
            if decision.kind == answer.kind:
                try:
                    decision.check(answer.keys)
                except IllegalAnswer as error:
                    raise self._refused(decision, answer) or error from None
                return decision
        self._must_be_open()
        raise IllegalAnswer(say("refusal.not_asked"))

    def _refused(self, decision: Decision, answer: Answer) -> IllegalAnswer | None:
        """The refusal of the first key that is not offered, with the reason; None if all are."""
        for key in answer.keys:
            if line := self.objection(answer.seat, decision, key):
                return IllegalAnswer(
                    words_of(self.game.id).why(line, (), self.view(answer.seat)), line
                )
        return None

    def _with_draft(self, seat: Seat, draft: Draft | None) -> "Match":
        drafts = {other: kept for other, kept in self.drafts.items() if other != seat}
        if draft:
            drafts[seat] = draft
        return self._with(drafts=drafts)

    def _drafted(self, answer: Answer) -> "Match":
        """The match with an answer in the seat's draft; it has been checked."""
        before = self.draft(answer.seat)
        if len(before.answers) >= MAX_DRAFT:
            raise RuntimeError(f"{self.game.id} lets a turn go on for ever")
        told: list[Event] = []
        position = Position(self.game, self.game.apply(before.tip, answer, told.append))
        draft = Draft(
            (*before.answers, answer),
            (*before.events, *told),
            position,
            position.question(answer.seat),
            before if before.answers else None,
        )
        return self._with_draft(answer.seat, draft)

    def _with_forced(self, seat: Seat) -> "Match":
        """The match with the only possible answer of every further question in the seat's draft."""
        match = self
        for _ in range(MAX_FORCED):
            question = match.drafts[seat].question
            # A window is left open even with one answer in it: to be asked, or not, would tell a
            # secret.
            if question is None or question.kind in self.game.windows:
                return match
            answer = question.only_answer()
            if answer is None:
                return match
            match = match._drafted(answer)
        raise RuntimeError(f"{self.game.id} asks the same question for ever")

    def _take_offer(self, answer: Answer) -> "Match":
        told: list[Event] = []
        state = self.game.take_offer(self.base, answer, told.append)
        return self._committed(
            Commit(answer.seat, (answer,), events=tuple(told)), state, is_offer=True
        )

    def _committed(self, commit: Commit, state: Any, is_offer: bool = False) -> "Match":
        """The match after a commit that leads to this state, before dice and reveals."""
        # The dice go on where the last commit left them: the same seed and commits give the same
        # match.
        table = Table(self.dice, self.draws)
        base = self.game.advance(state, table)
        answered = list(self.answered)
        answered[commit.seat] += len(commit.answers)
        after = replace(
            self,
            base=base,
            draws=table.draws,
            number=self.number + 1,
            answered=tuple(answered),
            drafts={},
            commits=(*self.commits, replace(commit, events=(*commit.events, *table.events))),
            cut=frozenset(),
        )
        # Drafts of others stand on the old base. An offer is no part of its seat's draft, which is
        # kept as well.
        kept = {
            seat: draft.answers
            for seat, draft in self.drafts.items()
            if is_offer or seat != commit.seat
        }
        return after.rebased(kept) if kept else after

    def rebased(self, drafts: Mapping[Seat, tuple[Answer, ...]]) -> "Match":
        """The match with these drafts drawn up anew; `cut` has the seats that lost something of
        theirs.
        """
        match, cut = self, set()
        for seat, answers in drafts.items():
            match = match.redrafted(seat, answers)
            if _keys(match.draft(seat).answers)[: len(answers)] != _keys(answers):
                cut.add(seat)
        return match._with(cut=frozenset(cut))

    def redrafted(self, seat: Seat, answers: tuple[Answer, ...]) -> "Match":
        """The match with these answers drafted anew, as far as they are still legal."""
        match = self._with_draft(seat, None)
        for place, answer in enumerate(answers):
            drafted = match.draft(seat).answers
            if place < len(drafted):
                # It was forced by the answer before, as it was then; or something else is forced
                # now.
                if _keys((drafted[place],)) != _keys((answer,)):
                    break
                continue
            if answer.forced or answer.seat != seat:
                # What was the only answer and is one of several now is the player's own to choose.
                break
            try:
                if not match._checked(answer).blocking:
                    break
            except IllegalAnswer:
                break
            match = match._drafted(answer)._with_forced(seat)
        return match

    def _resignation(self) -> Outcome | None:
        """The end of a match that all but one have left: who stayed comes first, then computers,
        then who left.
        """
        people = self._people()
        if len(people) > 1:
            return None
        scores = self.position.view(None).scores

        def place(seat: Seat) -> tuple[bool, bool, float]:
            return seat not in people, seat in self.resigned, -scores[seat]

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
        raise BadSettings(
            say("refusal.computer_seat", seats=tuple(f"p{seat + 1}" for seat in sorted(computers)))
        )
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


def _keys(answers: tuple[Answer, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(answer.kind, answer.keys) for answer in answers]
