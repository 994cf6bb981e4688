"""What the bot says about matches, with everything that people made escaped."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from textwrap import shorten
from typing import Any

from bot.kernel.pace import GRANTS, VETO
from bot.kernel.room import Room, as_they_sat
from bot.model.clocks import VACATION_BUDGET, Expiry, Pace, TimeTerms
from bot.model.match import Status
from bot.runtime.clock import DAY, HOUR
from bot.text import listed, say
from bot.ui.names import discreet, escaped, marked_names, one_line, plain_names, unmarked
from bot.ui.parts import cut
from engine import GAMES, Event, IllegalAnswer, Outcome, Seat, View, visible
from engine.core.game import RESIGNED
from engine.core.story import About, Chair, Coming
from engine.core.words import Words, points, words_of

BRIEFEST = 36
"""Characters without which what one of several did is not told."""
LONGEST_NEWS = 150
"""Characters of what happened, in an alt text: a renderer takes no more, and would cut off the newest."""


def words(room: Room) -> Words:
    """The wording of the room's game."""
    return words_of(room.record.game)


def title(room: Room) -> str:
    """The game's name."""
    if room.match is not None:
        return room.match.game.title
    return GAMES[room.record.game].title if room.record.game in GAMES else room.record.game


def players(room: Room) -> str:
    """Everybody at the table, for a message."""
    return listed(marked_names(room))


def others(room: Room, user: int, names: Sequence[str]) -> str:
    """With whom somebody plays, '' if with nobody."""
    mine = room.seat_of(user)
    return listed(name for seat, name in enumerate(names) if seat != mine)


def about(room: Room, hidden: Collection[int] = ()) -> About:
    """Who played a match that has ended, by the names that everybody has seen; when it ended; and its seals.

    Those who want to be in no list are not named: the file may go anywhere.
    """
    record = discreet(room, hidden).record
    names = plain_names(Room(as_they_sat(record, 0)))
    chairs = tuple(Chair(name, who.level or "") for name, who in zip(names, record.chairs, strict=True))
    comings: list[Coming] = []
    for since in sorted({note.since for note in record.seat_changes if note.since > 0}):
        before, names = names, plain_names(Room(as_they_sat(record, since)))
        changed = [seat for seat, (was, now) in enumerate(zip(before, names, strict=True)) if was != now]
        comings += [Coming(since, Seat(seat), names[seat]) for seat in changed]
    day = datetime.fromtimestamp(record.last_activity_at, UTC).date().isoformat() if record.last_activity_at else ""
    return About(record.id, day, tuple(record.commitment.split()), chairs, tuple(comings))


def told(room: Room, events: Sequence[Event], viewer: Seat | None, names: Sequence[str] = ()) -> list[str]:
    """Events in words for a message, as far as the viewer may know them."""
    view = room.playing().view(viewer)
    return _story(room, visible(events, viewer), names or marked_names(room), view)


def _story(room: Room, events: Sequence[Event], names: Sequence[str], view: View, first: int = 0) -> list[str]:
    """Events in words, the first lines left off. A person resigns, even if a computer plays for them by now."""
    return words(room).story(events, names, view, first, [unmarked(name) for name in names])


def seats_changed(room: Room, number: int) -> list[str]:
    """Who came into whose seat just before a commit, a line for each."""
    notes = [note for note in room.record.seat_changes if note.since == number]
    return [say(f"look.seat_{note.why}", who=escaped(note.name), was=escaped(note.was_name)) for note in notes]


def told_singly(room: Room, events: Sequence[Event], viewer: Seat | None) -> list[str]:
    """The same with a line for each."""
    names, view = marked_names(room), room.playing().view(viewer)
    return [line for event in visible(events, viewer) for line in words(room).tell(event, names, view)]


def told_within(room: Room, events: Sequence[Event], viewer: Seat | None, names: Sequence[str], limit: int) -> str:
    """The same in one line of at most so many characters: in order, and of what is too long the end."""
    view, known = room.playing().view(viewer), visible(events, viewer)
    whole = " ".join(_story(room, known, names, view))
    if len(whole) <= limit:
        return whole
    told = ""
    # Sentence by sentence: of a Battle the end is told even where there is no room for its rolls.
    for first in range(sum(len(event.lines()) for event in known) - 1, -1, -1):
        news = " ".join(_story(room, known, names, view, first))
        longer = say("turn.earlier", news=news) if first and news else news
        if len(longer) > limit:
            return told or cut(longer, limit)
        told = longer
    return told


