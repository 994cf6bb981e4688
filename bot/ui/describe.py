"""Describe matches and people in words.

Everything that people wrote, such as their names, must be escaped before it goes into a message, so
that it cannot pass for the bot's own words. The texts themselves are in en.toml.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from textwrap import shorten
from typing import Any

from msgspec.structs import replace

from bot.kernel import queries
from bot.kernel.clocks import DRAFT_VETO_SECONDS, GRANTS
from bot.kernel.room import Room, with_seating_at
from bot.model import COMPUTER, HIDDEN, VACATION_BUDGET, Expiry, Pace, Person, Status, TimeTerms
from bot.runtime.base import DAY, HOUR
from bot.text import and_list, say
from bot.ui.client import MotuClient, MotuInteraction
from bot.ui.parts import cut
from bot.ui.pictures import Picture
from engine import GAMES, Event, IllegalAnswer, Outcome, Seat, View, visible
from engine.core.escape import NAME, code_text, escape_text, one_line
from engine.core.game import RESIGNED
from engine.core.story import About, Chair, NewPlayer
from engine.core.words import Words, points, words_of

MIN_SHARE = 36
"""The fewest characters per player with which the turns of several players are listed."""
MAX_ALT_NEWS = 150
"""The most characters about what happened in an alt text; a longer text would lose its end."""
MAX_ALT_SETUP = 220
"""MAX_ALT_NEWS before the first move, when there is little else to say about the board."""
MAX_CHOICE = 100
"""The most characters of an autocompletion choice that Discord accepts."""
SENTENCE_END = re.compile(r"(?<=[.!?]) ")


# The match and its players.


def words(room: Room) -> Words:
    """Return the words of the room's game."""
    return words_of(room.record.game)


def title(room: Room) -> str:
    """Return the game's name."""
    if room.match is not None:
        return room.match.game.title
    return GAMES[room.record.game].title if room.record.game in GAMES else room.record.game


def players(room: Room) -> str:
    """Return the names of all players as a list in words, for a message."""
    return and_list(marked_names(room))


def facts(room: Room) -> dict[str, str]:
    """Return facts about a match for texts: the game, its id, the players and a link."""
    return {
        "game": title(room),
        "id": room.record.id,
        "players": players(room),
        "link": link(room),
    }


def others(room: Room, user: int, names: Sequence[str]) -> str:
    """Return the names of the other players as a list in words; '' if there are none."""
    mine = room.seat_of(user)
    return and_list(name for seat, name in enumerate(names) if seat != mine)


def match_line(room: Room) -> str:
    """Return a line without markdown that names a match, for autocompletion."""
    names = and_list(plain_names(room))
    line = say("match.choice", game=title(room), players=names, id=room.record.id)
    return cut(line, MAX_CHOICE)


def describe_state(room: Room) -> str:
    """Return a match's state in a few words, for lists."""
    if room.is_paused:
        return say("state.paused", why=one_line(room.why_paused, 120))
    if room.record.status is Status.RUNNING and room.match:
        return whose_turn(room)
    return say(f"state.{room.record.status}", seated=len(room.record.chairs))


def link(room: Room, message: int = 0) -> str:
    """Return a link to a message of the match, by default to the newest."""
    record, channel = room.record, room.record.place.posts_to
    message = message or record.turn_message
    if not message:
        channel, message = record.place.channel, record.lobby_message
    address = channel_link(record.place.guild, channel)
    return f"{address}/{message}" if message else address


def channel_link(guild: int, channel: int) -> str:
    """Return a link to a channel or thread; the server is 0 for direct messages."""
    return f"https://discord.com/channels/{guild or '@me'}/{channel}"


def about(room: Room, hidden: Collection[int] = ()) -> About:
    """Return who played a finished match, when it ended, and its seals, for an exported file.

    `hidden` are the users to leave unnamed: the file may go anywhere.
    """
    record = hide_names(room, hidden).record
    names = plain_names(Room(with_seating_at(record, 0)))
    chairs = tuple(
        Chair(name, who.level or "") for name, who in zip(names, record.chairs, strict=True)
    )
    newcomers: list[NewPlayer] = []
    for since in sorted({change.since for change in record.seat_changes if change.since > 0}):
        before, names = names, plain_names(Room(with_seating_at(record, since)))
        changed = [seat for seat, name in enumerate(names) if name != before[seat]]
        newcomers += [NewPlayer(since, Seat(seat), names[seat]) for seat in changed]
    day = ""
    if record.last_activity_at:
        day = datetime.fromtimestamp(record.last_activity_at, UTC).date().isoformat()
    return About(record.id, day, tuple(record.commitment.split()), chairs, tuple(newcomers))


