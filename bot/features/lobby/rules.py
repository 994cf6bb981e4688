"""What may happen to a table before its match begins, and what its host can choose: pure
functions over its record.
"""

from collections.abc import Callable, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.kernel.zones import USUAL_ZONES
from bot.model.clocks import Expiry, Pace
from bot.model.match import COMPUTER, MatchRecord, Person, Status, Terms
from bot.runtime.errors import Refused
from bot.text import listed, say
from bot.ui import describe
from bot.ui.names import tidied
from bot.ui.parts import CHOICES
from engine import BadSettings, EngineError, Game, Seat, Setting, begin
from engine.core.escape import escaped
from engine.core.game import seats_in_words
from engine.core.words import words_of
from engine.players import LEVELS, Level

MAX_TYPED_LENGTH = 1000
"""Characters of settings that are typed."""


class Table(Struct, frozen=True):
    """A lobby and its game.

    Each method returns what something makes of the lobby, or raises Refused.
    """

    record: MatchRecord
    game: Game[Any]

    def join(self, person: Person) -> MatchRecord:
        """Seat a person or computer in the last chair; in a rematch, in the one that was theirs."""
        self.check_open()
        record, seats = self.record, self.game.seats[-1]
        is_computer = person.id == COMPUTER
        if not is_computer and self.is_seated(person):
            raise Refused("refusal.seated")
        if len(record.chairs) >= seats:
            raise Refused("refusal.full", seats=seats)
        awaited = record.awaited
        has_own_chair = is_computer or person.id in awaited
        if not has_own_chair and len(record.chairs) + len(awaited) >= seats:
            raise Refused("refusal.kept", who=listed(f"<@{user}>" for user in awaited))
        ordered, newcomers = [], [*record.chairs, tidied(person)]
        for user in record.seating:
            if chair := next((chair for chair in newcomers if chair.id == user), None):
                ordered.append(chair)
                newcomers.remove(chair)
        return replace(record, chairs=(*ordered, *newcomers))

    def leave(self, person: Person) -> MatchRecord:
        """Let a person go; the next in line becomes host, and without people the lobby is
        cancelled.

        Somebody to whom a rematch is offered declines it this way, and is not awaited any more.
        """
        self.check_open()
        record = self.record
        seating = tuple(user for user in record.seating if user == COMPUTER or user != person.id)
        if person.id in record.awaited:
            return replace(record, seating=seating)
        self.check_seated(person)
        chairs = tuple(other for other in record.chairs if other.id != person.id)
        people = [other.id for other in chairs if other.id != COMPUTER]
        if not people:
            # Computers do not wait for anybody.
            return replace(record, chairs=chairs, status=Status.CANCELLED)
        host = record.host if record.host in people else people[0]
        return replace(record, chairs=chairs, seating=seating, host=host)

    def cancel(self, by: Person) -> MatchRecord:
        """Close the lobby for good; for the host."""
        self.check_host(by, "cancel")
        return replace(self.record, status=Status.CANCELLED)

    def add_computer(self, by: Person, level: Level) -> MatchRecord:
        """Put a computer into the next chair; for the host.

        It gets a name of the game's world that nobody has yet; when they have run out, a letter.
        """
        self.check_host(by, "add_computer")
        taken = {person.name for person in self.record.chairs}
        letters = (say("name.computer", letter=letter) for letter in ascii_uppercase)
        names = (*words_of(self.record.game).computers, *letters)
        return self.join(Person(COMPUTER, next(name for name in names if name not in taken), level))

    def change_computer(self, by: Person, seat: Seat, level: Level | None) -> MatchRecord:
        """Let a computer play better or worse, or without a level send it away; for the host."""
        self.check_host(by, "add_computer")
        chairs = list(self.record.chairs)
        if not 0 <= seat < len(chairs) or chairs[seat].id != COMPUTER:
            raise Refused("refusal.no_computer")
        # A slice, so that an empty list takes the chair away.
        chairs[seat : seat + 1] = [replace(chairs[seat], level=level)] if level else []
        return replace(self.record, chairs=tuple(chairs))

    def set_setting(self, by: Person, key: str, value: str) -> MatchRecord:
        """Choose a setting that a table of at least this size allows, even if others must still
        change.
        """
        self.check_host(by, "set")
        check_settings(self.game, {key: value}, at_least=len(self.record.chairs))
        return replace(self.record, settings={**self.record.settings, key: value})

    def set_terms(self, by: Person, terms: Terms) -> MatchRecord:
        """Change what the table agrees on besides the game's settings; for the host."""
        self.check_host(by, "set")
        return replace(self.record, terms=terms)

    def toggle_rated(self, by: Person) -> MatchRecord:
        """Have the match rated, or not any more; for the host."""
        terms = self.record.terms
        return self.set_terms(by, replace(terms, rated=not terms.rated))

    def toggle_hints(self, person: Person) -> MatchRecord:
        """Give somebody's consent to hints, or take it back."""
        self.check_open()
        self.check_seated(person)
        terms = self.record.terms
        hints = tuple(user for user in terms.hints if user != person.id)
        if hints == terms.hints:
            hints = (*hints, person.id)
        return replace(self.record, terms=replace(terms, hints=hints))

    def check_can_start(self, by: Person) -> None:
        """Refuse a start that is not the host's, with too few seats, or with settings that do
        not fit.
        """
        self.check_host(by, "start")
        least, seated = self.game.seats[0], len(self.record.chairs)
        if seated < least:
            raise Refused("refusal.too_few", game=self.game.title, least=least, seated=seated)
        if against := self.obstacles():
            raise BadSettings("\n".join(against))

    def obstacles(self) -> list[str]:
        """Return what stands against a start besides empty chairs: settings that do not fit the
        number of players.
        """
        game, chosen = self.game, self.record.settings
        seats = max(len(self.record.chairs), game.seats[0])
        found = []
        for setting in listed_settings(game):
            value = chosen.get(setting.key, setting.default)
            if not any(choice.key == value and choice.fits(seats) for choice in setting.choices):
                words = words_of(game.id)
                facts = {
                    "setting": words.setting(setting.key),
                    "value": words.choice(setting.key, value),
                }
                found.append(say("lobby.misfit", seats=seats, **facts))
        if not found and has_own_map(game, chosen):
            # Only the game can tell whether what was given freely fits.
            try:
                begin(game, seats, chosen)
            except EngineError as error:
                found.append(str(error))
        return found

    def open_settings(self) -> list[tuple[Setting, list[str]]]:
        """Return the settings that a table of this size can choose, with their allowed values.

        A value that was chosen and does not fit any more is among them, so that it is seen and can
        be changed.
        """
        allowed = self.game.seats
        seats = min(max(len(self.record.chairs), allowed[0]), allowed[-1])
        found = []
        for setting in listed_settings(self.game):
            now = self.record.settings.get(setting.key, setting.default)
            values = [
                choice.key for choice in setting.choices if choice.fits(seats) or choice.key == now
            ]
            if len(values) > 1:
                found.append((setting, values))
        return found

    def is_seated(self, person: Person) -> bool:
        """Return whether a person has a chair."""
        return person.id != COMPUTER and person.id in [chair.id for chair in self.record.chairs]

    def check_open(self) -> None:
        """Refuse what cannot be done any more because the lobby is closed."""
        match self.record.status:
            case Status.LOBBY:
                return
            case Status.EXPIRED:
                raise Refused("refusal.lobby_expired")
            case Status.CANCELLED:
                raise Refused("refusal.lobby_cancelled")
        raise Refused("refusal.begun")

    def check_seated(self, person: Person) -> None:
        """Refuse what only those at the table may do."""
        if not self.is_seated(person):
            raise Refused("refusal.not_seated")

    def check_host(self, by: Person, deed: str) -> None:
        """Refuse what only the host may do; `deed` names the text in [refusal], such as
        `host_start`.
        """
        self.check_open()
        if by.id != self.record.host:
            raise Refused(f"refusal.host_{deed}")


