"""What the bot says about matches and people, with everything that people made escaped."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from textwrap import shorten
from typing import Any

from msgspec.structs import replace

from bot.kernel import queries
from bot.kernel.clocks import GRANTS, VETO
from bot.kernel.room import Room, as_they_sat
from bot.model import COMPUTER, HIDDEN, VACATION_BUDGET, Expiry, Pace, Person, Status, TimeTerms
from bot.runtime.base import DAY, HOUR
from bot.text import listed, say
from bot.ui.client import MotuClient, MotuInteraction
from bot.ui.parts import cut
from bot.ui.pictures import Picture
from engine import GAMES, Event, IllegalAnswer, Outcome, Seat, View, visible
from engine.core.escape import NAME, escaped, one_line
from engine.core.game import RESIGNED
from engine.core.story import About, Chair, Coming
from engine.core.words import Words, points, words_of

BRIEFEST = 36
"""Characters without which what one of several did is not told."""
LONGEST_NEWS = 150
"""Characters of what happened, in an alt text: a renderer takes no more, and would cut off the
newest.
"""


# The match and its players.


def words(room: Room) -> Words:
    """Return the wording of the room's game."""
    return words_of(room.record.game)


def title(room: Room) -> str:
    """Return the game's name."""
    if room.match is not None:
        return room.match.game.title
    return GAMES[room.record.game].title if room.record.game in GAMES else room.record.game


def players(room: Room) -> str:
    """List everybody at the table, for a message."""
    return listed(marked_names(room))


def facts(room: Room) -> dict[str, str]:
    """Return what texts say of a match: the game, its id, who plays, and where it is."""
    return {
        "game": title(room),
        "id": room.record.id,
        "players": players(room),
        "link": link(room),
    }


def others(room: Room, user: int, names: Sequence[str]) -> str:
    """List those with whom somebody plays, '' if with nobody."""
    mine = room.seat_of(user)
    return listed(name for seat, name in enumerate(names) if seat != mine)


def match_line(room: Room) -> str:
    """Return a room in a line without markdown, for autocompletion."""
    return cut(
        say("match.choice", game=title(room), players=listed(plain_names(room)), id=room.record.id),
        100,
    )


def state_of(room: Room) -> str:
    """Return a room's state in a few words, for lists."""
    if room.is_paused:
        return say("state.paused", why=one_line(room.why_paused, 120))
    if room.record.status is Status.RUNNING and room.match:
        return whose_turn(room)
    return say(f"state.{room.record.status}", seated=len(room.record.chairs))


def link(room: Room, message: int = 0) -> str:
    """Return the address of a message of the match; without one, of its newest."""
    record, channel = room.record, room.record.place.posts_to
    message = message or record.turn_message
    if not message:
        channel, message = record.place.channel, record.lobby_message
    address = f"https://discord.com/channels/{record.place.guild or '@me'}/{channel}"
    return f"{address}/{message}" if message else address


def about(room: Room, hidden: Collection[int] = ()) -> About:
    """Return who played a match that has ended, when it ended, and its seals.

    Those who want to be in no list are not named: the file may go anywhere.
    """
    record = discreet(room, hidden).record
    names = plain_names(Room(as_they_sat(record, 0)))
    chairs = tuple(
        Chair(name, who.level or "") for name, who in zip(names, record.chairs, strict=True)
    )
    comings: list[Coming] = []
    for since in sorted({note.since for note in record.seat_changes if note.since > 0}):
        before, names = names, plain_names(Room(as_they_sat(record, since)))
        changed = [seat for seat, name in enumerate(names) if name != before[seat]]
        comings += [Coming(since, Seat(seat), names[seat]) for seat in changed]
    day = (
        datetime.fromtimestamp(record.last_activity_at, UTC).date().isoformat()
        if record.last_activity_at
        else ""
    )
    return About(record.id, day, tuple(record.commitment.split()), chairs, tuple(comings))


# The players' names, and whatever else people wrote: nothing of it passes for the bot's own words.