# Names.


def person_name(person: Person, is_played_for: bool = False) -> str:
    """Return a player's name, unescaped; it is marked if a computer plays, or plays for them."""
    name = one_line(person.name) or say("name.player", number=person.id % 10_000)
    if person.id == COMPUTER or is_played_for:
        return say("name.of_computer", name=name)
    return name


def strip_computer_mark(name: str) -> str:
    """Return a player's name without the mark of a computer."""
    before, _, after = say("name.of_computer", name="\n").partition("\n")
    return name.removeprefix(before).removesuffix(after)


def plain_names(room: Room, played_for: Collection[Seat] | None = None) -> tuple[str, ...]:
    """Return the players' names in seat order, for labels and pictures.

    Players with the same name are told apart by their seats. `played_for` are the seats that a
    computer plays for somebody; by default those of the current position.
    """
    match = room.match
    if played_for is None and match is not None:
        # After a match has ended because people left it, computers play for nobody.
        has_broken_up = match.outcome is not None and match.outcome.reason == RESIGNED
        played_for = () if has_broken_up else match.resigned | match.away
    names = [
        person_name(person, seat in (played_for or ()))
        for seat, person in enumerate(room.record.chairs)
    ]
    counts = Counter(name.casefold() for name in names)
    for seat, name in enumerate(names):
        if counts[name.casefold()] > 1:
            names[seat] = say("name.alike", name=cut(name, NAME - 3), seat=seat + 1)
    return tuple(names)


def marked_names(room: Room, played_for: Collection[Seat] | None = None) -> tuple[str, ...]:
    """Return the players' names in seat order with markdown escaped, for messages."""
    return tuple(escape_text(name) for name in plain_names(room, played_for))


def mentions(users: Iterable[int]) -> str:
    """Return the text that mentions users in a message."""
    return " ".join(f"<@{user}>" for user in users)


def hide_names(room: Room, hidden: Collection[int]) -> Room:
    """Return a match without the names of hidden players, for what other people will see."""

    def name(user: int, real_name: str) -> str:
        return say("name.somebody") if user in hidden and user != COMPUTER else real_name

    chairs = tuple(
        replace(person, name=name(person.id, person.name)) for person in room.record.chairs
    )
    seat_changes = tuple(
        replace(
            change, name=name(change.user, change.name), was_name=name(change.was, change.was_name)
        )
        for change in room.record.seat_changes
    )
    return replace(room, record=replace(room.record, chairs=chairs, seat_changes=seat_changes))


async def hidden_players(client: MotuClient, users: Iterable[int]) -> frozenset[int]:
    """Return the users who do not want to be named outside their matches."""
    # The setting belongs to the ratings, but it holds without that feature, too.
    return await client.kernel.store.read(queries.players_with_setting, HIDDEN, tuple(users))


def person(interaction: MotuInteraction) -> Person:
    """Return the user of an interaction, with their name on the server."""
    user = interaction.user
    return Person(user.id, user.display_name[:100], locale=str(interaction.locale))


def tidy_name(person: Person) -> Person:
    """Return a person with a name that fits on one short line."""
    name = one_line(person.name, len(person.name))[:NAME].strip()
    return replace(person, name=name or say("name.unnamed"))


# What happened.


def tell_events(
    room: Room,
    events: Sequence[Event],
    viewer: Seat | None,
    names: Sequence[str] = (),
    first: int = 0,
) -> list[str]:
    """Return events in words, as far as the viewer may know them, starting with line `first`."""
    names = names or marked_names(room)
    # It was a person who resigned, even if a computer plays the seat by now.
    leaving = [strip_computer_mark(name) for name in names]
    known, view = visible(events, viewer), room.playing().view(viewer)
    return words(room).story(known, names, view, first, leaving)


def event_lines(room: Room, events: Sequence[Event], viewer: Seat | None) -> list[str]:
    """Return one line per visible event."""
    names, view = marked_names(room), room.playing().view(viewer)
    lines: list[str] = []
    for event in visible(events, viewer):
        lines += words(room).event_lines(event, names, view)
    return lines


def tell_within(
    room: Room, events: Sequence[Event], viewer: Seat | None, limit: int, names: Sequence[str] = ()
) -> str:
    """Return events in one line of limited length, leaving out the earlier ones if need be."""
    events = visible(events, viewer)
    fitting = ""
    # Sentences are added from the end: a battle's result matters more than its rolls.
    for first in reversed(range(sum(len(event.lines()) for event in events))):
        news = " ".join(tell_events(room, events, viewer, names, first))
        longer = say("turn.earlier", news=news) if first and news else news
        if len(longer) > limit:
            return fitting or cut(longer, limit)
        fitting = longer
    return fitting


