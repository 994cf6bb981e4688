"""The rules of a lobby: who may join, leave, start or cancel it, and what the host can choose.

Nothing here reads or writes the database: each rule takes the lobby's record and returns a changed
copy, or raises Refused. To let the host choose something new, see the comment above Term.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from string import ascii_uppercase
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.kernel.clocks import DRAFT_VETO_SECONDS
from bot.kernel.room import Room
from bot.kernel.zones import USUAL_ZONES
from bot.model import BOT, COMPUTER, Expiry, MatchRecord, Pace, Person, Status, Terms
from bot.runtime.base import HOUR, Refused
from bot.text import and_list, has, say
from bot.ui import CHOICES, describe, tidy_name
from engine import BadSettings, EngineError, Game, Match, Seat, Setting, begin
from engine.core.escape import escape_text
from engine.core.game import seat_range
from engine.core.words import words_of
from engine.players import CHARACTERS, LEVELS, Character, Level

COMPUTERS = "computer"
"""The card's button that opens the private screen of computers."""
MAX_TYPED_LENGTH = 1000
"""The most characters that /game new accepts as settings."""


class Table(Struct, frozen=True):
    """A lobby, its game, and the person acting on it.

    The methods for actions (`join`, `leave`, `choose`...) return the changed record or raise
    Refused.
    """

    record: MatchRecord
    game: Game[Any]
    by: Person = BOT

    def join(self) -> MatchRecord:
        """Take a seat."""
        return self.seat(self.by)

    def seat(self, person: Person) -> MatchRecord:
        """Seat a person or computer last or, in a rematch, where the new order has them."""
        self.check_open()
        record, seats = self.record, self.game.seats[-1]
        if Room(record).seat_of(person.id) is not None:
            raise Refused("refusal.seated")
        if len(record.chairs) >= seats:
            raise Refused("refusal.full", seats=seats)
        # A rematch reserves seats for the players of the last match who have not answered yet.
        awaited = record.awaited
        is_expected = person.id in (COMPUTER, *awaited)
        if not is_expected and len(record.chairs) + len(awaited) >= seats:
            raise Refused("refusal.kept", who=and_list(f"<@{user}>" for user in awaited))
        ordered = []
        newcomers = [*record.chairs, tidy_name(person)]
        for user in record.seating:
            if chair := next((chair for chair in newcomers if chair.id == user), None):
                ordered.append(chair)
                newcomers.remove(chair)
        return replace(record, chairs=(*ordered, *newcomers))

    def leave(self) -> MatchRecord:
        """Give up a seat; if it was the host's, the next player becomes host.

        The last person to leave cancels the lobby. A player who has been offered a rematch declines
        it this way, and frees the seat reserved for them.
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
            # Nobody is left who could start or cancel a lobby of computers alone.
            return replace(record, chairs=chairs, status=Status.CANCELLED)
        host = record.host if record.host in people else people[0]
        return replace(record, chairs=chairs, seating=seating, host=host)

    def cancel(self) -> MatchRecord:
        """Close the lobby for good; host only."""
        self.check_host("cancel")
        return replace(self.record, status=Status.CANCELLED)

    def add_computer(self, level: Level) -> MatchRecord:
        """Seat a computer; host only.

        It gets a character that is not at the table yet or, once those run out, none, and a letter
        for its name.
        """
        self.check_host("add_computer")
        if free := self.free_characters():
            name = character_name(free[0])
            return self.seat(Person(COMPUTER, name, level, character=free[0]))
        taken = {person.name for person in self.record.chairs}
        letters = (say("name.computer", letter=letter) for letter in ascii_uppercase)
        return self.seat(
            Person(COMPUTER, next(name for name in letters if name not in taken), level)
        )

    def free_characters(self) -> list[Character]:
        """Return the characters that are not at the table yet, in the order drawn for it."""
        taken = {person.name for person in self.record.chairs}
        drawn = Random(self.record.id).sample(CHARACTERS, len(CHARACTERS))
        return [character for character in drawn if character_name(character) not in taken]

    def change_character(self, seat: Seat, character: Character) -> MatchRecord:
        """Have another computer play a seat, at the same level; host only."""
        self.check_host("add_computer")
        chairs = list(self.record.chairs)
        if not 0 <= seat < len(chairs) or chairs[seat].id != COMPUTER:
            raise Refused("refusal.no_computer")
        if character not in self.free_characters():
            raise Refused("refusal.foreign_choice")
        chairs[seat] = replace(chairs[seat], name=character_name(character), character=character)
        return replace(self.record, chairs=tuple(chairs))

    def change_computer(self, seat: Seat, level: Level | None) -> MatchRecord:
        """Change a computer's level, or remove the computer if `level` is None; host only."""
        self.check_host("add_computer")
        chairs = list(self.record.chairs)
        if not 0 <= seat < len(chairs) or chairs[seat].id != COMPUTER:
            raise Refused("refusal.no_computer")
        if level is None:
            del chairs[seat]
        else:
            chairs[seat] = replace(chairs[seat], level=level)
        return replace(self.record, chairs=tuple(chairs))

    def choose(self, settings: Mapping[str, str]) -> MatchRecord:
        """Change settings of the game; host only.

        They must work for some table of at least this size. They need not fit the current number
        of players yet: that is checked at the start.
        """
        self.check_host("set")
        seated = len(self.record.chairs)
        begin_with_any(self.game, settings, (size for size in self.game.seats if size >= seated))
        return replace(self.record, settings={**self.record.settings, **settings})

    def set_terms(self, terms: Terms) -> MatchRecord:
        """Change the terms: everything agreed on besides the game's own settings; host only."""
        self.check_host("set")
        return replace(self.record, terms=terms)

    def toggle_rated(self) -> MatchRecord:
        """Switch between a rated and an unrated match; host only."""
        terms = self.record.terms
        return self.set_terms(replace(terms, rated=not terms.rated))

    def toggle_hints(self) -> MatchRecord:
        """Agree to hints, or withdraw that agreement; for any player."""
        self.check_open()
        user, terms = self.by.id, self.record.terms
        Room(self.record).own_seat(user)
        hints = tuple(other for other in terms.hints if other != user)
        if hints == terms.hints:
            hints = (*hints, user)
        return replace(self.record, terms=replace(terms, hints=hints))

    def check_can_start(self) -> None:
        """Refuse unless the host starts with enough players and settings that fit them."""
        self.check_host("start")
        least, seated = self.game.seats[0], len(self.record.chairs)
        if seated < least:
            raise Refused("refusal.too_few", game=self.game.title, least=least, seated=seated)
        if problems := self.find_setting_problems():
            raise BadSettings("\n".join(problems))

    def find_setting_problems(self) -> list[str]:
        """Return a sentence for each setting that does not fit the number of players."""
        words = words_of(self.game.id)
        problems = []
        for setting in listed_settings(self.game):
            key, value = setting.key, self.value_of(setting)
            if value not in self.allowed_values(setting):
                facts = {"setting": words.setting(key), "value": words.choice(key, value)}
                problems.append(say("lobby.misfit", seats=self.seats, **facts))
        if not problems and has_own_map(self.game, self.record.settings):
            # Only the game itself can judge a map that the host has uploaded.
            try:
                begin(self.game, self.seats, self.record.settings)
            except EngineError as error:
                problems.append(str(error))
        return problems

    def open_settings(self) -> list[tuple[Setting, list[str]]]:
        """Return the settings with more than one value to choose from, with those values."""
        open_settings = []
        for setting in listed_settings(self.game):
            # The current value is listed even if it no longer fits: the host has to see it to
            # change it.
            listed = {self.value_of(setting), *self.allowed_values(setting)}
            values = [choice.key for choice in setting.choices if choice.key in listed]
            if len(values) > 1:
                open_settings.append((setting, values))
        return open_settings

    @property
    def seats(self) -> int:
        """The number of players so far, but at least as many as the game needs."""
        return max(len(self.record.chairs), self.game.seats[0])

    def value_of(self, setting: Setting) -> str:
        """Return the current value of a setting."""
        return self.record.settings.get(setting.key, setting.default)

    def allowed_values(self, setting: Setting) -> list[str]:
        """Return the values of a setting that fit the number of players."""
        return [choice.key for choice in setting.choices if choice.fits(self.seats)]

    def check_open(self) -> None:
        """Refuse if the lobby is closed or its match has started."""
        closed = {Status.EXPIRED: "lobby_expired", Status.CANCELLED: "lobby_cancelled"}
        if self.record.status is not Status.LOBBY:
            raise Refused(f"refusal.{closed.get(self.record.status, 'begun')}")

    def check_host(self, action: str) -> None:
        """Refuse anybody but the host, with the text refusal.host_<action>."""
        self.check_open()
        if self.by.id != self.record.host:
            raise Refused(f"refusal.host_{action}")


