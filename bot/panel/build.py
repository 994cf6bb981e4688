"""A seat's decisions as words, buttons and menus, for any game. Pure: nothing here knows Discord or waits."""

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
    Menu,
    Row,
    button,
    button_rows,
    choice,
    cut,
    lines_within,
)
from bot.matches.room import Room
from bot.text import describe, listed, say
from bot.text.names import escaped, marked_names, plain_names
from engine import Answer, Decision, Draft, Match, Option, Seat, View
from engine.core.words import Words

SHORT = 24
"""Options with labels up to this length may be buttons."""
MANY_BUTTONS = 15
FEW_BUTTONS = 10
BUTTON_TEXT = 34

Shown = tuple[tuple[Row, ...], tuple[str, ...]]
"""The rows of a panel, and the spots to ring on its picture."""


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
    """The labels of two hundred options look things up in it."""
    words: Words
    """The wording of the game."""

    @classmethod
    def of(cls, room: Room, seat: Seat) -> "Desk":
        """The desk of a seat of a match that has begun."""
        match = room.playing()
        return cls(room, match, seat, match.view(seat), describe.words(room))

    def control(self, sort: str, kind: str = "", key: str = "") -> str:
        """The custom id of a control of this seat at this turn."""
        return str(Control(sort, self.room.info.id, self.seat, self.match.turn(self.seat), kind, key))

    def label(self, decision: Decision, option: Option) -> str:
        """An option in words."""
        return self.words.option(decision, option, self.view, plain_names(self.room))


def build_panel(room: Room, seat: Seat, group: str = "", notice: str = "") -> Panel:
    """The panel of a seat: its question, its draft and what it can do now."""
    desk = Desk.of(room, seat)
    match = desk.match
    if match.outcome is not None:
        return Panel(_text(notice, "\n".join(describe.ranking_lines(room))))
    if seat in match.resigned:
        return Panel(_text(notice, say("panel.given_up")))
    question = match.question(seat)
    if question is not None:
        rows, spots = _choices(desk, question, group)
        if seat in match.cut:
            notice = "\n".join(part for part in (notice, say("panel.shortened")) if part)
        asked = desk.words.question(question, plain_names(room), desk.view)
        return Panel(_text(notice, _asking(desk, question), _draft(desk)), rows, spots, asked)
    # Nothing is asked: the draft is a whole turn, or it is not this seat's turn.
    controls = tuple(button_rows(_controls(desk)))
    if match.is_complete(seat):
        complete = say("panel.complete")
        return Panel(_text(notice, complete, _draft(desk)), controls, question=complete)
    turn = describe.whose_turn(room)
    return Panel(_text(notice, "" if turn in notice else say("panel.not_your_turn", turn=turn), _draft(desk)), controls)


def build_offers(
    room: Room, seat: Seat, kind: str = "", keys: tuple[str, ...] = (), notice: str = "", group: str = ""
) -> Panel:
    """More…: what may be done at any time; with a kind its options; with keys the question whether to do it now."""
    desk = Desk.of(room, seat)
    offers = desk.match.offers(seat)
    offer = next((offer for offer in offers if offer.kind == kind), None)
    back = button(desk.control(ids.VIEW), say("panel.back"), PLAIN)
    if not offers:
        return build_panel(room, seat, notice=notice or say("panel.no_offers"))
    if offer is None:
        names = plain_names(room)
        buttons = [button(desk.control(ids.OFFER, offer.kind), desk.words.question(offer, names)) for offer in offers]
        return Panel(_text(notice, say("panel.offers")), tuple(button_rows([*buttons[:20], back])))
    if keys:
        return _ask_once(desk, offer, keys, notice, back)
    groups = shelves(offer.options)
    if len(groups) < ROWS:
        rows: list[Row] = [_offer_menu(desk, offer, name, groups) for name in groups]
    elif group in groups:
        rows = [_offer_menu(desk, offer, group, groups)]
    else:
        rows = [_menu_of_groups(desk, desk.control(ids.OFFER, offer.kind, ids.OFFER_GROUPS), groups)]
    shown = groups.get(group, offer.options)
    return Panel(_text(notice, _asking(desk, offer)), (*rows, (back,)), _spots(shown))


