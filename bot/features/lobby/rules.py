"""What may happen before a match begins: pure functions over its record."""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

from msgspec.structs import replace

from bot.model.match import COMPUTER, MatchRecord, Person, Status, Terms
from bot.runtime.errors import Refused
from bot.text import listed, say
from bot.ui.names import tidied
from engine import BadSettings, EngineError, Game, Seat, begin
from engine.core.game import seats_in_words
from engine.core.words import words_of
from engine.players import Level


def join(record: MatchRecord, game: Game[Any], person: Person) -> MatchRecord:
    """Seat a person or computer in the last chair."""
    _must_be_open(record)
    if person.id != COMPUTER and person.id in _users(record):
        raise Refused(say("refusal.seated"))
    seats = game.seats[-1]
    if len(record.chairs) >= seats:
        raise Refused(say("refusal.full", seats=seats))
    awaited = record.awaited
    has_own_chair = person.id == COMPUTER or person.id in awaited
    if not has_own_chair and len(record.chairs) + len(awaited) >= seats:
        raise Refused(say("refusal.kept", who=listed(f"<@{user}>" for user in awaited)))
    return replace(record, chairs=_in_order(record.seating, (*record.chairs, tidied(person))))


def _in_order(seating: tuple[int, ...], chairs: tuple[Person, ...]) -> tuple[Person, ...]:
    """Return the chairs of a rematch in the order in which people are to sit, newcomers last."""
    ordered, rest = [], list(chairs)
    for user in seating:
        for person in rest:
            if person.id == user:
                ordered.append(person)
                rest.remove(person)
                break
    return (*ordered, *rest)


def leave(record: MatchRecord, person: Person) -> MatchRecord:
    """Let a person go; the next in line becomes host, and without people the lobby is cancelled.

    Somebody to whom a rematch is offered declines it this way, and is not awaited any more.
    """
    _must_be_open(record)
    seating = tuple(user for user in record.seating if user == COMPUTER or user != person.id)
    if person.id in record.awaited:
        return replace(record, seating=seating)
    _must_be_seated(record, person)
    chairs = tuple(other for other in record.chairs if other.id != person.id)
    people = [other.id for other in chairs if other.id != COMPUTER]
    if not people:
        return replace(record, chairs=chairs, status=Status.CANCELLED)
    host = record.host if record.host in people else people[0]
    return replace(record, chairs=chairs, seating=seating, host=host)


def make_rematch(ended: MatchRecord, game: Game[Any], began: Seat, match: str, by: Person) -> MatchRecord:
    """Return the lobby of a rematch: same settings, with the computers and the person who offers it in their chairs.

    Everybody sits one place on, so that the first chair is next to the one that began. Where a setting says who begins
    it is the first; otherwise the rules do. A coach is there for a first match alone.
    """
    chairs = (*ended.chairs[began + 1 :], *ended.chairs[: began + 1])
    seated = [tidied(by) if chair.id == by.id else chair for chair in chairs if chair.id in (by.id, COMPUTER)]
    return MatchRecord(
        id=match,
        game=ended.game,
        status=Status.LOBBY,
        place=replace(ended.place, thread=0),
        host=by.id,
        settings={**ended.settings, game.begins: "1"} if game.begins else ended.settings,
        terms=replace(ended.terms, lesson=False),
        chairs=tuple(seated),
        # People who wanted to be forgotten will not come.
        seating=tuple(chair.id for chair in chairs if chair.id >= COMPUTER),
    )


def add_computer(record: MatchRecord, game: Game[Any], by: Person, level: Level) -> MatchRecord:
    """Put a computer into the next chair."""
    _must_be_host(record, by, "add_computer")
    return join(record, game, Person(COMPUTER, _computer_name(record), level))


def _computer_name(record: MatchRecord) -> str:
    """Return a name of the game's world that nobody has yet; when they have run out, a letter."""
    taken = {person.name for person in record.chairs}
    letters = (say("name.computer", letter=letter) for letter in ascii_uppercase)
    return next(name for name in (*words_of(record.game).computers, *letters) if name not in taken)


def set_level(record: MatchRecord, by: Person, seat: Seat, level: Level) -> MatchRecord:
    """Let a computer play better or worse."""
    computer = _computer(record, by, seat)
    chairs = (*record.chairs[:seat], replace(computer, level=level), *record.chairs[seat + 1 :])
    return replace(record, chairs=chairs)


def remove_computer(record: MatchRecord, by: Person, seat: Seat) -> MatchRecord:
    """Send a computer away."""
    _computer(record, by, seat)
    return replace(record, chairs=(*record.chairs[:seat], *record.chairs[seat + 1 :]))


