"""What may happen to a table before its match begins, and what its host can choose.

Everything here is a pure function over the lobby's record.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.kernel.room import Room
from bot.kernel.zones import USUAL_ZONES
from bot.model import BOT, COMPUTER, Expiry, MatchRecord, Pace, Person, Status, Terms
from bot.runtime.base import Refused
from bot.text import listed, say
from bot.ui import CHOICES, describe, tidied
from engine import BadSettings, EngineError, Game, Match, Seat, Setting, begin
from engine.core.escape import escaped
from engine.core.game import seats_in_words
from engine.core.words import words_of
from engine.players import LEVELS, Level

TIME, COMPUTERS = "time", "computer"
"""The buttons of the card that open a private screen of the host."""
MAX_TYPED_LENGTH = 1000
"""Characters of settings that are typed."""


class Table(Struct, frozen=True):
    """A lobby, its game, and the person who does something to it.

    Each method named for a deed returns what it makes of the lobby, or raises Refused.
    """

    record: MatchRecord
    game: Game[Any]
    by: Person = BOT

    def join(self) -> MatchRecord:
        """Take a chair."""
        return self.seat(self.by)

    def seat(self, person: Person) -> MatchRecord:
        """Seat a person or computer in the last chair; in a rematch, in the one that was theirs."""
        self.check_open()
        record, seats = self.record, self.game.seats[-1]
        if Room(record).seat_of(person.id) is not None:
            raise Refused("refusal.seated")
        if len(record.chairs) >= seats:
            raise Refused("refusal.full", seats=seats)
        awaited = record.awaited
        is_expected = person.id in (COMPUTER, *awaited)
        if not is_expected and len(record.chairs) + len(awaited) >= seats:
            raise Refused("refusal.kept", who=listed(f"<@{user}>" for user in awaited))
        ordered, newcomers = [], [*record.chairs, tidied(person)]
        for user in record.seating:
            if chair := next((chair for chair in newcomers if chair.id == user), None):
                ordered.append(chair)
                newcomers.remove(chair)
        return replace(record, chairs=(*ordered, *newcomers))

    def leave(self) -> MatchRecord:
        """Give up one's chair; the next in line becomes host, and the last to leave cancels.

        Somebody to whom a rematch is offered declines it this way, and is not awaited any more.
        """
        self.check_open()
        record, user = self.record, self.by.id
        seating = tuple(other for other in record.seating if other != user)
        if user in record.awaited:
            return replace(record, seating=seating)
        Room(record).own_seat(user)
        chairs = tuple(chair for chair in record.chairs if chair.id != user)
        people = [chair.id for chair in chairs if chair.id != COMPUTER]
        if not people:
            # Computers do not wait for anybody.
            return replace(record, chairs=chairs, status=Status.CANCELLED)
        host = record.host if record.host in people else people[0]
        return replace(record, chairs=chairs, seating=seating, host=host)

    def cancel(self) -> MatchRecord:
        """Close the lobby for good; for the host."""
        self.check_host("cancel")
        return replace(self.record, status=Status.CANCELLED)

    def add_computer(self, level: Level) -> MatchRecord:
        """Put a computer into the next chair; for the host.

        It gets a name of the game's world that nobody has yet; when they have run out, a letter.
        """
        self.check_host("add_computer")
        taken = {person.name for person in self.record.chairs}
        letters = (say("name.computer", letter=letter) for letter in ascii_uppercase)
        names = (*words_of(self.record.game).computers, *letters)
        return self.seat(Person(COMPUTER, next(name for name in names if name not in taken), level))

    def change_computer(self, seat: Seat, level: Level | None) -> MatchRecord:
        """Let a computer play better or worse, or without a level send it away; for the host."""
        self.check_host("add_computer")
        chairs = list(self.record.chairs)
        if not 0 <= seat < len(chairs) or chairs[seat].id != COMPUTER:
            raise Refused("refusal.no_computer")
        # A slice, so that an empty list takes the chair away.
        chairs[seat : seat + 1] = [replace(chairs[seat], level=level)] if level else []
        return replace(self.record, chairs=tuple(chairs))

    def choose(self, settings: Mapping[str, str]) -> MatchRecord:
        """Choose settings that a table of at least this size allows; others may have to follow."""
        self.check_host("set")
        seated = len(self.record.chairs)
        begin_with_any(self.game, settings, (size for size in self.game.seats if size >= seated))
        return replace(self.record, settings={**self.record.settings, **settings})

    def set_terms(self, terms: Terms) -> MatchRecord:
        """Change what the table agrees on besides the game's settings; for the host."""
        self.check_host("set")
        return replace(self.record, terms=terms)

    def toggle_rated(self) -> MatchRecord:
        """Have the match rated, or not any more; for the host."""
        terms = self.record.terms
        return self.set_terms(replace(terms, rated=not terms.rated))

    def toggle_hints(self) -> MatchRecord:
        """Give one's consent to hints, or take it back."""
        self.check_open()
        user, terms = self.by.id, self.record.terms
        Room(self.record).own_seat(user)
        hints = tuple(other for other in terms.hints if other != user)
        if hints == terms.hints:
            hints = (*hints, user)
        return replace(self.record, terms=replace(terms, hints=hints))

    def check_can_start(self) -> None:
        """Refuse a start that is not the host's, with too few seats, or with misfit settings."""
        self.check_host("start")
        least, seated = self.game.seats[0], len(self.record.chairs)
        if seated < least:
            raise Refused("refusal.too_few", game=self.game.title, least=least, seated=seated)
        if against := self.obstacles():
            raise BadSettings("\n".join(against))

    def obstacles(self) -> list[str]:
        """Return which settings do not fit the number of players, in words."""
        words = words_of(self.game.id)
        found = []
        for setting in listed_settings(self.game):
            key, value = setting.key, self.chosen(setting)
            if value not in self.fitting(setting):
                facts = {"setting": words.setting(key), "value": words.choice(key, value)}
                found.append(say("lobby.misfit", seats=self.seats, **facts))
        if not found and has_own_map(self.game, self.record.settings):
            # Only the game can tell whether what was given freely fits.
            try:
                begin(self.game, self.seats, self.record.settings)
            except EngineError as error:
                found.append(str(error))
        return found

    def open_settings(self) -> list[tuple[Setting, list[str]]]:
        """Return the settings that a table of this size can choose, with their allowed values.

        A value that was chosen and does not fit any more is among them, so that it is seen and can
        be changed.
        """
        found = []
        for setting in listed_settings(self.game):
            now = self.chosen(setting)
            fitting = {now, *self.fitting(setting)}
            values = [choice.key for choice in setting.choices if choice.key in fitting]
            if len(values) > 1:
                found.append((setting, values))
        return found

    @property
    def seats(self) -> int:
        """How many seats the match would have if it began now, or as soon as it can."""
        return max(len(self.record.chairs), self.game.seats[0])

    def chosen(self, setting: Setting) -> str:
        """Return the value that a setting has now."""
        return self.record.settings.get(setting.key, setting.default)

    def fitting(self, setting: Setting) -> list[str]:
        """Return the values of a setting that fit the number of seats."""
        return [choice.key for choice in setting.choices if choice.fits(self.seats)]

    def check_open(self) -> None:
        """Refuse what cannot be done any more because the lobby is closed."""
        closed = {Status.EXPIRED: "lobby_expired", Status.CANCELLED: "lobby_cancelled"}
        if self.record.status is not Status.LOBBY:
            raise Refused(f"refusal.{closed.get(self.record.status, 'begun')}")

    def check_host(self, deed: str) -> None:
        """Refuse what only the host may do; `host_<deed>` is the text in [refusal]."""
        self.check_open()
        if self.by.id != self.record.host:
            raise Refused(f"refusal.host_{deed}")