LobbyRule = Callable[[Table], MatchRecord]
"""An action on a lobby, such as Table.leave."""


def make_rematch(
    ended: MatchRecord, game: Game[Any], first_seat: Seat, match_id: str, by: Person, now: int
) -> MatchRecord:
    """Return the lobby of a rematch, with the computers and the person who offers it seated.

    `first_seat` is the seat that moved first in the match that ended.
    """
    # The first turn passes on: the seat after the one that began is now first. In games with a
    # setting for who begins, it is set to that seat; in the others the rules decide.
    chairs = (*ended.chairs[first_seat + 1 :], *ended.chairs[: first_seat + 1])
    seated = [
        tidy_name(by) if chair.id == by.id else chair
        for chair in chairs
        if chair.id in (by.id, COMPUTER)
    ]
    return MatchRecord(
        id=match_id,
        game=ended.game,
        status=Status.LOBBY,
        place=replace(ended.place, thread=0),
        host=by.id,
        settings={**ended.settings, game.begins: "1"} if game.begins else ended.settings,
        terms=replace(ended.terms, lesson=False),
        chairs=tuple(seated),
        last_activity_at=now,
        # People who have deleted their data have negative ids, and cannot be invited.
        seating=tuple(chair.id for chair in chairs if chair.id >= COMPUTER),
    )


