"""A seat's decisions as buttons and menus, for any game. Pure: nothing here knows Discord or waits."""

from collections.abc import Iterable

from msgspec import Struct

from bot.components import ids
from bot.components.ids import Control
from bot.components.parts import (
    BUTTONS_A_ROW,
    CHOICES,
    CONTENT,
    CUSTOM_ID,
    GOOD,
    GRAVE,
    PLACEHOLDER,
    PLAIN,
    ROWS,
    STRONG,
    Button,
    Choice,
    Menu,
    Row,
    button,
    button_rows,
    choice,
    cut,
    lines_within,
)
from bot.matches.room import Room
from bot.text import describe
from bot.text.names import escaped, marked_names, plain_names
from engine import Answer, Decision, Draft, Match, Option, Seat, View

SHORT = 24
"""Options with labels up to this length may be buttons."""
MANY_BUTTONS = 15
FEW_BUTTONS = 10
BUTTON_TEXT = 34
SURE = "reveal now? Everyone will know, and it cannot be undone."
COMPLETE = "Your turn is complete. Confirm it, or undo."
SECRETLY = "do it now? Nobody else is told."
GIVEN_UP = "You have given up your seat: a computer player takes it. You can watch with `/board` and `/log`."
CUT = "Your draft was shortened: what somebody else did in the meantime made the rest of it impossible."


class Panel(Struct, frozen=True):
    """A private panel: words, controls, and the spots to ring on its picture."""

    text: str
    rows: tuple[Row, ...] = ()
    rings: tuple[str, ...] = ()
    question: str = ""
    """For the alt text of its picture."""


class Desk(Struct, frozen=True):
    """What a panel is made from: one seat of one match."""

    room: Room
    match: Match
    seat: Seat
    view: View
    """Made once: the labels of two hundred options look things up in it."""

    @classmethod
    def of(cls, room: Room, seat: Seat) -> "Desk":
        """The desk of a seat of a match that has begun."""
        match = room.playing()
        return cls(room, match, seat, match.view(seat))

    def control(self, sort: str, kind: str = "", key: str = "") -> str:
        """The custom id of a control of this seat at this turn."""
        return str(Control(sort, self.room.info.id, self.seat, self.match.turn(self.seat), kind, key))

    def question(self) -> Decision | None:
        """What the seat is asked after its draft."""
        return self.match.question(self.seat)

    def offers(self) -> tuple[Decision, ...]:
        """What the seat may do at any time."""
        return self.match.offers(self.seat)

    def label(self, decision: Decision, option: Option) -> str:
        """An option in words."""
        return describe.words(self.room).option(decision, option, self.view, plain_names(self.room))


def build_panel(room: Room, seat: Seat, group: str = "", notice: str = "") -> Panel:
    """The panel of a seat: its question, its draft and what it can do now."""
    desk = Desk.of(room, seat)
    if desk.match.outcome is not None:
        return Panel(_text(notice, "\n".join(describe.ranking_lines(room))))
    if seat in desk.match.resigned:
        return Panel(_text(notice, GIVEN_UP))
    decision = desk.question()
    if decision is None:
        standing = "" if describe.whose_turn(room) in notice else _standing(desk)
        said, asked = _text(notice, standing, _draft(desk)), COMPLETE if desk.match.is_complete(seat) else ""
        return Panel(said, tuple(button_rows(_controls(desk))), question=asked)
    rows, spots = _choices(desk, decision, group)
    if seat in desk.match.cut:
        notice = "\n".join(part for part in (notice, CUT) if part)
    said = _text(notice, f"{_question(desk, decision)}{_how_many(decision)}", _draft(desk))
    return Panel(said, rows, spots, describe.words(room).question(decision, plain_names(room), desk.view))


def build_offers(
    room: Room, seat: Seat, kind: str = "", keys: tuple[str, ...] = (), notice: str = "", group: str = ""
) -> Panel:
    """More…: what may be done at any time; with a kind its options; with keys the question whether to do it now."""
    desk = Desk.of(room, seat)
    offers = desk.offers()
    offer = next((d for d in offers if d.kind == kind), None)
    if not offers:
        return build_panel(room, seat, notice=notice or "There is nothing else to do now.")
    if offer is None:
        names = plain_names(room)
        buttons = [
            button(desk.control(ids.OFFER, d.kind), describe.words(room).question(d, names)) for d in offers[:20]
        ]
        return Panel(_text(notice, "What may be done at any time:"), tuple(button_rows([*buttons, _back(desk)])))
    if keys:
        return _ask_once(desk, offer, keys, notice)
    return _offer_options(desk, offer, notice, group)


def closed(match: Match, seat: Seat) -> Match | None:
    """The match once every open optional sequence of the seat is ended; None if it must still choose."""
    if not match.draft(seat).answers:
        return None
    for _ in range(50):
        decision = match.question(seat)
        if decision is None:
            return match
        ending = decision.ending()
        if ending is None:
            return None
        match = match.pick(Answer(seat, decision.kind, (ending.key,)))
    return None