def _computer(record: MatchRecord, by: Person, seat: Seat) -> Person:
    """Return the computer in a chair; refuse if there is none, or if it is not this person's to change."""
    _must_be_host(record, by, "add_computer")
    if not 0 <= seat < len(record.chairs) or record.chairs[seat].id != COMPUTER:
        raise Refused(say("refusal.no_computer"))
    return record.chairs[seat]


def toggle_hints(record: MatchRecord, person: Person) -> MatchRecord:
    """Give somebody's consent to hints, or take it back."""
    _must_be_open(record)
    _must_be_seated(record, person)
    hints = tuple(user for user in record.terms.hints if user != person.id)
    if person.id not in record.terms.hints:
        hints = (*hints, person.id)
    return replace(record, terms=replace(record.terms, hints=hints))


def toggle_rated(record: MatchRecord, by: Person) -> MatchRecord:
    """Have the match rated, or not any more."""
    return set_terms(record, by, replace(record.terms, rated=not record.terms.rated))


def set_terms(record: MatchRecord, by: Person, terms: Terms) -> MatchRecord:
    """Change what the table agrees on besides the game's settings."""
    _must_be_host(record, by, "set")
    return replace(record, terms=terms)


def set_setting(record: MatchRecord, game: Game[Any], by: Person, key: str, value: str) -> MatchRecord:
    """Choose a setting that a table of at least so many could have, whatever else still has to be changed."""
    _must_be_host(record, by, "set")
    check_settings(game, {key: value}, at_least=len(record.chairs))
    return replace(record, settings={**record.settings, key: value})


def cancel(record: MatchRecord, by: Person) -> MatchRecord:
    """Close the lobby for good."""
    _must_be_host(record, by, "cancel")
    return replace(record, status=Status.CANCELLED)


def expire(record: MatchRecord) -> MatchRecord:
    """Close a lobby in which nobody has done anything for long."""
    _must_be_open(record)
    return replace(record, status=Status.EXPIRED)


def check_can_start(record: MatchRecord, game: Game[Any], by: Person) -> None:
    """Refuse a start that is not the host's, with too few seats, or with settings that do not fit."""
    _must_be_host(record, by, "start")
    if len(record.chairs) < game.seats[0]:
        raise Refused(say("refusal.too_few", game=game.title, least=game.seats[0], seated=len(record.chairs)))
    if against := obstacles(record, game):
        raise BadSettings("\n".join(against))


def obstacles(record: MatchRecord, game: Game[Any]) -> list[str]:
    """Return what stands against a start besides empty chairs: settings that do not fit the number of players."""
    seats, words = max(len(record.chairs), game.seats[0]), words_of(game.id)
    found = []
    for setting in game.settings:
        value = record.settings.get(setting.key, setting.default)
        fits = any(choice.key == value and choice.fits(seats) for choice in setting.choices)
        if not setting.free and not fits:
            facts = {"setting": words.setting(setting.key), "value": words.choice(setting.key, value)}
            found.append(say("lobby.misfit", seats=seats, **facts))
    if not found and any(setting.free and record.settings.get(setting.key) for setting in game.settings):
        # Only the game can tell whether what was given freely fits, such as a map.
        try:
            begin(game, seats, record.settings)
        except EngineError as error:
            found.append(str(error))
    return found


def check_settings(game: Game[Any], settings: Mapping[str, str], at_least: int = 0) -> None:
    """Refuse settings that no table of at least so many could have."""
    least, most = seats_in_words(game)
    refusal: EngineError = BadSettings(say("refusal.for_seats", game=game.title, least=least, most=most))
    for seats in game.seats:
        if seats < at_least:
            continue
        try:
            begin(game, seats, settings)
        except EngineError as error:
            refusal = error
        else:
            return
    raise refusal


def _users(record: MatchRecord) -> list[int]:
    return [person.id for person in record.chairs]


def _must_be_open(record: MatchRecord) -> None:
    if record.status is Status.EXPIRED:
        raise Refused(say("refusal.lobby_expired"))
    if record.status is Status.CANCELLED:
        raise Refused(say("refusal.lobby_cancelled"))
    if record.status is not Status.LOBBY:
        raise Refused(say("refusal.begun"))


def _must_be_seated(record: MatchRecord, person: Person) -> None:
    if person.id == COMPUTER or person.id not in _users(record):
        raise Refused(say("refusal.not_seated"))


def _must_be_host(record: MatchRecord, by: Person, deed: str) -> None:
    """Refuse what only the host may do; `deed` names the text in [refusal], such as `host_start`."""
    _must_be_open(record)
    if by.id != record.host:
        raise Refused(say(f"refusal.host_{deed}"))