# The settings of a game. The engine declares them; nothing here knows a particular game.


def listed_settings(game: Game[Any]) -> list[Setting]:
    """Return the settings with a fixed list of values, that is, all but an uploaded map."""
    return [setting for setting in game.settings if not setting.free]


def has_own_map(game: Game[Any], settings: Mapping[str, str]) -> bool:
    """Return whether the host has uploaded a map."""
    return any(setting.free and settings.get(setting.key) for setting in game.settings)


def own_map_setting(game: Game[Any]) -> str:
    """Return the key of the setting that takes an uploaded map; refuse if the game has none."""
    for setting in game.settings:
        if setting.free:
            return setting.key
    raise BadSettings(say("refusal.no_own_map", game=game.title))


def setting_line(game_id: str, key: str, value: str) -> str:
    """Return a setting and its value in words, such as 'Storms: off'."""
    words = words_of(game_id)
    return say("lobby.setting", setting=words.setting(key), value=words.choice(key, value))


def begin_with_any(game: Game[Any], settings: Mapping[str, str], sizes: Iterable[int]) -> Match:
    """Begin a match with the first of these table sizes that the settings allow.

    If they allow none, raise the error of the last size.
    """
    least, most = seat_range(game)
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
            usual = and_list(
                f"{setting.key}={setting.default}" for setting in listed_settings(game)
            )
            facts = {"word": escape_text(word), "game": game.title, "settings": usual}
            raise BadSettings(say("refusal.no_setting_of", **facts))
        values = [choice.key for choice in known[key].choices]
        if not known[key].free and value not in values:
            facts = {"setting": key, "value": escape_text(value), "values": and_list(values)}
            raise BadSettings(say("refusal.no_value", **facts))
        found[key] = value
    return found


def complete_settings(game: Game[Any], typed: str) -> list[tuple[str, str]]:
    """Suggest completions of typed settings: pairs of a label and the whole completed text."""
    *done, last = typed.replace(",", " ").split(" ")
    given = {word.partition("=")[0] for word in done}
    wanted = last.casefold()
    found = []
    for setting in listed_settings(game):
        if setting.key in given:
            continue
        for choice in setting.choices:
            word = f"{setting.key}={choice.key}"
            label = setting_line(game.id, setting.key, choice.key)
            if wanted in word or wanted in label.casefold():
                found.append((label, " ".join(filter(None, (*done, word)))))
    return found