def closed(match: Match, seat: Seat) -> Match | None:
    """The match once every open optional sequence of the seat is ended; None if it must still choose."""
    if not match.draft(seat).answers and not match.has_one_answer(seat):
        return None
    for _ in range(50):
        question = match.question(seat)
        if question is None:
            return match
        ending = question.ending()
        if ending is None:
            return None
        match = match.pick(Answer(seat, question.kind, (ending.key,)))
    return None


def confirm_label(room: Room, seat: Seat) -> str:
    """What the Confirm button says, '' if the draft cannot be confirmed yet."""
    match = room.playing()
    ended = closed(match, seat)
    if ended is None:
        return ""
    then = describe.words(room).confirm(ended.follows(seat))
    return say("panel.confirm", then=then) if match.is_complete(seat) else say("panel.stop", then=then)


def _text(*parts: str) -> str:
    return cut("\n".join(part for part in parts if part), CONTENT)


def _asking(desk: Desk, decision: Decision) -> str:
    """A question or an offer as the panel puts it, with how many options are to be chosen."""
    question = desk.words.question(decision, marked_names(desk.room), desk.view)
    least, most = decision.at_least, decision.at_most
    if least == most == 1:
        return say("panel.question", question=question)
    return say("panel.question_of_several", question=question, least=least, most=most if most > least else None)


def _draft(desk: Desk) -> str:
    """What the seat has drafted: what it would tell, and where that says nothing, what was chosen."""
    draft = desk.match.draft(desk.seat)
    if not draft.answers:
        return ""
    told = describe.told_singly(desk.room, draft.events, desk.seat)
    lines = [*told, *_chosen(desk, draft, silent=True)] if told else _chosen(desk, draft)
    return "\n".join(lines_within([say("panel.drafted"), *(f"- {line}" for line in lines)], 1200))


def _chosen(desk: Desk, draft: Draft, silent: bool = False) -> list[str]:
    """The answers of a draft in the words of what was chosen; of a `silent` end only what tells nothing by itself.

    Where a question is still open it says as much as the answers before it.
    """
    if silent and draft.question is not None:
        return []
    names = marked_names(desk.room)
    lines: list[str] = []
    step: Draft | None = draft
    # From the last answer back to the first. What each answered was asked by the draft before it, the first one's
    # question by the match itself.
    while step is not None and step.answers:
        earlier = step.before
        if silent and step.events != (earlier.events if earlier else ()):
            break
        asked = earlier.question if earlier else desk.match.position.question(desk.seat)
        if asked is not None:
            keys = step.answers[-1].keys
            chosen = [desk.words.option(asked, asked.option(key), desk.view, names) for key in keys]
            lines.insert(0, listed(chosen) or say("panel.none_chosen"))
        step = earlier
    return lines


def _choices(desk: Desk, question: Decision, group: str) -> Shown:
    """How a question is put: buttons where they are few and short, else a menu, else menus by group."""
    if question.at_most > 1 or question.at_least == 0:
        return _several(desk, question)
    enders = [option for option in question.options if option.ends]
    rest = [option for option in question.options if not option.ends]

    def pick(option: Option, look: str = PLAIN) -> Button:
        return button(desk.control(ids.PICK, question.kind, option.key), desk.label(question, option), look)

    extra = [pick(option) for option in enders]
    if 0 < len(rest) <= MANY_BUTTONS:
        buttons = [pick(option, STRONG) for option in rest]
        longest = max(len(made.label) for made in buttons)
        if longest <= (SHORT if len(rest) > FEW_BUTTONS else BUTTON_TEXT):
            return _with_controls(desk, button_rows(buttons), extra), _spots(rest)
    if len(rest) <= CHOICES:
        menus: list[Row] = [_menu(desk, question, "", rest)] if rest else []
        return _with_controls(desk, menus, extra), _spots(rest)
    return _grouped(desk, question, shelves(rest), group, extra)


def _several(desk: Desk, question: Decision) -> Shown:
    """A question that takes several options, or none: one menu."""
    options = question.options[:CHOICES]
    most = min(question.at_most, len(options))
    menu = Menu(
        desk.control(ids.GROUP, question.kind),
        say("panel.choose"),
        tuple(choice(option.key, desk.label(question, option)) for option in options),
        min(question.at_least, most),
        most,
    )
    none: list[Button] = []
    if question.at_least == 0:
        none.append(button(desk.control(ids.PICK, question.kind), say("panel.none")))
    return _with_controls(desk, [menu] if options else [], none), _spots(options)


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


