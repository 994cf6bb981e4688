"""Decide when a match needs a public post, whom the post pings, and how long it stays current.

A post reports what happened since the last one and pings the players who must decide now. Not every
commit gets one: in Conquest, a voyage is a dozen commits of one seat and a single post at its end;
four people who build in secret make four commits and a single post, when all is revealed. To
decide, the rules compare who was asked what before a commit with who is asked what after it. They
must work for every game alike, so they look at questions and seats only, never at game events.
"""

from collections.abc import Iterable

from engine import Commit, Decision, Match, Seat, visible


def people_to_move(match: Match) -> tuple[Seat, ...]:
    """Return the seats that owe a decision and are played by a person."""
    people = match.humans()
    return tuple(seat for seat in match.waiting_for() if seat in people)


def computer_to_move(match: Match) -> Seat | None:
    """Return the first seat that owes a decision and is played by a computer, if any."""
    people = match.humans()
    return next((seat for seat in match.waiting_for() if seat not in people), None)


def needs_post(before: Match, after: Match, shown: Match | None) -> bool:
    """Whether a commit needs a post; `shown` is the position that the last post shows.

    It does if it ends the match, passes the turn to a person, reveals a secret, or results in the
    same questions that the last post asked.
    """
    if after.outcome is not None:
        return True
    if not people_to_move(after):
        # A computer moves next, at once, and the post after its move covers this commit as well.
        return False
    answered, commit = _answered_decision(before, after), after.last
    # In Blue Lagoon, seats that cannot place any more are skipped. If only Ana is left, the turn
    # never passes to anyone else, yet the others want to see each of her turns. She is asked the
    # same question again only after a whole turn: in the middle of one it is a different question.
    is_open_answer = answered is not None and answered.blocking and not answered.secret
    if is_open_answer and shown is not None and _questions(shown) == _questions(after):
        return True
    if answered is not None and _waits_for_others(answered, before, after):
        return False
    if commit is not None and commit.seat not in before.humans():
        # While a computer continues its own turn, nobody needs a ping, unless it has become other
        # people's turn.
        return people_to_move(after) != people_to_move(before)
    if after.waiting_for() != before.waiting_for() or after.humans() != before.humans():
        return True
    if answered is None:
        return False
    if answered.blocking:
        # With the last secret bid in, the bids are revealed, even if the same seat happens to act
        # next. If it is asked the same question again, its secret answer is not complete yet.
        return answered.secret and (answered.seat, answered.kind) not in _questions(after)
    # This was an offer, not a question: Bea plays a card in the middle of Ana's turn. Offers that
    # Ana takes in her own turn are reported with that turn.
    return not answered.secret and answered.seat not in before.waiting_for()


def _waits_for_others(answered: Decision, before: Match, after: Match) -> bool:
    """Whether others who were asked at the same time still have to answer.

    In Conquest three people build at the same time, and Ana confirms first. Nobody may see yet what
    she built, so there is nothing to post: the last post is edited to say that she has confirmed.
    If she then takes her building back, her question opens again, and there is no post either.
    """
    was, now = _questions(before), _questions(after)
    if answered.blocking:
        # An open answer with visible events is posted at once all the same.
        has_visible_events = after.last is not None and bool(visible(after.last.events, None))
        return now < was and (answered.secret or not has_visible_events)
    return was < now and is_still_open(after, before)


def is_newly_asked(seat: Seat, before: Match | None, commits: Iterable[Commit]) -> bool:
    """Whether a post pings a seat that must decide; `before` is what the last post showed.

    Ana and Bea build, and Cem drops a rumor meanwhile: the post about it pings neither, because
    both were pinged already. Ana is pinged again if she has answered and gets the question anew.
    """
    if before is None or seat not in before.waiting_for():
        return True
    answered_kinds = {
        answer.kind for commit in commits if commit.seat == seat for answer in commit.answers
    }
    return any(kind in answered_kinds for who, kind in _questions(before) if who == seat)


def is_still_open(posted: Match, now: Match) -> bool:
    """Whether the last post, which shows `posted`, is still current and only needs an edit.

    It is while some of its questions are open and no others are: one of three builders has
    confirmed. It also is if all of its questions are open again and secret: the one who had
    confirmed has taken her building back.
    """
    was, left = _questions(posted), _questions(now)
    if left == was:
        return bool(left) and all(question.secret for question in posted.asked())
    return bool(left) and left < was


def last_awaited(posted: Match, now: Match) -> Seat | None:
    """Return the last seat to answer among those asked by the last post, which shows `posted`.

    None if several still have to answer, or if nobody else was asked: then it is simply their turn.
    """
    asked, awaited = people_to_move(posted), people_to_move(now)
    if len(awaited) == 1 and len(asked) > 1 and awaited[0] in asked:
        return awaited[0]
    return None


def _answered_decision(before: Match, after: Match) -> Decision | None:
    """Return the question or offer that a commit answers; the first of them if it answers many."""
    if after.last is None or not after.last.answers:
        return None
    first = after.last.answers[0]
    for decision in (*before.asked(), *before.offers(first.seat)):
        if (decision.seat, decision.kind) == (first.seat, first.kind):
            return decision
    return None


def _questions(match: Match) -> set[tuple[Seat, str]]:
    """Return which seat is asked what kind of question; drafts make no difference."""
    return {(question.seat, question.kind) for question in match.asked()}