# To add a term that the host chooses: a field of TimeTerms and an entry in TIME_TERMS below, or a
# field of Terms and a menu on a private screen; its text in [term], and a line on the card
# (messages.py). For a plain yes or no, add a button instead: see BUTTONS in messages.py and RULES
# in discord.py.


class Term(Struct, frozen=True, kw_only=True):
    """A term of the match, such as its pace, that the host chooses in a form or a menu."""

    key: str
    """The key of its field or menu, and of its text in [term]."""
    field: str
    """The field that holds it: of TimeTerms if `is_time`, else of Terms."""
    is_time: bool = True
    """Whether it is one of the time limits, which a running match can change by vote."""
    label: Callable[[Any], str]
    """Returns the label of an option."""
    explain: Callable[[Any], str] = lambda option: ""
    """Returns the description that Discord shows below the label."""
    options: Callable[[str, str], Sequence[str]]
    """Returns the options, given the current one and the host's own time zone."""

    def current(self, terms: Terms) -> str:
        """Return the current option."""
        current: str = getattr(terms.time if self.is_time else terms, self.field)
        return current

    def put(self, terms: Terms, option: str) -> Terms:
        """Return the terms with another option."""
        change = {self.field: option}
        if self.is_time:
            return replace(terms, time=replace(terms.time, **change))
        return replace(terms, **change)

    def choose(self, terms: Terms, value: str, zone: str = "") -> Terms:
        """Return the terms with the option behind a menu value; refuse what was not offered."""
        for option in self.options(self.current(terms), zone):
            if menu_value(option) == value:
                return self.put(terms, option)
        raise Refused("refusal.foreign_choice")


def menu_value(option: str) -> str:
    """Return the menu value for an option; Discord does not allow an empty one."""
    return option.lower().replace("/", "-") or "none"


def weekends_label(zone: str) -> str:
    """Say whether weekends are off, and in which time zone."""
    if not zone:
        return say("pace.weekends_on")
    return say("pace.weekends_off", zone=describe.zone_name(zone))


def level_name(level: Level) -> str:
    """Return the name of a computer's level."""
    return say(f"level.{level}")


def character_name(character: Character) -> str:
    """Return the name of the computers with a character."""
    return say(f"name.{character}")


def describe_character(game_id: str, character: Character) -> str:
    """Say in a few words how computers with a character play a game; '' if the game doesn't."""
    return words_of(game_id).say_if_any(f"character.{character}")


def find_character(given: str) -> Character:
    """Return the character with a given key; refuse an unknown one."""
    for character in CHARACTERS:
        if character == given:
            return character
    raise Refused("refusal.foreign_choice")


def find_level(given: str) -> Level:
    """Return the level with a given key; refuse an unknown one."""
    for level in LEVELS:
        if level == given:
            return level
    raise Refused("refusal.foreign_choice")


def list_weekend_zones(now: str, zone: str) -> list[str]:
    """Return the time zones for weekends off: '' for none, the current and own one, others."""
    return list(dict.fromkeys(("", now, zone, *USUAL_ZONES)))[:CHOICES]


def explain_expiry(expiry: Expiry) -> str:
    """Return what else happens when somebody's time is up, besides what the choice's label says."""
    key = f"pace.about_{expiry}"
    return say(key, hours=DRAFT_VETO_SECONDS // HOUR) if has(key) else ""


PACE = Term(
    key="time_pace",
    field="pace",
    label=describe.pace_name,
    explain=describe.pace_grants,
    options=lambda now, zone: list(Pace),
)
EXPIRY = Term(
    key="time_expiry",
    field="expiry",
    label=lambda expiry: say(f"pace.expiry_{expiry}"),
    explain=explain_expiry,
    options=lambda now, zone: list(Expiry),
)
WEEKENDS = Term(
    key="time_weekends",
    field="weekends",
    label=weekends_label,
    options=list_weekend_zones,
)
STAND_IN = Term(
    key="stand_in",
    field="stand_in",
    is_time=False,
    label=lambda level: say("computers.stand_in", level=level_name(level)),
    options=lambda now, zone: LEVELS,
)
TIME_TERMS = (PACE, EXPIRY, WEEKENDS)
"""The time limits, in the order in which the form shows them."""