def tell_each_actor(room: Room, events: Sequence[Event], viewer: Seat | None, limit: int) -> str:
    """Return in one line what each of several players did, as far as it fits."""
    actions: list[list[Event]] = []
    actor: Seat | None = None
    for event in visible(events, viewer):
        seat = getattr(event, "seat", None)
        if not actions or seat not in (None, actor):
            actions.append([])
            actor = seat
        # Events without a seat, such as a new tile, are consequences of the action before them.
        actions[-1].append(event)
    stories = (" ".join(tell_events(room, action, viewer)) for action in actions)
    turns = [story for story in stories if story]

    def fits(share: int) -> bool:
        return sum(len(cut_to_sentences(turn, share)) + 1 for turn in turns) <= limit

    # Find the largest share per turn with which all fit: short turns leave room to longer ones.
    share = next(filter(fits, range(limit, 0, -1)), 0)
    if share < min(MIN_SHARE, max(map(len, turns), default=0)):
        return tell_within(room, events, viewer, limit)
    return " ".join(cut_to_sentences(turn, share) for turn in turns)


def tell_from_start(
    room: Room, events: Sequence[Event], viewer: Seat | None, limit: int, names: Sequence[str] = ()
) -> str:
    """Return events in one line of limited length, leaving out the later ones if need be."""
    return cut_to_sentences(" ".join(tell_events(room, events, viewer, names)), limit)


def cut_to_sentences(text: str, limit: int) -> str:
    """Shorten a text to whole sentences, or to whole words where little would be left."""
    if len(text) <= limit:
        return text
    beginning = ""
    for sentence in SENTENCE_END.split(text):
        longer = f"{beginning}{sentence} "
        if len(longer) >= limit:
            break
        beginning = longer
    return f"{beginning}…" if 2 * len(beginning) > limit else shorten(text, limit, placeholder="…")


def tell_for_alt_text(room: Room, events: Sequence[Event], viewer: Seat | None) -> str:
    """Return what happened, without markdown, for the beginning of a board's alt text."""
    is_setup = not room.playing().number
    limit = MAX_ALT_SETUP if is_setup else MAX_ALT_NEWS
    return tell_within(room, events, viewer, limit, plain_names(room))


async def draw_board(
    client: MotuClient,
    room: Room,
    viewer: Seat | None = None,
    events: Sequence[Event] = (),
    view: View | None = None,
    **marks: Any,
) -> Picture | None:
    """Draw the board as a viewer sees it, or another view, with these events marked on it.

    Returns None if it cannot be drawn.
    """
    view, names = view or room.playing().view(viewer), plain_names(room)
    news = tell_for_alt_text(room, events, viewer)
    known = visible(events, viewer)
    return await client.pictures.board(view, names, events=known, last=news, **marks)


def seat_change_lines(room: Room, number: int) -> list[str]:
    """Return one line for each seat that changed hands just before a commit."""
    changes = [change for change in room.record.seat_changes if change.since == number]
    return [
        say(
            f"look.seat_{change.why}",
            who=escape_text(change.name),
            was=escape_text(change.was_name),
        )
        for change in changes
    ]


# What has to be decided, and why other answers are refused.


def whose_turn(room: Room) -> str:
    """Return the line that says who has to decide what, or that the match was called off."""
    if room.record.status is Status.CALLED_OFF:
        return say("end.called_off", game=title(room))
    return words(room).whose_turn(room.playing().asked(), marked_names(room))


def emphasize_question(text: str) -> str:
    """Make the question in a text bold; a text without a question becomes bold as a whole."""
    sentences = SENTENCE_END.split(text)
    for number, sentence in enumerate(sentences):
        if sentence.endswith("?"):
            before, after = sentences[:number], sentences[number + 1 :]
            return say(
                "panel.question",
                question=sentence,
                before=" ".join(before),
                after=" ".join(after),
            )
    return say("panel.question", question=text, before="", after="")


def status_lines(room: Room, viewer: Seat | None) -> list[str]:
    """Return lines that sum up the position; none after the end (see `ranking_lines`)."""
    match = room.playing()
    if match.outcome is not None:
        return []
    return words(room).status(match.view(viewer), marked_names(room))