def person_name(person: Person, is_played_for: bool = False) -> str:
    """A player's name, unescaped; marked if a computer plays, for itself or for them."""
    name = one_line(person.name) or say("name.player", number=person.id % 10_000)
    return say("name.of_computer", name=name) if person.id == COMPUTER or is_played_for else name


def unmarked(name: str) -> str:
    """A player's name without the mark of a computer."""
    before, _, after = say("name.of_computer", name="\n").partition("\n")
    return name.removeprefix(before).removesuffix(after)


def plain_names(room: Room, played_for: Collection[Seat] | None = None) -> tuple[str, ...]:
    """The players' names in seat order for labels and pictures; those who are called alike are told
    apart by seat.

    `played_for` are the people whom a computer plays for: unless said otherwise, those of now.
    """
    match = room.match
    if played_for is None and match is not None:
        # Nobody is played for once a match has ended because people left it.
        has_broken_up = match.outcome is not None and match.outcome.reason == RESIGNED
        played_for = () if has_broken_up else match.resigned | match.away
    names = [
        person_name(person, seat in (played_for or ()))
        for seat, person in enumerate(room.record.chairs)
    ]
    alike = Counter(name.casefold() for name in names)
    for place, name in enumerate(names):
        if alike[name.casefold()] > 1:
            names[place] = say("name.alike", name=cut(name, NAME - 3), seat=place + 1)
    return tuple(names)


def marked_names(room: Room, played_for: Collection[Seat] | None = None) -> tuple[str, ...]:
    """The players' names in seat order, for messages."""
    return tuple(escaped(name) for name in plain_names(room, played_for))


def mentions(users: Iterable[int]) -> str:
    """People as a message calls them."""
    return " ".join(f"<@{user}>" for user in users)


def discreet(room: Room, hidden: Collection[int]) -> Room:
    """The match without the names of those who want to be in no list, for what leaves the table."""

    def name(user: int, usual: str) -> str:
        return say("name.somebody") if user in hidden and user != COMPUTER else usual

    chairs = tuple(
        replace(person, name=name(person.id, person.name)) for person in room.record.chairs
    )
    sat = tuple(
        replace(note, name=name(note.user, note.name), was_name=name(note.was, note.was_name))
        for note in room.record.seat_changes
    )
    return replace(room, record=replace(room.record, chairs=chairs, seat_changes=sat))


async def hidden_players(client: MotuClient, users: Iterable[int]) -> frozenset[int]:
    """Return those of the users who want to be in no list, file or post that leaves the table.

    The wish holds with or without ratings, so it is read here and not through that feature.
    """
    return await client.kernel.store.read(queries.players_with_setting, HIDDEN, tuple(users))


def person(interaction: MotuInteraction) -> Person:
    """Return the user of an interaction, by the name that the server shows."""
    return Person(interaction.user.id, interaction.user.display_name[:100])


def tidied(person: Person) -> Person:
    """Return a person with a name of one short line."""
    name = one_line(person.name, len(person.name))[:NAME].strip()
    return replace(person, name=name or say("name.unnamed"))


# What happened.


def told(
    room: Room,
    events: Sequence[Event],
    viewer: Seat | None,
    names: Sequence[str] = (),
    first: int = 0,
) -> list[str]:
    """Return events in words, as far as the viewer may know them, the first lines left off."""
    names = names or marked_names(room)
    # A person resigns, even if a computer plays for them by now.
    leaving = [unmarked(name) for name in names]
    known, view = visible(events, viewer), room.playing().view(viewer)
    return words(room).story(known, names, view, first, leaving)


def told_singly(room: Room, events: Sequence[Event], viewer: Seat | None) -> list[str]:
    """Return events in words for a message, with a line for each."""
    names, view = marked_names(room), room.playing().view(viewer)
    return [
        line for event in visible(events, viewer) for line in words(room).tell(event, names, view)
    ]