def told_each(room: Room, events: Sequence[Event], viewer: Seat | None, names: Sequence[str], limit: int) -> str:
    """The same of several who acted in turn: how each of them began, if there is room to say so."""
    view = room.playing().view(viewer)
    deeds: list[list[Event]] = []
    actor: Seat | None = None
    for event in visible(events, viewer):
        seat = getattr(event, "seat", None)
        if not deeds or seat not in (None, actor):
            deeds.append([event])
            actor = seat
        else:
            # What follows from a deed, such as a new tile, is told with it.
            deeds[-1].append(event)
    turns = list(filter(None, (" ".join(_story(room, deed, names, view)) for deed in deeds)))
    left, shares = limit, [0] * len(turns)
    # What a short one leaves is for the longer ones.
    for rank, number in enumerate(sorted(range(len(turns)), key=lambda number: len(turns[number]))):
        shares[number] = left // (len(turns) - rank) - 1
        left -= min(len(turns[number]), shares[number]) + 1
    if any(share < min(BRIEFEST, len(turn)) for turn, share in zip(turns, shares, strict=True)):
        return told_within(room, events, viewer, names, limit)
    return " ".join(shorten(turn, share, placeholder="…") for turn, share in zip(turns, shares, strict=True))


def scene(room: Room, events: Sequence[Event], viewer: Seat | None) -> dict[str, Any]:
    """What a picture has to know of what happened: to mark it, and to say it in its alt text."""
    news = told_within(room, events, viewer, plain_names(room), LONGEST_NEWS)
    return {"events": visible(events, viewer), "last": news}


def whose_turn(room: Room) -> str:
    """Who has to decide what: 'Ana places a piece.'; those who are asked the same at once stand together."""
    if room.record.status is Status.CALLED_OFF:
        return say("end.called_off", game=title(room))
    names, wording = marked_names(room), words(room)
    questions = sorted(room.playing().asked(), key=lambda question: question.seat)
    lines: list[str] = []
    for question in questions:
        alike = [other.seat for other in questions if other.kind == question.kind]
        together = wording.many(question.kind) if len(alike) > 1 else ""
        who = listed(f"**{names[seat]}**" for seat in (alike if together else [question.seat]))
        task = together or wording.short(question, names)
        lines.append(say("turn.asked", who=who, task=task))
    # Of those who stand together each has made the same line.
    return " ".join(dict.fromkeys(lines))


def refusal(room: Room, seat: Seat, error: Exception) -> str:
    """Why something was refused; a game's own reason comes with the players' names."""
    if isinstance(error, IllegalAnswer) and error.why is not None:
        return words(room).why(error.why, marked_names(room), room.playing().view(seat))
    return str(error)


def dropped_plan(room: Room, seat: Seat) -> str:
    """Why a seat's plan was not played, for its owner alone; '' if none was dropped."""
    plan = room.plan_of(seat)
    return say("plan.gone_because", move=escaped(plan.move, 200), why=plan.dropped) if plan and plan.dropped else ""


def why_gone(room: Room, seat: Seat, kind: str, keys: Iterable[str]) -> str:
    """Why a choice that was offered once is possible no more; '' if it is, or if something else is asked now."""
    match = room.playing()
    asked = [decision for decision in match.decisions(seat) if decision.kind == kind]
    reasons = (match.why_not(seat, decision, key, marked_names(room)) for decision in asked for key in keys)
    return next(filter(None, reasons), "")


def status_lines(room: Room, viewer: Seat | None) -> list[str]:
    """The position summed up."""
    match = room.playing()
    # What a match would come to is nothing to say of one that has ended, however it has.
    return words(room).status(match.view(viewer), marked_names(room)) if match.outcome is None else []


def ranking_lines(room: Room) -> list[str]:
    """The places of a finished match, from the first on, and why it ended."""
    outcome = room.playing().outcome
    if outcome is None:
        return []
    names, place, lines = marked_names(room), 1, []
    for seats in outcome.ranking:
        who = listed(f"**{names[seat]}**" for seat in seats)
        if outcome.scores:
            score, tiebreak = outcome.scores[seats[0]], _tiebreak(words(room), outcome, seats[0])
            lines.append(say("end.place", place=place, who=who, score=score, tiebreak=tiebreak))
        else:
            lines.append(say("end.place_without_points", place=place, who=who))
        place += len(seats)
    return [say("end.reason", reason=words(room).reason(outcome.reason)), *lines]


