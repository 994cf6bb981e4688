"""A seat's decisions as words, buttons and menus, for any game. Pure: nothing here knows Discord or waits."""

from collections.abc import Callable, Iterable
from typing import Literal

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
from bot.matches.room import Room, Status
from bot.panel.pages import Page, Shelf, page
from bot.text import describe, listed, say
from bot.text.names import escaped, marked_names, plain_names
from engine import Answer, Decision, Draft, Match, Option, Seat, View
from engine.core.words import Words

Shown = tuple[tuple[Row, ...], tuple[str, ...]]
"""The rows of a panel, and the spots to ring on its picture."""


class Panel(Struct, frozen=True):
    """A private panel: words, controls, and the spots to ring on its picture."""

    text: str
    rows: tuple[Row, ...] = ()
    rings: tuple[str, ...] = ()
    question: str = ""
    """For the alt text of its picture."""
    page: str = ""
    """The page of its choices."""
    notice: str = ""
    """What it says before all else."""
    ringed: Literal["legal", "advised"] = "legal"
    """Why spots are ringed, for the alt text of its picture."""
    with_scores: bool = False
    """A second picture counts the points so far."""


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

    def label(self, decision: Decision, option: Option, brief: bool = False) -> str:
        """An option in words; `brief` for a button."""
        return self.words.option(decision, option, self.view, plain_names(self.room), brief)


def build_panel(room: Room, seat: Seat, named: str = "", notice: str = "", advised: tuple[str, ...] = ()) -> Panel:
    """The panel of a seat: its question, its draft and what it can do now; `named` is a page of its choices.

    Choices that are advised are green, and have buttons of their own on the first page.
    """
    desk = Desk.of(room, seat)
    match = desk.match
    if match.outcome is not None:
        return Panel(_text(notice, "\n".join(describe.ranking_lines(room))))
    if room.info.status is Status.CALLED_OFF:
        called_off = say("refusal.called_off")
        return Panel(_text(notice, called_off if called_off != notice else ""))
    if seat in match.resigned:
        return Panel(_text(notice, say("panel.given_up")))
    question = match.question(seat)
    if question is not None:
        said = notice
        rows, spots = _choices(desk, question, named, advised)
        if seat in match.cut:
            notice = "\n".join(part for part in (notice, say("panel.shortened")) if part)
        asked = desk.words.question(question, plain_names(room), desk.view)
        text = _text(notice, _plan(desk), _asking(desk, question), _draft(desk))
        return Panel(text, rows, spots, asked, named, said)
    # Nothing is asked: the draft is a whole turn, or it is not this seat's turn.
    controls = tuple(button_rows(_controls(desk)))
    if match.is_complete(seat):
        complete = say("panel.complete")
        return Panel(_text(notice, complete, _draft(desk)), controls, question=complete)
    turn = describe.whose_turn(room)
    return Panel(
        _text(
            notice,
            "" if turn in notice else say("panel.not_your_turn", turn=turn),
            _draft(desk),
            _plan(desk),
            # Not after every turn: whoever has just acted is told what came of it.
            "" if notice else _standing_answers(desk),
        ),
        controls,
    )