def told_within(
    room: Room, events: Sequence[Event], viewer: Seat | None, limit: int, names: Sequence[str] = ()
) -> str:
    """Return events in one line of limited length: in order, keeping the end if it is too long."""
    events = visible(events, viewer)
    fitting = ""
    # Sentence by sentence: of a Battle the end is told even where there is no room for its rolls.
    for first in reversed(range(sum(len(event.lines()) for event in events))):
        news = " ".join(told(room, events, viewer, names, first))
        longer = say("turn.earlier", news=news) if first and news else news
        if len(longer) > limit:
            return fitting or cut(longer, limit)
        fitting = longer
    return fitting


def told_each(room: Room, events: Sequence[Event], viewer: Seat | None, limit: int) -> str:
    """Return in one line how each of several who acted in turn began; else what fits."""
    deeds: list[list[Event]] = []
    actor: Seat | None = None
    for event in visible(events, viewer):
        seat = getattr(event, "seat", None)
        if not deeds or seat not in (None, actor):
            deeds.append([])
            actor = seat
        # What follows from a deed, such as a new tile, is told with it.
        deeds[-1].append(event)
    stories = (" ".join(told(room, deed, viewer)) for deed in deeds)
    turns = [story for story in stories if story]

    def fits(share: int) -> bool:
        return sum(min(len(turn), share) + 1 for turn in turns) <= limit

    # What a short one leaves is for the longer ones.
    share = next(filter(fits, range(limit, 0, -1)), 0)
    if share < min(BRIEFEST, max(map(len, turns), default=0)):
        return told_within(room, events, viewer, limit)
    return " ".join(shorten(turn, share, placeholder="…") for turn in turns)


async def draw_board(
    client: MotuClient,
    room: Room,
    viewer: Seat | None = None,
    events: Sequence[Event] = (),
    view: View | None = None,
    **marks: Any,
) -> Picture | None:
    """Draw the board as somebody sees it, or another view, with what happened marked and told.

    None if it cannot be drawn.
    """
    view, names = view or room.playing().view(viewer), plain_names(room)
    news = told_within(room, events, viewer, LONGEST_NEWS, names)
    known = visible(events, viewer)
    return await client.pictures.board(view, names, events=known, last=news, **marks)


def seats_changed(room: Room, number: int) -> list[str]:
    """Return who came into whose seat just before a commit, a line for each."""
    notes = [note for note in room.record.seat_changes if note.since == number]
    return [
        say(f"look.seat_{note.why}", who=escaped(note.name), was=escaped(note.was_name))
        for note in notes
    ]


# What has to be decided, and why other answers are refused.


def whose_turn(room: Room) -> str:
    """Return who has to decide what; those who are asked the same at once stand together."""
    if room.record.status is Status.CALLED_OFF:
        return say("end.called_off", game=title(room))
    return words(room).whose_turn(room.playing().asked(), marked_names(room))


def status_lines(room: Room, viewer: Seat | None) -> list[str]:
    """Sum the position up."""
    match = room.playing()
    # What a match would come to is nothing to say of one that has ended, however it has.
    return (
        words(room).status(match.view(viewer), marked_names(room)) if match.outcome is None else []
    )


def refusal(room: Room, seat: Seat, error: Exception) -> str:
    """Return why something was refused; a game's own reason comes with the players' names."""
    if isinstance(error, IllegalAnswer) and error.why is not None:
        return words(room).why(error.why, marked_names(room), room.playing().view(seat))
    return str(error)


def why_gone(room: Room, seat: Seat, kind: str, keys: Iterable[str]) -> str:
    """Return why a choice offered once is possible no more; '' if it is, or isn't asked now."""
    match = room.playing()
    asked = [decision for decision in match.decisions(seat) if decision.kind == kind]
    reasons = (
        match.why_not(seat, decision, key, marked_names(room)) for decision in asked for key in keys
    )
    return next(filter(None, reasons), "")


def dropped_plan(room: Room, seat: Seat) -> str:
    """Return why a seat's plan was not played, for its owner alone; '' if none was dropped."""
    plan = room.plan_of(seat)
    return (
        say("plan.gone_because", move=escaped(plan.move, 200), why=plan.dropped)
        if plan and plan.dropped
        else ""
    )


# The end.