def result(room: Room, names: Sequence[str]) -> str:
    """The end in a line: 'Ana wins Blue Lagoon, 162 to 130'."""
    if room.record.status is Status.CALLED_OFF:
        return say("end.called_off", game=title(room))
    outcome = room.playing().outcome
    if outcome is None:
        return ""
    first, *others = outcome.ranking
    who = listed(names[seat] for seat in first)
    score = points(outcome.scores[first[0]]) if outcome.scores else ""
    facts: dict[str, Any] = {"game": title(room), "who": who, "score": score}
    if outcome.reason == RESIGNED:
        playing = room.playing()
        left, gone = playing.humans(), sorted(playing.resigned)
        who, gave_up = (listed(names[seat] for seat in seats) if seats else "" for seats in (left, gone))
        return say("end.early", **(facts | {"who": who, "gone": gave_up}))
    if len(first) > 1:
        return say("end.shared", **facts)
    if others and score:
        facts["next"] = points(outcome.scores[others[0][0]])
    decider = outcome.decider()
    return say("end.won", tiebreak=words(room).tiebreak([decider]) if decider else "", **facts)


def places(room: Room) -> str:
    """Beside the result: the places after the first where there are several, and why the match ended."""
    outcome = room.playing().outcome
    if outcome is None:
        return ""
    names, place, told = marked_names(room), 1, []
    for seats in outcome.ranking:
        if place > 1 or outcome.reason == RESIGNED:
            score = points(outcome.scores[seats[0]]) if outcome.scores else ""
            told.append(say("end.also", place=place, who=listed(names[seat] for seat in seats), score=score))
        place += len(seats)
    if len(names) == 2 and outcome.reason != RESIGNED:
        # The result has told everything.
        told = []
    joined = say("list.comma").join(told)
    if outcome.reason == RESIGNED:
        return say("end.places_early", places=joined)
    return say("end.places", places=joined, reason=words(room).reason(outcome.reason))


def _tiebreak(wording: Words, outcome: Outcome, seat: Seat) -> str:
    """What breaks the tie that a seat is in, '' if it is in none."""
    is_tied = outcome.tiebreak and outcome.scores.count(outcome.scores[seat]) > 1
    return wording.tiebreak(outcome.tiebreak[seat]) if is_tied else ""


def link(room: Room) -> str:
    """Where the match is, for a click."""
    place = room.record.place
    message = room.record.turn_message or room.record.lobby_message
    channel = place.posts_to if room.record.turn_message else place.channel
    base = f"https://discord.com/channels/{place.guild or '@me'}/{channel}"
    return f"{base}/{message}" if message else base


def link_to(room: Room, message: int) -> str:
    """Where a message of the match is, for a click; without one, where the match is."""
    if not message:
        return link(room)
    return f"https://discord.com/channels/{room.record.place.guild or '@me'}/{room.record.place.posts_to}/{message}"


def state_of(room: Room) -> str:
    """A room in a few words, for lists."""
    match room.record.status:
        case Status.LOBBY:
            return say("state.lobby", seated=len(room.record.chairs))
        case Status.PAUSED | Status.ON_HOLD:
            return say("state.paused", why=one_line(room.why_paused, 120))
        case Status.CALLED_OFF:
            return say("state.called_off")
        case Status.CANCELLED:
            return say("state.cancelled")
        case Status.EXPIRED:
            return say("state.expired")
        case Status.FINISHED:
            return say("state.finished")
    return whose_turn(room) if room.match else say("state.running")


def match_line(room: Room) -> str:
    """A room in a line without markdown, for autocompletion."""
    return cut(say("match.choice", game=title(room), players=listed(plain_names(room)), id=room.record.id), 100)


def match_items(rooms: Iterable[Room]) -> str:
    """Rooms to choose from, a line each."""
    return "\n".join(say("match.item", id=room.record.id, game=title(room), players=players(room)) for room in rooms)


def time_contract(terms: TimeTerms) -> str:
    """All that somebody agrees to about time who sits down at a table."""
    if terms.pace is Pace.NONE:
        return say("pace.no_clock")
    facts = {"pace": pace_name(terms.pace), "grants": pace_grants(terms.pace), "expiry": expiry(terms.expiry)}
    zone = say("pace.zone", zone=zone_name(terms.weekends)) if terms.weekends else ""
    return say("pace.contract", **facts, zone=zone, days=VACATION_BUDGET // DAY)


def pace_name(pace: Pace) -> str:
    """What a pace is called."""
    return say(f"pace.{pace}")


def pace_grants(pace: Pace) -> str:
    """What a pace grants, in hours."""
    granted = GRANTS.get(pace)
    if granted is None:
        return say("pace.no_clock")
    hours = {"bank": granted.bank, "increment": granted.increment, "cap": granted.cap}
    return say("pace.grants", **{what: seconds // HOUR for what, seconds in hours.items()})


def expiry(chosen: Expiry) -> str:
    """What happens when somebody's time is up."""
    return say(f"pace.{chosen}", hours=VETO // HOUR)


def zone_name(zone: str) -> str:
    """A time zone as people read it: 'New York'."""
    return zone.rpartition("/")[2].replace("_", " ")