def make_rematch(
    ended: MatchRecord, game: Game[Any], began: Seat, match: str, by: Person, now: int
) -> MatchRecord:
    """Return the lobby of a rematch: same settings, with the computers and the person who offers it
    in their chairs.

    Everybody sits one place on, so that the first chair is next to the one that began. Where a
    setting says who begins it is the first; otherwise the rules do. A coach is there for a first
    match alone.
    """
    chairs = (*ended.chairs[began + 1 :], *ended.chairs[: began + 1])
    seated = [
        tidied(by) if chair.id == by.id else chair
        for chair in chairs
        if chair.id in (by.id, COMPUTER)
    ]
    return MatchRecord(
        id=match,
        game=ended.game,
        status=Status.LOBBY,
        place=replace(ended.place, thread=0),
        host=by.id,
        settings={**ended.settings, game.begins: "1"} if game.begins else ended.settings,
        terms=replace(ended.terms, lesson=False),
        chairs=tuple(seated),
        last_activity_at=now,
        # People who wanted to be forgotten will not come.
        seating=tuple(chair.id for chair in chairs if chair.id >= COMPUTER),
    )


# The settings of a game. The engine declares them; all that is done with them here is worked out
# from that.


def listed_settings(game: Game[Any]) -> list[Setting]:
    """Return the settings that are chosen from a list."""
    return [setting for setting in game.settings if not setting.free]