def result(room: Room, names: Sequence[str]) -> str:
    """Return the end in a line: 'Ana wins Blue Lagoon, 162 to 130'."""
    if room.record.status is Status.CALLED_OFF:
        return say("end.called_off", game=title(room))
    match = room.playing()
    outcome = match.outcome
    if outcome is None:
        return ""
    first, *others = _standing(outcome, names)
    facts: dict[str, Any] = {**first, "game": title(room)}
    if outcome.reason == RESIGNED:
        facts["who"] = listed(names[seat] for seat in match.humans())
        facts["gone"] = listed(names[seat] for seat in sorted(match.resigned))
        return say("end.early", **facts)
    if len(first["seats"]) > 1:
        return say("end.shared", **facts)
    if others and first["score"]:
        facts["next"] = others[0]["score"]
    decider = outcome.decider()
    return say("end.won", tiebreak=words(room).tiebreak([decider]) if decider else "", **facts)


def ranking_lines(room: Room) -> list[str]:
    """Return why a finished match ended, and its places from the first on."""
    outcome = room.playing().outcome
    if outcome is None:
        return []
    wording = words(room)
    lines = [say("end.reason", reason=wording.reason(outcome.reason))]
    for facts in _standing(outcome, [f"**{name}**" for name in marked_names(room)]):
        if not outcome.scores:
            lines.append(say("end.place_without_points", **facts))
            continue
        seat = facts["seats"][0]
        facts["score"] = outcome.scores[seat]
        if outcome.tiebreak and outcome.scores.count(facts["score"]) > 1:
            facts["tiebreak"] = wording.tiebreak(outcome.tiebreak[seat])
        lines.append(say("end.place", **facts))
    return lines


def places(room: Room) -> str:
    """Return the places after the first where there are several, and why the match ended."""
    outcome = room.playing().outcome
    if outcome is None:
        return ""
    names, is_early = marked_names(room), outcome.reason == RESIGNED
    # Of two players the result has told everything.
    told_places = [
        say("end.also", **facts)
        for facts in _standing(outcome, names)
        if is_early or (facts["place"] > 1 and len(names) > 2)
    ]
    joined = say("list.comma").join(told_places)
    if is_early:
        return say("end.places_early", places=joined)
    return say("end.places", places=joined, reason=words(room).reason(outcome.reason))


def _standing(outcome: Outcome, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the facts of each place: its number, the seats and names that share it, their points.

    In a game without points these are ''.
    """
    found = []
    place = 1
    for seats in outcome.ranking:
        who = listed(names[seat] for seat in seats)
        score = points(outcome.scores[seats[0]]) if outcome.scores else ""
        found.append({"place": place, "seats": seats, "who": who, "score": score})
        place += len(seats)
    return found


# A table's terms about time.


def time_contract(terms: TimeTerms) -> str:
    """Return all that somebody agrees to about time who sits down at a table."""
    if terms.pace is Pace.NONE:
        return say("pace.no_clock")
    return say(
        "pace.contract",
        pace=pace_name(terms.pace),
        grants=pace_grants(terms.pace),
        expiry=expiry(terms.expiry),
        zone=say("pace.zone", zone=zone_name(terms.weekends)) if terms.weekends else "",
        days=VACATION_BUDGET // DAY,
    )


def pace_name(pace: Pace) -> str:
    """Return what a pace is called."""
    return say(f"pace.{pace}")


def pace_grants(pace: Pace) -> str:
    """Return what a pace grants, in hours."""
    if pace not in GRANTS:
        return say("pace.no_clock")
    grants = GRANTS[pace]
    return say(
        "pace.grants",
        bank=grants.bank // HOUR,
        increment=grants.increment // HOUR,
        cap=grants.cap // HOUR,
    )


def expiry(chosen: Expiry) -> str:
    """Return what happens when somebody's time is up."""
    return say(f"pace.{chosen}", hours=VETO // HOUR)


def zone_name(zone: str) -> str:
    """Return a time zone as people read it: 'New York'."""
    return zone.rpartition("/")[2].replace("_", " ")
