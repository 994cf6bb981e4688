"""When a public post is due, whom it pings, and how long it is kept fresh.

A post says what happened since the last one and pings those who must answer now, so not every
commit gets one. In Conquest a voyage is a dozen commits of one seat and one
post at its end; four people who build in secret make four commits and one post, when all is shown.
What decides is who was asked what before a commit and who is after it.
"""

from collections.abc import Iterable

from engine import Commit, Decision, Match, Seat, visible


def people_to_move(match: Match) -> tuple[Seat, ...]:
    """Seats with a person in them that owe a decision."""
    people = match.humans()
    return tuple(seat for seat in match.waiting_for() if seat in people)


def computer_to_move(match: Match) -> Seat | None:
    """The first seat without a person that owes a decision."""
    people = match.humans()
    return next((seat for seat in match.waiting_for() if seat not in people), None)


def needs_post(before: Match, after: Match, shown: Match | None) -> bool:
    """Whether a commit makes a post due; `shown` is the match as the last post shows it.

    It does if it ends the match, hands it to a person, shows what was secret, or comes round to the
    very questions of the last post.
    """
    if after.outcome is not None:
        return True
    if not people_to_move(after):
        # A computer is to move. Its own commit comes at once, and the post after it tells of both.
        return False
    answered, made = _answered(before, after), after.last
    # In Blue Lagoon a seat that cannot place any more is skipped. Ana plays on alone: the hand
    # never passes, and yet each of her turns is a whole one that the others want to see. In the
    # midst of a turn the question would be another.
    is_open_answer = answered is not None and answered.blocking and not answered.secret
    if is_open_answer and shown is not None and _asked(shown) == _asked(after):
        return True
    if answered is not None and _waits_for_the_rest(answered, before, after):
        return False
    if made is not None and made.seat not in before.humans():
        # A computer that plays on for itself calls nobody: only that other people are to move now
        # does.
        return people_to_move(after) != people_to_move(before)
    if after.waiting_for() != before.waiting_for() or after.humans() != before.humans():
        return True
    if answered is None:
        return False
    if answered.blocking:
        # The last secret bid is in, so the bids are shown, even if the same seat acts first on
        # them. If it is asked the same question again, its secret answer is not complete yet.
        return answered.secret and (answered.seat, answered.kind) not in _asked(after)
    # Bea shows a card in the midst of Ana's turn. What Ana herself does at any time comes with the
    # post of her turn.
    return not answered.secret and answered.seat not in before.waiting_for()


def _waits_for_the_rest(answered: Decision, before: Match, after: Match) -> bool:
    """Whether others who were asked together with the one who committed have still to answer.

    Three people of Conquest build at the same time, and Ana is the first to confirm: nobody may see
    yet what she built, so there is nothing to post; the last post is freshened to say that she is
    in. The same holds for her offer to take her building back, which opens her question again.
    """
    was, now = _asked(before), _asked(after)
    if answered.blocking:
        # Answered openly, it is still told at once if there is something to tell.
        told = after.last is not None and bool(visible(after.last.events, None))
        return now < was and (answered.secret or not told)
    return was < now and is_still_open(after, before)


def is_newly_asked(seat: Seat, before: Match | None, commits: Iterable[Commit]) -> bool:
    """Whether a post pings a seat that it waits for; the post before it showed the match `before`.

    Ana and Bea build, and Cem drops a rumor meanwhile: the post of that calls neither, for both
    know already. Ana is called again if she has answered and the same is asked of her anew.
    """
    if before is None or seat not in before.waiting_for():
        return True
    given = {answer.kind for commit in commits if commit.seat == seat for answer in commit.answers}
    return any(kind in given for who, kind in _asked(before) if who == seat)


def is_still_open(said: Match, now: Match) -> bool:
    """Whether the last post, at `said`, still stands, and is freshened to say whose answers are in.

    It stands while some of several questions that it put are open and no other is: of three who
    build one is in. It stands too while all are open again, if they are secret ones: she who was in
    has taken her building back.
    """
    was, left = _asked(said), _asked(now)
    if left == was:
        return bool(left) and all(question.secret for question in said.asked())
    return bool(left) and left < was


def _answered(before: Match, after: Match) -> Decision | None:
    """The question or offer that a commit began to answer."""
    if after.last is None or not after.last.answers:
        return None
    first = after.last.answers[0]
    for decision in (*before.asked(), *before.offers(first.seat)):
        if (decision.seat, decision.kind) == (first.seat, first.kind):
            return decision
    return None


def _asked(match: Match) -> set[tuple[Seat, str]]:
    """Who is asked what, whatever anybody has drafted."""
    return {(question.seat, question.kind) for question in match.asked()}