def has_own_map(game: Game[Any], settings: Mapping[str, str]) -> bool:
    """Return whether the host has given a map, or whatever else a game takes freely."""
    return any(setting.free and settings.get(setting.key) for setting in game.settings)


def own_map_setting(game: Game[Any]) -> str:
    """Return the setting that takes a map of the host's own; refuse if the game has none."""
    for setting in game.settings:
        if setting.free:
            return setting.key
    raise BadSettings(say("refusal.no_own_map", game=game.title))


def setting_line(game_id: str, key: str, value: str) -> str:
    """Return how a setting and its value read, wherever they are shown."""
    words = words_of(game_id)
    return say("lobby.setting", setting=words.setting(key), value=words.choice(key, value))


def check_settings(game: Game[Any], settings: Mapping[str, str], at_least: int = 0) -> None:
    """Refuse settings that no table of at least this size allows."""
    least, most = seats_in_words(game)
    refusal: EngineError = BadSettings(
        say("refusal.for_seats", game=game.title, least=least, most=most)
    )
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


def parse_settings(game: Game[Any], typed: str) -> dict[str, str]:
    """Return the settings in a text such as `rounds=3 storms=off`; refuse what the game does not
    have.
    """
    if len(typed) > MAX_TYPED_LENGTH:
        raise BadSettings(say("refusal.settings_too_long", most=MAX_TYPED_LENGTH))
    known = {setting.key: setting for setting in game.settings}
    found: dict[str, str] = {}
    for word in typed.replace(",", " ").split():
        key, equals, value = word.partition("=")
        if not equals or key not in known:
            settings = listed(
                f"{setting.key}={setting.default}" for setting in listed_settings(game)
            )
            raise BadSettings(
                say("refusal.no_setting_of", word=escaped(word), game=game.title, settings=settings)
            )
        values = [choice.key for choice in known[key].choices]
        if not known[key].free and value not in values:
            raise BadSettings(
                say("refusal.no_value", setting=key, value=escaped(value), values=listed(values))
            )
        found[key] = value
    return found


def complete_settings(game: Game[Any], typed: str) -> list[tuple[str, str]]:
    """Return ways to go on with a text of settings: the name and the whole text of each."""
    *done, last = typed.replace(",", " ").split(" ")
    given = {word.partition("=")[0] for word in done}
    wanted = last.casefold()
    found = []
    for setting in listed_settings(game):
        for choice in setting.choices:
            word = f"{setting.key}={choice.key}"
            name = setting_line(game.id, setting.key, choice.key)
            if setting.key not in given and (wanted in word or wanted in name.casefold()):
                found.append((name, " ".join(filter(None, (*done, word)))))
    return found