def _grouped(desk: Desk, question: Decision, groups: dict[str, list[Option]], group: str, extra: list[Button]) -> Shown:
    """More options than one menu holds: a menu for each group if they fit, else a menu of groups, then one of them."""
    everything = [option for members in groups.values() for option in members]
    controls = button_rows([*extra, *_controls(desk)])
    if len(groups) + len(controls) <= ROWS:
        menus = [_menu(desk, question, name, members) for name, members in groups.items()]
        return (*menus, *controls), _spots(everything)
    groups_id = desk.control(ids.GROUPS, question.kind)
    if group in groups:
        menu = _menu(desk, question, group, groups[group])
        return _with_controls(desk, [menu], [button(groups_id, say("panel.back")), *extra]), _spots(groups[group])
    return _with_controls(desk, [_menu_of_groups(desk, groups_id, groups)], extra), _spots(everything)


def _menu_of_groups(desk: Desk, custom_id: str, groups: dict[str, list[Option]]) -> Menu:
    lines = []
    for name, members in groups.items():
        codes = " ".join(option.key for option in members).upper()
        lines.append(choice(name, _group_label(desk, name), codes))
    return Menu(custom_id, say("panel.choose_group"), tuple(lines))


def _group_label(desk: Desk, name: str) -> str:
    return desk.words.group(name.partition("_")[0])


def _menu(desk: Desk, question: Decision, name: str, options: list[Option]) -> Menu:
    title = _group_label(desk, name) if name else say("panel.choose")
    lines = tuple(choice(option.key, desk.label(question, option)) for option in options)
    return Menu(desk.control(ids.GROUP, question.kind, name), cut(title, PLACEHOLDER), lines)


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
        buttons.append(button(desk.control(ids.UNDO), say("panel.undo")))
    if len(picks) > 1:
        buttons.append(button(desk.control(ids.UNDO, key=ids.ALL), say("panel.start_over")))
    if desk.match.offers(desk.seat):
        buttons.append(button(desk.control(ids.OFFER), say("panel.more")))
    return buttons[:BUTTONS_A_ROW]


def _offer_menu(desk: Desk, offer: Decision, name: str, groups: dict[str, list[Option]]) -> Menu:
    """The options of an offer in one group; several can be chosen at once only where there is no other group."""
    members, alone = groups[name], len(groups) == 1
    most = min(offer.at_most, len(members)) if alone else 1
    control = desk.control(ids.OFFER, offer.kind, "" if alone else f"{ids.OFFER_GROUPS}{name}")
    title = say("panel.choose") if alone else cut(_group_label(desk, name), PLACEHOLDER)
    lines = tuple(choice(option.key, desk.label(offer, option)) for option in members)
    return Menu(control, title, lines, min(offer.at_least, most), most)


def _ask_once(desk: Desk, offer: Decision, keys: tuple[str, ...], notice: str, back: Button) -> Panel:
    """The question whether to take an offer now: it is committed at once, and nothing takes it back."""
    offer.check(keys)
    chosen = [offer.option(key) for key in keys]
    what = listed(escaped(desk.label(offer, option), 80) for option in chosen)
    if of_game := desk.words.sure(offer.kind):
        sure = say("panel.sure_of_game", chosen=what, question=of_game)
    else:
        sure = say("panel.sure_in_secret", chosen=what) if offer.secret else say("panel.sure", chosen=what)
    asked = say("panel.question", question=desk.words.question(offer, marked_names(desk.room), desk.view))
    yes = button(desk.control(ids.PICK, offer.kind, "+".join(keys)), say("panel.yes"), GRAVE)
    if len(yes.id) > CUSTOM_ID:
        typed = say("panel.typed_only", typed=f"{offer.kind}/{'+'.join(keys)}")
        return Panel(_text(notice, asked, sure, typed), ((back,),), _spots(chosen))
    return Panel(_text(notice, asked, sure), ((yes, back),), _spots(chosen))
