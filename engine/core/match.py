"""A match: its seed and its commits, and the position they lead to.

A Match never changes. Every method that does something returns a new Match, so callers can keep old
ones, try things out, and compare. What a seat has picked but not confirmed is its draft. Drafts are
private; whenever somebody else commits, they are replayed on the new position.

Replaying the same commits must always give the same match: saves and transcripts rely on it. A new
field also belongs in `_identity` and in save.Envelope.
"""

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
"""The form of a seed that replaces the first one after a rewind."""
MAX_FORCED = 200
"""Forced answers in a row after which a game must be looping."""
MAX_DRAFT = 1000
"""Answers in one draft after which a game must be looping.

Drafts are linked lists, which must not outgrow Python's stack.
"""


class Match(Struct, frozen=True, eq=False, dict=True):
    """A match at one moment. Immutable: methods return new matches."""

    game: Game[Any]
    seats: int
    settings: tuple[tuple[str, str], ...]
    seed: str
    """The seed that the match began with. A secret until the end."""
    draws: int
    """Random numbers drawn so far from the seed in use."""
    base: Any
    """The game's state after the last commit, on which all drafts build."""
    number: int = 0
    """Number of commits so far. It never falls: going back is a commit too."""
    answered: tuple[int, ...] = ()
    """Number of answers that each seat has committed, which identifies its turns.

    It never falls: going back adds MAX_DRAFT to it.
    """
    drafts: Mapping[Seat, Draft] = {}
    resigned: frozenset[Seat] = frozenset()
    computers: frozenset[Seat] = frozenset()
    """Seats that have been played by a computer from the start."""
    away: frozenset[Seat] = frozenset()
    """Seats that a computer plays until their player returns or somebody takes over."""
    prologue: tuple[Event, ...] = ()
    """The events of the set-up."""
    commits: tuple[Commit, ...] = ()
    """The log, from the start or from the snapshot that this match was loaded from."""
    cut: frozenset[Seat] = frozenset()
    """Seats whose draft was cut short, because the last commit made some of it illegal."""
    reseeds: tuple[str, ...] = ()
    """The seeds that replaced the first one, one for each rewind."""
    asides: int = 0
    """Number of commits that were not moves, or that were undone."""

    def __repr__(self) -> str:
        # The seed and the drafts are secrets, and a repr may end in a log.
        return f"<Match of {self.game.id}, {self.seats} seats, {self.number} commits>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._identity() == other._identity()

    def __ne__(self, other: object) -> bool:
        # msgspec's own __ne__ compares by identity.
        return not self == other

    def __hash__(self) -> int:
        return hash((self.game.id, self.seed, self.number, self.base))

    def _identity(self) -> tuple[Any, ...]:
        drafts = {seat: draft.answers for seat, draft in self.drafts.items()}
        return (
            self.game.id,
            self.seats,
            self.settings,
            self.seed,
            self.resigned,
            self.computers,
            self.away,
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
        """Number of moves that led from the start to this position."""
        return self.number - self.asides

    @property
    def dice(self) -> str:
        """The seed in use. A secret."""
        return self.reseeds[-1] if self.reseeds else self.seed

    @property
    def last(self) -> Commit | None:
        """The newest commit of the log."""
        return self.commits[-1] if self.commits else None

    @property
    def events(self) -> tuple[Event, ...]:
        """All events in order, those of the set-up first."""
        return self.prologue + tuple(event for commit in self.commits for event in commit.events)

    @cached_property
    def position(self) -> Position:
        """The committed position, without drafts."""
        return Position(self.game, self.base)

    @cached_property
    def outcome(self) -> Outcome | None:
        """The result, or None while the match is going on."""
        return self.position.outcome or (self._resignation_outcome() if self.resigned else None)

    def asked(self) -> tuple[Decision, ...]:
        """Return the open questions of all seats, ignoring drafts: they are public."""
        return () if self.outcome else self.position.questions

    def waiting_for(self) -> tuple[Seat, ...]:
        """Return the seats that the match is waiting for."""
        return tuple(sorted({question.seat for question in self.asked()}))

    def question(self, seat: Seat) -> Decision | None:
        """Return the question that the seat must answer next, after what it has drafted."""
        if self.outcome:
            return None
        draft = self.drafts.get(seat)
        return draft.question if draft else self.position.question(seat)

    def offers(self, seat: Seat) -> tuple[Decision, ...]:
        """Return the offers that the seat may take at any time, whatever it has drafted."""
        if self.outcome:
            return ()
        return tuple(offer for offer in self.position.offers if offer.seat == seat)

    def decisions(self, seat: Seat) -> tuple[Decision, ...]:
        """Return everything the seat may answer now: its question, if any, and its offers."""
        question = self.question(seat)
        return (question, *self.offers(seat)) if question else self.offers(seat)

    def tip(self, seat: Seat) -> Any:
        """Return the state that this seat's draft leads to."""
        return self.draft(seat).tip

    def turn(self, seat: Seat) -> int:
        """Return how many answers the seat has given, its draft included.

        Buttons carry this number, so that a press on an outdated panel is recognised. What other
        seats do doesn't change it.
        """
        self._require_seat(seat)
        return self.answered[seat] + len(self.draft(seat).answers)

    def draft(self, seat: Seat) -> Draft:
        """Return what the seat has drafted so far, which may be empty."""
        return self.drafts.get(seat) or Draft((), (), self.position, None, None)

    def view(self, viewer: Seat | None) -> View:
        """Return what a seat sees, its own draft included; for None, what everyone sees."""
        self._require_seat(viewer)
        position = self.position if viewer is None else self.draft(viewer).position
        # A draft is private until it is confirmed, so whose turn it is depends on the committed
        # position alone.
        return replace(position.view(viewer), to_move=self.waiting_for(), outcome=self.outcome)

    def follows(self, seat: Seat) -> str:
        """Return the step that confirming the seat's draft leads to, '' if it ends the turn."""
        return self.game.follows(self.tip(seat))

    def is_complete(self, seat: Seat) -> bool:
        """Return whether the seat's draft can be confirmed."""
        return seat in self.drafts and self.drafts[seat].question is None

    def has_one_answer(self, seat: Seat) -> bool:
        """Return whether the seat has drafted nothing and its only option is to end the sequence.

        Then confirming is enough.
        """
        question = self.question(seat)
        if question is None or self.draft(seat).answers:
            return False
        return len(question.options) == 1 and question.ending() is not None

    def draft_steps(self, seat: Seat) -> list["DraftStep"]:
        """Return the answers of the seat's draft in order, each with its question."""
        steps: list[DraftStep] = []
        match = self
        while draft := match.drafts.get(seat):
            match = match._with_draft(seat, draft.before)
            question = match.question(seat)
            assert question is not None  # The answer was given to it.
            steps.insert(0, DraftStep(match, question, draft.answers[-1]))
        return steps

    def commits_without_confirm(self, seat: Seat) -> bool:
        """Return whether the seat's draft is a whole turn that is committed without a Confirm.

        That is so if every question in it says that its answer takes effect at once.
        """
        if not self.is_complete(seat):
            return False
        steps = self.draft_steps(seat)
        return all(step.answer.forced or step.question.at_once for step in steps)

    def finished(self, seat: Seat) -> "Match | None":
        """End the optional sequences that the seat's draft leaves open, as a confirm would.

        Returns None if the seat still has to choose something, or has chosen nothing.
        """
        if not self.draft(seat).answers and not self.has_one_answer(seat):
            return None
        match = self
        while question := match.question(seat):
            ending = question.ending()
            if ending is None:
                return None
            match = match.pick(Answer(seat, question.kind, (ending.key,)))
        return match

    def why_not(self, seat: Seat, decision: Decision, key: str, names: Names = ()) -> str:
        """Return why the seat cannot pick this key, in words; '' if it can."""
        line = self.refusal(seat, decision, key)
        if line is None:
            return ""
        return words_of(self.game.id).why(line, names, self._view_of_decision(seat, decision))

    def refusal(self, seat: Seat, decision: Decision, key: str) -> Line | None:
        """Return the reason why the seat cannot pick this key, as a line of [why]; None if it can.

        If the game itself gives no reason, the line is one that fits any game.
        """
        if any(option.key == key for option in decision.options):
            return None
        text = str(key)
        # A question comes after the seat's draft, an offer is made in the committed position.
        state = self.tip(seat) if decision.blocking else self.base
        reason = self.game.refusal(state, decision, text)
        if reason is not None:
            return reason
        is_about_spots = any(option.spot for option in decision.options)
        board = self.game.places(self._view_of_decision(seat, decision)) if is_about_spots else {}
        # A text longer than any code on the board was not meant as a spot.
        is_off_board = bool(board) and text not in board and len(text) <= max(map(len, board))
        return ("not_on_board" if is_off_board else "not_a_choice"), {"key": text[:40]}

    def _view_of_decision(self, seat: Seat, decision: Decision) -> View:
        """Return what the seat sees when it decides.

        A question comes after the seat's draft; an offer is made in the committed position.
        """
        return self.view(seat) if decision.blocking else self.without_drafts().view(seat)

    def pick(self, answer: Answer) -> "Match":
        """Add an answer to the seat's draft; an offer is committed at once."""
        # Only the match itself marks answers as forced.
        answer = Answer(answer.seat, answer.kind, tuple(answer.keys))
        if not self._find_decision(answer).blocking:
            return self._take_offer(answer)
        return self._add_to_draft(answer)._add_forced(answer.seat)

    def undo(self, seat: Seat, all: bool = False) -> "Match":
        """Remove the seat's last pick, or its whole draft if `all`."""
        self._require_open()
        draft = self.drafts.get(seat)
        if not draft:
            raise NothingToUndo(say("refusal.nothing_to_undo"))
        return self._with_draft(seat, None if all else draft.undo())

    def confirm(self, seat: Seat) -> "Match":
        """Commit the seat's draft, after ending an optional sequence that is still open."""
        has_draft = seat in self.drafts
        if not has_draft:
            self._require_open()
        finished = self.finished(seat)
        if finished is None:
            raise NotFinished(
                say("refusal.not_complete" if has_draft else "refusal.nothing_chosen")
            )
        draft = finished.draft(seat)
        commit = Commit(seat, draft.answers, events=draft.events)
        return finished._commit(commit, draft.tip)

    def replay(self, commit: Commit, past: Mapping[int, "Match"] | None = None) -> "Match":
        """Apply a commit from a log.

        `past` maps numbers of commits to the matches after them. Only a commit that goes back to
        an earlier one needs it.
        """
        self._require_open()
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
        # Unlike `pick`, this adds no forced answers: the log has them, as they were under the
        # version of the rules that the match was played by.
        match = self._with_draft(commit.seat, None)
        for answer in commit.answers:
            if not match._find_decision(answer).blocking:
                if len(commit.answers) > 1:
                    raise IllegalAnswer(say("refusal.offer_alone"))
                return self._take_offer(answer)
            match = match._add_to_draft(answer)
        if match.question(commit.seat):
            raise NotFinished(say("refusal.record_not_complete"))
        return match.confirm(commit.seat)

    def resign(self, seat: Seat) -> "Match":
        """Resign for a seat: a computer takes over, or the match ends if too few people stay."""
        self._require_open()
        if seat not in self.humans():
            raise IllegalAnswer(say("refusal.no_person"))
        logged = self._log(Commit(seat, (), resigned=True))
        match = logged._with(resigned=self.resigned | {seat})
        return match._with(drafts={}) if match.outcome else match._with_draft(seat, None)

    def hand_over(self, seat: Seat, to_computer: bool) -> "Match":
        """Hand the seat to a computer until a person takes it back, or back to a person."""
        self._require_open()
        self._require_seat(seat)
        if to_computer != (seat in self.humans()):
            raise IllegalAnswer(say("refusal.no_person" if to_computer else "refusal.has_person"))
        commit = Commit(seat, (), handed="computer" if to_computer else "person")
        match = self._log(commit)._with_draft(seat, None)
        if to_computer:
            return match._with(away=self.away | {seat})
        return match._with(
            away=self.away - {seat},
            resigned=self.resigned - {seat},
            computers=self.computers - {seat},
        )

    def back_to(self, past: "Match", seat: Seat, seed: str = "") -> "Match":
        """Go back to the position of an earlier match `past`, as a commit of that seat.

        A `seed` replaces the one in use, so that the dice fall differently. Which seats people
        play is not part of the position and stays as it is.
        """
        self._require_open()
        self._require_seat(seat)
        is_same_match = (past.game.id, past.seats, past.seed) == (
            self.game.id,
            self.seats,
            self.seed,
        )
        if past.number >= self.number or not is_same_match:
            raise IllegalAnswer(say("refusal.no_way_back"))
        if seed and not SEED.fullmatch(seed):
            raise IllegalAnswer(say("refusal.bad_seed"))
        commit = Commit(seat, (), back_to=past.number, seed=seed)
        after = replace(
            self,
            base=past.base,
            number=self.number + 1,
            asides=self.number + 1 - past.moves,
            # A button posted before this must not match any later turn. It may carry a number
            # up to MAX_DRAFT ahead of `answered`, because drafted answers count.
            answered=tuple(count + MAX_DRAFT for count in self.answered),
            drafts={},
            commits=(*self.commits, commit),
            cut=frozenset(),
        )
        after.__dict__["position"] = past.position
        return replace(after, reseeds=(*self.reseeds, seed), draws=0) if seed else after

    def humans(self) -> tuple[Seat, ...]:
        """Return the seats that people play at present."""
        return tuple(seat for seat in self._person_seats() if seat not in self.away)

    def without_log(self) -> "Match":
        """Return the match without its log, as if loaded from a snapshot."""
        return self._with(prologue=(), commits=())

    def without_drafts(self) -> "Match":
        """Return the match without any drafts."""
        return self._with(drafts={})

    def _person_seats(self) -> tuple[Seat, ...]:
        """Return the seats that belong to people, even if computers stand in for some of them."""
        gone = self.resigned | self.computers
        return tuple(Seat(seat) for seat in range(self.seats) if seat not in gone)

    def _log(self, commit: Commit) -> "Match":
        """Return the match with a commit logged that does not change the position."""
        return self._with(
            number=self.number + 1,
            asides=self.asides + 1,
            commits=(*self.commits, commit),
            cut=frozenset(),
        )

    def _with(self, **changes: Any) -> "Match":
        """Return a changed copy with the same base, so that the cached position stays valid."""
        after = replace(self, **changes)
        after.__dict__["position"] = self.position
        return after

    def _require_seat(self, seat: Seat | None) -> None:
        if seat is not None and seat not in range(self.seats):
            raise IllegalAnswer(say("refusal.no_seat"))

    def _require_open(self) -> None:
        if self.outcome is not None:
            raise MatchOver(say("refusal.over"))

    def _find_decision(self, answer: Answer) -> Decision:
        """Return the decision that an answer belongs to; raise IllegalAnswer if it is not legal."""
        for decision in self.decisions(answer.seat):
            if decision.kind == answer.kind:
                try:
                    decision.check(answer.keys)
                except IllegalAnswer as error:
                    # The game may know a better reason against the first key that is not offered.
                    for key in answer.keys:
                        if line := self.refusal(answer.seat, decision, key):
                            why = words_of(self.game.id).why(line, (), self.view(answer.seat))
                            raise IllegalAnswer(why, line) from None
                    raise error from None
                return decision
        self._require_open()
        raise IllegalAnswer(say("refusal.not_asked"))

    def _with_draft(self, seat: Seat, draft: Draft | None) -> "Match":
        drafts = {other: kept for other, kept in self.drafts.items() if other != seat}
        if draft:
            drafts[seat] = draft
        return self._with(drafts=drafts)

    def _add_to_draft(self, answer: Answer) -> "Match":
        """Add a checked answer to the seat's draft."""
        before = self.draft(answer.seat)
        if len(before.answers) >= MAX_DRAFT:
            raise RuntimeError(f"{self.game.id} lets a turn go on for ever")
        events: list[Event] = []
        position = Position(self.game, self.game.apply(before.tip, answer, events.append))
        draft = Draft(
            (*before.answers, answer),
            (*before.events, *events),
            position,
            position.question(answer.seat),
            before if before.answers else None,
        )
        return self._with_draft(answer.seat, draft)

    def _add_forced(self, seat: Seat) -> "Match":
        """Answer every further question of the draft that has only one possible answer."""
        match = self
        for _ in range(MAX_FORCED):
            question = match.drafts[seat].question
            # A window is a question that a seat is asked even if there is only one answer: not
            # being asked would give a secret away.
            if question is None or question.kind in self.game.windows:
                return match
            answer = question.only_answer()
            if answer is None:
                return match
            match = match._add_to_draft(answer)
        raise RuntimeError(f"{self.game.id} asks the same question for ever")

    def _take_offer(self, answer: Answer) -> "Match":
        """Commit a checked answer to an offer."""
        events: list[Event] = []
        state = self.game.take_offer(self.base, answer, events.append)
        commit = Commit(answer.seat, (answer,), events=tuple(events))
        return self._commit(commit, state, is_offer=True)

    def _commit(self, commit: Commit, state: Any, is_offer: bool = False) -> "Match":
        """Advance the state (dice, reveals), log the commit and replay the others' drafts."""
        # The draws continue where the last commit left them, so the same seed and commits always
        # give the same match.
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
        # The others' drafts build on the old base. So does the draft of a seat that took an offer,
        # since an offer is no part of it.
        to_replay = {
            seat: draft.answers
            for seat, draft in self.drafts.items()
            if is_offer or seat != commit.seat
        }
        return after.replay_drafts(to_replay) if to_replay else after

    def replay_drafts(self, drafts: Mapping[Seat, tuple[Answer, ...]]) -> "Match":
        """Return the match with these drafts replayed; `cut` names the seats that lost picks."""
        match = self
        cut = set()
        for seat, answers in drafts.items():
            match = match.replay_draft(seat, answers)
            replayed = match.draft(seat).answers[: len(answers)]
            if _kinds_and_keys(replayed) != _kinds_and_keys(answers):
                cut.add(seat)
        return match._with(cut=frozenset(cut))

    def replay_draft(self, seat: Seat, answers: tuple[Answer, ...]) -> "Match":
        """Return the match with a seat's draft made again from its answers.

        It stops before the first answer that is no longer legal, or that was forced and no longer
        is.
        """
        match = self._with_draft(seat, None)
        for index, answer in enumerate(answers):
            drafted = match.draft(seat).answers
            if index < len(drafted):
                # The previous answer forced this one, as it did the first time, or forces another
                # one now.
                if _kinds_and_keys((drafted[index],)) != _kinds_and_keys((answer,)):
                    break
                continue
            if answer.forced or answer.seat != seat:
                # It used to be the only answer. Now there are several, so the player must choose.
                break
            try:
                if not match._find_decision(answer).blocking:
                    break
            except IllegalAnswer:
                break
            match = match._add_to_draft(answer)._add_forced(seat)
        return match

    def _resignation_outcome(self) -> Outcome | None:
        """Return the result of a match that all people but one have left; None if more stay.

        The person who stayed comes first, then the computers, then those who left.
        """
        people = self._person_seats()
        if len(people) > 1:
            return None
        scores = self.position.view(None).scores

        def rank(seat: Seat) -> tuple[bool, bool, float]:
            return seat not in people, seat in self.resigned, -scores[seat]

        seats = sorted((Seat(seat) for seat in range(self.seats)), key=rank)
        ranking = tuple(tuple(tied) for _, tied in groupby(seats, rank))
        return Outcome(RESIGNED, ranking, scores)


class DraftStep(Struct, frozen=True):
    """One answer of a draft, with the question it was given to."""

    match: Match
    """The match with the draft as it was before this answer."""
    question: Decision
    answer: Answer


def begin(
    game: Game[Any],
    seats: int,
    settings: Mapping[str, Any] | None = None,
    seed: int | str | bytes = 0,
    computers: frozenset[Seat] = frozenset(),
) -> Match:
    """Return a match at its start. Settings that are not text, such as a map, are saved as JSON."""
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


def _kinds_and_keys(answers: tuple[Answer, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """Return what tells answers of one seat apart, whether they were forced or not."""
    return [(answer.kind, answer.keys) for answer in answers]