LobbyRule = Callable[[Table], MatchRecord]
"""Something that is done to a lobby, such as Table.leave."""


def make_rematch(
    ended: MatchRecord, game: Game[Any], began: Seat, match: str, by: Person, now: int
) -> MatchRecord:
    """Return the lobby of a rematch, with the computers and the person who offers it seated.

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


def begin_with_any(game: Game[Any], settings: Mapping[str, str], sizes: Iterable[int]) -> Match:
    """Begin with the first number of players that settings allow; refuse if they allow none."""
    least, most = seats_in_words(game)
    refusal: EngineError = BadSettings(
        say("refusal.for_seats", game=game.title, least=least, most=most)
    )
    for seats in sizes:
        try:
            return begin(game, seats, settings)
        except EngineError as error:
            refusal = error
    raise refusal


def parse_settings(game: Game[Any], typed: str) -> dict[str, str]:
    """Return the settings in a text such as `rounds=3 storms=off`; refuse unknown ones."""
    if len(typed) > MAX_TYPED_LENGTH:
        raise BadSettings(say("refusal.settings_too_long", most=MAX_TYPED_LENGTH))
    known = {setting.key: setting for setting in game.settings}
    found: dict[str, str] = {}
    for word in typed.replace(",", " ").split():
        key, equals, value = word.partition("=")
        if not equals or key not in known:
            usual = listed(f"{setting.key}={setting.default}" for setting in listed_settings(game))
            facts = {"word": escaped(word), "game": game.title, "settings": usual}
            raise BadSettings(say("refusal.no_setting_of", **facts))
        values = [choice.key for choice in known[key].choices]
        if not known[key].free and value not in values:
            facts = {"setting": key, "value": escaped(value), "values": listed(values)}
            raise BadSettings(say("refusal.no_value", **facts))
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


# The terms of a table that are chosen in a menu. A new one is a field of Terms or TimeTerms, an
# entry in TERMS, its text in [term], and a line on the card (messages.py). A plain yes or no is a
# button: see BUTTONS in messages.py and RULES in discord.py.


class Term(Struct, frozen=True, kw_only=True):
    """Something besides the game's settings that the host chooses in a menu."""

    key: str
    """What the id of its menu says, and its text in [term]."""
    field: str
    """Where it is kept: in TimeTerms if its screen is TIME, else in Terms."""
    screen: str = TIME
    """The button of the card behind which its menu is."""
    label: Callable[[Any], str]
    """Says what an option is."""
    explain: Callable[[Any], str] = lambda option: ""
    """Says below it what it does."""
    options: Callable[[str, str], Sequence[str]]
    """What can be chosen, given what is chosen now and the host's own time zone."""

    def chosen(self, terms: Terms) -> str:
        """Return what is chosen now."""
        chosen: str = getattr(terms.time if self.screen == TIME else terms, self.field)
        return chosen

    def put(self, terms: Terms, option: str) -> Terms:
        """Return the terms with another option."""
        change = {self.field: option}
        if self.screen == TIME:
            return replace(terms, time=replace(terms.time, **change))
        return replace(terms, **change)

    def choose(self, terms: Terms, value: str, zone: str = "") -> Terms:
        """Return the terms with the option of a value in its menu; refuse what is not offered."""
        for option in self.options(self.chosen(terms), zone):
            if menu_value(option) == value:
                return self.put(terms, option)
        raise Refused("refusal.foreign_choice")


def menu_value(option: str) -> str:
    """Return an option as the value of a menu's line, which cannot be empty."""
    return option.lower().replace("/", "-") or "none"


def weekends_label(zone: str) -> str:
    """Say whether weekends are off, and in which time zone."""
    if not zone:
        return say("pace.weekends_on")
    return say("pace.weekends_off", zone=describe.zone_name(zone))


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
    screen=COMPUTERS,
    label=lambda level: say("computers.stand_in", level=level_name(level)),
    options=lambda now, zone: LEVELS,
)
TERMS = {term.key: term for term in (PACE, EXPIRY, WEEKENDS, STAND_IN)}
"""All terms in order, by what the ids of their menus say."""