def confirm_label(room: Room, seat: Seat) -> str:
    """What the Confirm button says, '' if the draft cannot be confirmed yet."""
    match = room.playing()
    ended = closed(match, seat)
    if ended is None:
        return ""
    head = "Confirm" if match.is_complete(seat) else "Stop and confirm"
    then = describe.words(room).confirm(ended.follows(seat))
    return f"{head}: {then}" if then else head


def _text(*parts: str) -> str:
    return cut("\n".join(part for part in parts if part), CONTENT)


def _question(desk: Desk, decision: Decision) -> str:
    return f"**{describe.words(desk.room).question(decision, marked_names(desk.room), desk.view)}**"


def _how_many(decision: Decision) -> str:
    if decision.at_least == decision.at_most == 1:
        return ""
    if decision.at_least == decision.at_most:
        return f" Choose {decision.at_least}."
    return f" Choose {decision.at_least} to {decision.at_most}."


def _standing(desk: Desk) -> str:
    if desk.match.is_complete(desk.seat):
        return COMPLETE
    return f"Not your turn: {describe.whose_turn(desk.room)}"


def _draft(desk: Desk) -> str:
    draft = desk.match.draft(desk.seat)
    if not draft.answers:
        return ""
    told = describe.told_singly(desk.room, draft.events, desk.seat)
    lines = [*told, *_chosen(desk, draft, silent=True)] if told else _chosen(desk, draft)
    return "\n".join(lines_within(["So far, seen by you alone:", *(f"- {line}" for line in lines)], 1200))


def _chosen(desk: Desk, draft: Draft, silent: bool = False) -> list[str]:
    """The answers of a draft in the words of what was chosen; of a `silent` end only what tells nothing by itself.

    Where a question is still open it says as much as the answers before it.
    """
    if silent and draft.question is not None:
        return []
    lines: list[str] = []
    step: Draft | None = draft
    # From the last answer back to the first. What each answered was asked by the draft before it, the first one's
    # question by the match itself.
    while step is not None and step.answers:
        earlier = step.before
        if silent and step.events != (earlier.events if earlier else ()):
            break
        asked = earlier.question if earlier else describe.asked(desk.match, desk.seat)
        if asked is not None:
            lines.insert(0, _worded(desk, asked, step.answers[-1]))
        step = earlier
    return lines


def _worded(desk: Desk, decision: Decision, answer: Answer) -> str:
    words, names = describe.words(desk.room), marked_names(desk.room)
    chosen = [words.option(decision, decision.option(key), desk.view, names) for key in answer.keys]
    return ", ".join(chosen) or "none"


def _choices(desk: Desk, decision: Decision, group: str) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    options = decision.options
    if decision.at_most > 1 or decision.at_least == 0:
        return _several(desk, decision)
    enders = [option for option in options if option.ends]
    rest = [option for option in options if not option.ends]
    extra = [button(_pick(desk, decision, option), desk.label(decision, option)) for option in enders]
    labels = [desk.label(decision, option) for option in rest] if len(rest) <= MANY_BUTTONS else []
    if rest and _fits_buttons(labels):
        pairs = zip(rest, labels, strict=True)
        rows = button_rows(button(_pick(desk, decision, option), label, STRONG) for option, label in pairs)
        return _with_controls(desk, rows, extra), _spots(rest)
    if len(rest) <= CHOICES:
        rows = [_menu(desk, decision, "", rest)] if rest else []
        return _with_controls(desk, rows, extra), _spots(rest)
    return _grouped(desk, decision, shelves(rest), group, extra)


def _several(desk: Desk, decision: Decision) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    options = decision.options[:CHOICES]
    most = min(decision.at_most, len(options))
    menu = Menu(
        desk.control(ids.GROUP, decision.kind),
        "Choose",
        tuple(_line(desk, decision, option) for option in options),
        min(decision.at_least, most),
        most,
    )
    none = [button(desk.control(ids.PICK, decision.kind), "None")] if decision.at_least == 0 else []
    return _with_controls(desk, [menu] if options else [], none), _spots(options)


def _fits_buttons(labels: list[str]) -> bool:
    longest = max((len(label) for label in labels), default=BUTTON_TEXT + 1)
    return longest <= SHORT if len(labels) > FEW_BUTTONS else longest <= BUTTON_TEXT


def shelves(options: Iterable[Option]) -> dict[str, list[Option]]:
    """Options by group, cut into shelves of 25 where a group is larger than a menu."""
    groups: dict[str, list[Option]] = {}
    for option in options:
        groups.setdefault(option.group or "other", []).append(option)
    shelved: dict[str, list[Option]] = {}
    for name, members in groups.items():
        for start in range(0, len(members), CHOICES):
            part = start // CHOICES
            shelved[f"{name}_{part + 1}" if part else name] = members[start : start + CHOICES]
    return dict(list(shelved.items())[:CHOICES])