def shared_menu_value(setting: Setting, value: str) -> str:
    """Return the value of a line in a menu that several settings share, such as 'goal-4'."""
    return f"{setting.key}-{[choice.key for choice in setting.choices].index(value)}"


def read_shared_menu(game: Game[Any], line: str) -> tuple[str, str]:
    """Return the setting and the value that such a line means."""
    for setting in listed_settings(game):
        for choice in setting.choices:
            if shared_menu_value(setting, choice.key) == line:
                return setting.key, choice.key
    raise BadSettings(say("refusal.no_setting", word=escaped(line), game=game.title))


# The terms of a table that are chosen in a menu. A new one is a field of Terms or TimeTerms, an
# entry in TERMS, its text in [term], and a line on the card (messages.py). A plain yes or no is a
# button: see CHANGES in discord.py.


class Term(Struct, frozen=True, kw_only=True):
    """Something besides the game's settings that the host chooses in a menu."""

    key: str
    """What the id of its menu says, and its text in [term]."""
    field: str
    """Where it is kept: in TimeTerms if it is about time, else in Terms."""
    is_about_time: bool = True
    """Whether its menu is behind the button Time…; the others are behind Add computer."""
    label: Callable[[Any], str]
    """Says what an option is."""
    explain: Callable[[Any], str] = lambda option: ""
    """Says below it what it does."""
    options: Callable[[str, str], Sequence[str]]
    """What can be chosen, given what is chosen now and the host's own time zone."""

    def chosen(self, terms: Terms) -> str:
        """Return what is chosen now."""
        chosen: str = getattr(terms.time if self.is_about_time else terms, self.field)
        return chosen

    def put(self, terms: Terms, option: str) -> Terms:
        """Return the terms with another option."""
        change = {self.field: option}
        return replace(
            terms, **({"time": replace(terms.time, **change)} if self.is_about_time else change)
        )

    def choose(self, terms: Terms, value: str, zone: str = "") -> Terms:
        """Return the terms with the option that has a value in its menu; refuse what was not
        offered.
        """
        for option in self.options(self.chosen(terms), zone):
            if menu_value(option) == value:
                return self.put(terms, option)
        raise Refused("refusal.foreign_choice")


def menu_value(option: str) -> str:
    """Return an option as the value of a menu's line, which cannot be empty."""
    return option.lower().replace("/", "-") or "none"


def weekends_label(zone: str) -> str:
    """Say whether weekends are off, and in which time zone."""
    return (
        say("pace.weekends_off", zone=describe.zone_name(zone)) if zone else say("pace.weekends_on")
    )


def level_name(level: Level) -> str:
    """Return what a computer's level is called."""
    return say(f"level.{level}")


def find_level(given: str) -> Level:
    """Return the level of a name; refuse if there is none."""
    for level in LEVELS:
        if level == given:
            return level
    raise Refused("refusal.foreign_choice")


PACE = Term(
    key="time_pace",
    field="pace",
    label=lambda pace: say("pace.choice", pace=describe.pace_name(pace)),
    explain=describe.pace_grants,
    options=lambda now, zone: list(Pace),
)
EXPIRY = Term(
    key="time_expiry",
    field="expiry",
    label=lambda expiry: say(f"pace.expiry_{expiry}"),
    explain=describe.expiry,
    options=lambda now, zone: list(Expiry),
)
WEEKENDS = Term(
    key="time_weekends",
    field="weekends",
    label=weekends_label,
    options=lambda now, zone: list(dict.fromkeys(("", now, zone, *USUAL_ZONES)))[:CHOICES],
)
STAND_IN = Term(
    key="stand_in",
    field="stand_in",
    is_about_time=False,
    label=lambda level: say("computers.stand_in", level=level_name(level)),
    options=lambda now, zone: LEVELS,
)
TERMS = {term.key: term for term in (PACE, EXPIRY, WEEKENDS, STAND_IN)}
"""All of them in order, by what the ids of their menus say."""
TIME_TERMS = [term for term in TERMS.values() if term.is_about_time]
OTHER_TERMS = [term for term in TERMS.values() if not term.is_about_time]