def build_offers(
    room: Room, seat: Seat, kind: str = "", keys: tuple[str, ...] = (), notice: str = "", named: str = ""
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
        return Panel(_text(notice, say("panel.offers")), _packed(buttons, [back]))
    if keys:
        return _ask_once(desk, offer, keys, notice, back)

    def turn(name: str) -> str:
        return desk.control(ids.OFFER, offer.kind, f"{ids.OFFER_PAGE}{name}")

    if offer.at_most > 1 or offer.at_least == 0:
        number, pages, options = _in_menus(offer, named)
        further = [_next_menu(turn(f"_{number % pages + 1}"), number, pages)] if pages > 1 else []
        menu = _menu(desk, offer, desk.control(ids.OFFER, offer.kind), options)
        return Panel(_text(notice, _asking(desk, offer)), (menu, (*further, back)), _spots(options))

    def pick(option: Option) -> Button:
        return button(desk.control(ids.OFFER, offer.kind, option.key), desk.label(offer, option, brief=True), STRONG)

    shown = page(offer.options, ROWS * BUTTONS_A_ROW - 1, named)
    buttons, turning = _on_page(desk, shown, pick, turn)
    if shown.shelf:
        # Back leads to the groups; from there one gets to the panel.
        back = turning.pop()
    rows = _packed(buttons, [*turning, back])
    return Panel(_text(notice, _asking(desk, offer)), rows, _spots(shown.options))


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


def confirm_label(desk: Desk) -> str:
    """What the Confirm button says, '' if the draft cannot be confirmed yet."""
    ended = closed(desk.match, desk.seat)
    if ended is None:
        return ""
    then = desk.words.confirm(ended.follows(desk.seat))
    question = desk.match.question(desk.seat)
    ending = question.ending() if question else None
    if question is None or ending is None:
        return say("panel.confirm", then=then)
    return say("panel.stop", option=desk.label(question, ending, brief=True), then=then)


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
    return "\n".join(lines_within([say("panel.drafted"), *drafted_lines(desk)], 1200))


def drafted_lines(desk: Desk) -> list[str]:
    """A line for each thing that a draft would do."""
    draft = desk.match.draft(desk.seat)
    told = describe.told_singly(desk.room, draft.events, desk.seat)
    lines = [*told, *_chosen(desk, draft, silent=True)] if told else _chosen(desk, draft)
    return [f"- {line}" for line in lines]


def _plan(desk: Desk) -> str:
    """What the seat has planned for its next turn or ordered for this one, or why a plan has not been played."""
    plan = desk.room.plan_of(desk.seat)
    if plan is None:
        match = desk.match
        is_ordered = match.game.standing_answer(match.base, desk.seat) and not match.draft(desk.seat).answers
        return say("plan.ordered") if is_ordered else ""
    facts = {"move": escaped(plan.move, 200), "unless": tuple(spot.upper() for spot in plan.unless)}
    if plan.dropped:
        return describe.dropped_plan(desk.room, desk.seat)
    if not plan.kept:
        return say("plan.unsure", **facts)
    return say("plan.waiting" if plan.at else "plan.stands", **facts)


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


def _choices(desk: Desk, question: Decision, named: str, advised: tuple[str, ...]) -> Shown:
    """How a question is put: as buttons, all of them if five rows hold them, else by group and page."""
    if question.at_most > 1 or question.at_least == 0:
        return _several(desk, question, named)
    apart = [option for option in question.options if option.ends or option.forfeits]
    if desk.match.has_one_answer(desk.seat):
        # Confirm alone says it.
        apart = []
    rest = [option for option in question.options if not (option.ends or option.forfeits)]

    def pick(option: Option, look: str = STRONG) -> Button:
        label = desk.label(question, option, brief=True)
        look = GOOD if option.key in advised else look
        return button(desk.control(ids.PICK, question.kind, option.key), label, look)

    def turn(name: str) -> str:
        return desk.control(ids.GROUPS, question.kind, name)

    below = [*(pick(option, PLAIN) for option in apart), *_controls(desk)]
    space = ROWS * BUTTONS_A_ROW - len(below)
    good = [option for option in rest if option.key in advised]
    shown = page(rest, space, named)
    if not named and any(option not in shown.items for option in good):
        # Whoever is advised something shall not have to look for it.
        shown = page(rest, space - len(good), named)
    hidden = [option for option in good if option not in shown.items] if not named else []
    buttons, turning = _on_page(desk, shown, pick, turn)
    return _packed([*map(pick, hidden), *buttons], [*turning, *below]), _spots(shown.options)


def _on_page(
    desk: Desk, shown: Page, pick: Callable[[Option], Button], turn: Callable[[str], str]
) -> tuple[list[Button], list[Button]]:
    """The buttons of a page, and those that lead to other pages; `turn` makes the id of one."""
    buttons = [
        pick(item) if isinstance(item, Option) else button(turn(item.name), _shelf_label(desk, item), PLAIN)
        for item in shown.items
    ]
    if shown.shelf:
        return buttons, [button(turn(""), say("panel.back"))]
    if shown.next:
        label = say("panel.next_page", number=shown.number % shown.pages + 1, pages=shown.pages)
        return buttons, [button(turn(shown.next), label)]
    return buttons, []


def _shelf_label(desk: Desk, shelf: Shelf) -> str:
    """What is behind the button of a group: 'Settlers on G (7)'."""
    first, last = (shelf.options[0].key, shelf.options[-1].key) if shelf.is_part else ("", "")
    group = desk.words.group(shelf.group)
    return say("panel.group", group=group, number=len(shelf.options), first=first, last=last)


def _packed(buttons: list[Button], below: list[Button]) -> tuple[Row, ...]:
    """Choices, and below them the rest in rows of its own; where that would take too many rows, right behind them."""
    rows = [*button_rows(buttons), *button_rows(below)]
    return tuple(rows if len(rows) <= ROWS else button_rows([*buttons, *below]))


def _several(desk: Desk, question: Decision, named: str) -> Shown:
    """A question that takes several options, or none: a menu, for many of them one after the other."""
    number, pages, options = _in_menus(question, named)
    menu = _menu(desk, question, desk.control(ids.GROUP, question.kind), options)
    extra: list[Button] = []
    if question.at_least == 0:
        extra.append(button(desk.control(ids.PICK, question.kind), say("panel.none")))
    if pages > 1:
        extra.append(_next_menu(desk.control(ids.GROUPS, question.kind, f"_{number % pages + 1}"), number, pages))
    return ((menu,) if options else ()) + _packed([], [*extra, *_controls(desk)]), _spots(options)


def _in_menus(decision: Decision, named: str) -> tuple[int, int, tuple[Option, ...]]:
    """The number of a menu, how many there are, and what is in it."""
    pages = max(1, -(-len(decision.options) // CHOICES))
    wanted = named.removeprefix("_")
    number = int(wanted) if wanted.isdecimal() and 1 <= int(wanted) <= pages else 1
    return number, pages, decision.options[(number - 1) * CHOICES : number * CHOICES]


def _next_menu(custom_id: str, number: int, pages: int) -> Button:
    return button(custom_id, say("panel.next_page", number=number % pages + 1, pages=pages))


def _menu(desk: Desk, decision: Decision, custom_id: str, options: tuple[Option, ...]) -> Menu:
    """A menu of which several lines may be chosen; its face lists what is in it."""
    most = min(decision.at_most, len(options))
    face = say("panel.menu", most=most, keys=[option.key for option in options])
    lines = tuple(choice(option.key, desk.label(decision, option)) for option in options)
    return Menu(custom_id, cut(face, PLACEHOLDER), lines, min(decision.at_least, most), most)


def _spots(options: Iterable[Option]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(option.spot for option in options if option.spot))


def _controls(desk: Desk) -> list[Button]:
    """Confirm, Undo, Start over, More… and Hint, as far as each makes sense."""
    buttons: list[Button] = []
    if label := confirm_label(desk):
        buttons.append(button(desk.control(ids.CONFIRM), label, GOOD))
    picks = [answer for answer in desk.match.draft(desk.seat).answers if not answer.forced]
    if picks:
        buttons.append(button(desk.control(ids.UNDO), say("panel.undo")))
    if len(picks) > 1:
        buttons.append(button(desk.control(ids.UNDO, key=ids.ALL), say("panel.start_over")))
    if desk.match.offers(desk.seat):
        buttons.append(button(desk.control(ids.OFFER), say("panel.more")))
    if standing := _standing(desk):
        buttons.append(button(desk.control(ids.OFFER, standing.kind), say("panel.always")))
    if plan := desk.room.plan_of(desk.seat):
        buttons.append(
            button(ids.plan(desk.room.info.id, plan.id, "drop"), say("plan.seen" if plan.dropped else "plan.drop"))
        )
    if desk.room.has_hints and desk.match.question(desk.seat):
        buttons.append(button(desk.control(ids.HINT), say("hint.button")))
    return buttons[:BUTTONS_A_ROW]


def _standing(desk: Desk) -> Decision | None:
    """The offer to say once for all how the seat answers what it is asked now, if there is one."""
    question = desk.match.question(desk.seat)
    kind = desk.match.game.standing.get(question.kind) if question else None
    return next((offer for offer in desk.match.offers(desk.seat) if offer.kind == kind), None)


def _standing_answers(desk: Desk) -> str:
    """What the seat has said once for all, for whoever opens the panel before anything is asked."""
    kinds = set(desk.match.game.standing.values())
    names = marked_names(desk.room)
    lines = [f"- {desk.words.question(offer, names)}" for offer in desk.match.offers(desk.seat) if offer.kind in kinds]
    return "\n".join([say("panel.standing"), *lines]) if lines else ""


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