def _grouped(
    desk: Desk, decision: Decision, groups: dict[str, list[Option]], group: str, extra: list[Button]
) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    everything = [option for members in groups.values() for option in members]
    controls = button_rows([*extra, *_controls(desk)])
    if len(groups) + len(controls) <= ROWS:
        menus = [_menu(desk, decision, name, members) for name, members in groups.items()]
        return (*menus, *controls), _spots(everything)
    if group in groups:
        menu = _menu(desk, decision, group, groups[group])
        back = button(desk.control(ids.GROUPS, decision.kind), "Back")
        return _with_controls(desk, [menu], [back, *extra]), _spots(groups[group])
    lines = tuple(choice(name, _group_label(desk, name), _codes(members)) for name, members in groups.items())
    top = Menu(desk.control(ids.GROUPS, decision.kind), "Choose a group, then a spot", lines)
    return _with_controls(desk, [top], extra), _spots(everything)


def _group_label(desk: Desk, name: str) -> str:
    return describe.words(desk.room).group(name.partition("_")[0])


def _codes(options: Iterable[Option]) -> str:
    return " ".join(option.key for option in options).upper()


def _menu(desk: Desk, decision: Decision, name: str, options: list[Option]) -> Menu:
    title = _group_label(desk, name) if name else "Choose"
    lines = tuple(_line(desk, decision, option) for option in options)
    return Menu(desk.control(ids.GROUP, decision.kind, name), cut(title, PLACEHOLDER), lines)


def _line(desk: Desk, decision: Decision, option: Option) -> Choice:
    return choice(option.key, desk.label(decision, option))


def _pick(desk: Desk, decision: Decision, option: Option) -> str:
    return desk.control(ids.PICK, decision.kind, option.key)


def _spots(options: Iterable[Option]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(option.spot for option in options if option.spot))


def _with_controls(desk: Desk, rows: list[Row], extra: list[Button]) -> tuple[Row, ...]:
    controls = button_rows([*extra, *_controls(desk)])
    return (*rows[: ROWS - len(controls)], *controls)


def _controls(desk: Desk) -> list[Button]:
    """Confirm, Undo, Start over and More…, as far as each makes sense."""
    buttons: list[Button] = []
    if label := confirm_label(desk.room, desk.seat):
        buttons.append(button(desk.control(ids.CONFIRM), label, GOOD))
    picks = [answer for answer in desk.match.draft(desk.seat).answers if not answer.forced]
    if picks:
        buttons.append(button(desk.control(ids.UNDO), "Undo"))
    if len(picks) > 1:
        buttons.append(button(desk.control(ids.UNDO, key=ids.ALL), "Start over"))
    if desk.offers():
        buttons.append(button(desk.control(ids.OFFER), "More…"))
    return buttons[:BUTTONS_A_ROW]


def _back(desk: Desk) -> Button:
    return button(desk.control(ids.VIEW), "Back", PLAIN)


def _offer_options(desk: Desk, offer: Decision, notice: str, group: str) -> Panel:
    groups = shelves(offer.options)
    said = _text(notice, f"{_question(desk, offer)}{_how_many(offer)}")
    if len(groups) < ROWS:
        rows: list[Row] = [_offer_menu(desk, offer, name, groups) for name in groups]
    elif group in groups:
        rows = [_offer_menu(desk, offer, group, groups)]
    else:
        lines = tuple(choice(name, _group_label(desk, name), _codes(members)) for name, members in groups.items())
        rows = [Menu(desk.control(ids.OFFER, offer.kind, ids.OFFER_GROUPS), "Choose a group, then a spot", lines)]
    return Panel(said, (*rows, (_back(desk),)), _spots(groups.get(group, offer.options)))


def _offer_menu(desk: Desk, offer: Decision, name: str, groups: dict[str, list[Option]]) -> Menu:
    members, alone = groups[name], len(groups) == 1
    most = min(offer.at_most, len(members)) if alone else 1
    control = desk.control(ids.OFFER, offer.kind, "" if alone else f"{ids.OFFER_GROUPS}{name}")
    title = "Choose" if alone else cut(_group_label(desk, name), PLACEHOLDER)
    lines = tuple(_line(desk, offer, option) for option in members)
    return Menu(control, title, lines, min(offer.at_least, most), most)


def _ask_once(desk: Desk, offer: Decision, keys: tuple[str, ...], notice: str) -> Panel:
    offer.check(keys)
    chosen = [offer.option(key) for key in keys]
    what = ", ".join(escaped(desk.label(offer, option), 80) for option in chosen)
    own_words = describe.words(desk.room).sure(offer.kind)
    sure = f"{what}: {own_words or (SECRETLY if offer.secret else SURE)}"
    said = _text(notice, _question(desk, offer), sure)
    yes = button(desk.control(ids.PICK, offer.kind, "+".join(keys)), "Yes, now", GRAVE)
    if len(yes.id) > CUSTOM_ID:
        said = _text(said, f"So many at once are typed: `/play move:{offer.kind}/{'+'.join(keys)}!`")
        return Panel(said, ((_back(desk),),), _spots(chosen))
    return Panel(said, ((yes, _back(desk)),), _spots(chosen))