def refusal(room: Room, seat: Seat, error: Exception) -> str:
    """Return why something was refused. A game's reason for an illegal answer names the players."""
    if isinstance(error, IllegalAnswer) and error.why is not None:
        return words(room).why(error.why, marked_names(room), room.playing().view(seat))
    return str(error)


def why_impossible_now(room: Room, seat: Seat, kind: str, keys: Iterable[str]) -> str:
    """Return why a choice is no longer possible; '' if it still is or no such question is open."""
    match = room.playing()
    for decision in match.decisions(seat):
        if decision.kind != kind:
            continue
        for key in keys:
            if why := match.why_not(seat, decision, key, marked_names(room)):
                return why
    return ""


def why_plan_dropped(room: Room, seat: Seat) -> str:
    """Return why a seat's plan was not played, for its owner; '' if none was dropped."""
    plan = room.plan_of(seat)
    if plan is None or not plan.dropped:
        return ""
    return say("plan.gone_because", move=code_text(plan.move, 200), why=plan.dropped)


# The end.


def result(room: Room, names: Sequence[str]) -> str:
    """Return the end in a line: 'Ana wins Blue Lagoon, 162 to 130'."""
    if room.record.status is Status.CALLED_OFF:
        return say("end.called_off", game=title(room))
    match = room.playing()
    outcome = match.outcome
    if outcome is None:
        return ""
    first, *others = _list_places(outcome, names)
    facts: dict[str, Any] = {**first, "game": title(room)}
    if outcome.reason == RESIGNED:
        facts["who"] = and_list(names[seat] for seat in match.humans())
        facts["gone"] = and_list(names[seat] for seat in sorted(match.resigned))
        return say("end.early", **facts)
    if len(first["seats"]) > 1:
        return say("end.shared", **facts)
    if others and first["score"]:
        facts["next"] = others[0]["score"]
    decider = outcome.decider()
    return say("end.won", tiebreak=words(room).tiebreak([decider]) if decider else "", **facts)


def ranking_lines(room: Room) -> list[str]:
    """Return why a finished match ended, and one line per place."""
    outcome = room.playing().outcome
    if outcome is None:
        return []
    game_words = words(room)
    lines = [say("end.reason", reason=game_words.reason(outcome.reason))]
    for facts in _list_places(outcome, [f"**{name}**" for name in marked_names(room)]):
        if not outcome.scores:
            lines.append(say("end.place_without_points", **facts))
            continue
        seat = facts["seats"][0]
        facts["score"] = outcome.scores[seat]
        if outcome.tiebreak and outcome.scores.count(facts["score"]) > 1:
            facts["tiebreak"] = game_words.tiebreak(outcome.tiebreak[seat])
        lines.append(say("end.place", **facts))
    return lines


def places(room: Room) -> str:
    """Return the lower ranks in a line, if there are several, and why the match ended."""
    outcome = room.playing().outcome
    if outcome is None:
        return ""
    names, is_early = marked_names(room), outcome.reason == RESIGNED
    # With two players, `result` has said everything.
    lines = [
        say("end.also", **facts)
        for facts in _list_places(outcome, names)
        if is_early or (facts["place"] > 1 and len(names) > 2)
    ]
    joined = say("list.comma").join(lines)
    if is_early:
        return say("end.places_early", places=joined)
    return say("end.places", places=joined, reason=words(room).reason(outcome.reason))


def _list_places(outcome: Outcome, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the text facts of each rank: its number, its seats, their names, and their points.

    The points are '' in a game without them.
    """
    entries = []
    place = 1
    for seats in outcome.ranking:
        who = and_list(names[seat] for seat in seats)
        score = points(outcome.scores[seats[0]]) if outcome.scores else ""
        entries.append({"place": place, "seats": seats, "who": who, "score": score})
        place += len(seats)
    return entries


# The time limits of a match.


def time_contract(terms: TimeTerms) -> str:
    """Return the rules about time that a player agrees to by joining."""
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
    """Return the name of a pace."""
    return say(f"pace.{pace}")


def pace_grants(pace: Pace) -> str:
    """Return how many hours a pace grants."""
    if pace not in GRANTS:
        return say("pace.no_limit")
    grants = GRANTS[pace]
    return say(
        "pace.grants",
        bank=grants.bank // HOUR,
        increment=grants.increment // HOUR,
        cap=grants.cap // HOUR,
    )


def expiry(chosen: Expiry) -> str:
    """Return what happens when somebody's time is up."""
    return say(f"pace.{chosen}", hours=DRAFT_VETO_SECONDS // HOUR)


def zone_name(zone: str) -> str:
    """Return a time zone as people read it: 'New York'."""
    return zone.rpartition("/")[2].replace("_", " ")
