"""Build a seat's private panel for any game: text, with buttons and menus to act.

`build_panel` shows what the seat is asked now and what it has drafted, `build_offers` what it may
do at any time (More…). A panel is a plain value, so building one has no effects; presses.py sends
it. Nothing here knows a particular game.

From top to bottom a panel has its picture, the question, the choices, what has been chosen so far,
and the controls in one last row. A choice that has more to say than its button is a text with the
button beside it, and many choices stand under headings.

Discord allows 40 components. Options that all fit are one page. Otherwise the options of a group go
into a folder: a button that opens a page of its own. Small folders are left open where there is
space, and what is still too much is shown page by page. A page's name fits into a custom id: '' is
the first page, '_2' the second, and anything else the name of a folder.

The custom id of a button or menu in a panel is `<action>:<match>:<seat>:<turn>:<decision>:<key>`.
It belongs to one seat, and to one turn of that seat. The actions are the one-letter constants
below. Messages with these ids stay in Discord for years, so a letter must not change its meaning.
"""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from math import ceil
from typing import Literal

from msgspec import Struct

from bot.kernel.room import Room
from bot.model import Status
from bot.text import and_list, say
from bot.ui import (
    BUTTONS_A_ROW,
    CHOICES,
    CONTENT,
    CUSTOM_ID,
    DROP,
    GOOD,
    GRAVE,
    LAYOUT_PARTS,
    MATCH,
    PLACEHOLDER,
    PLAIN,
    STRONG,
    Button,
    Choice,
    Menu,
    Part,
    Section,
    button_rows,
    count_components,
    cut,
    describe,
    escape_text,
    lines_within,
    marked_names,
    plain_names,
    plan_button_id,
)
from engine import Decision, Option, Seat
from engine.core.escape import code_text
from engine.core.perspective import Perspective, find_spots
from engine.core.words import points

# The actions of controls, as their custom ids begin.

PICK = "p"
"""Pick an option, or several; their keys are joined by '+'."""
PICK_SEVERAL = "g"
"""A menu of options of which several may be picked; its values are their keys."""
PAGE = "m"
"""Show another page of the options. The key is its name; without a key it is the first page."""
OFFER = "o"
"""More…: without a decision all offers; with one, its options; with a key too, 'take it now?'."""
UNDO = "u"
"""Undo the last pick; with the key ALL, start over."""
CONFIRM = "c"
"""Commit the draft."""
REFRESH = "v"
"""Show the panel as it is now."""
RESIGN = "x"
"""Give up the seat."""
HINT = "h"
"""Without a key, ask for a hint. With the key TAKE, draft its turn; 'take2', 'take3' draft others
that are as good, and RESTART one that is much better than what has been drafted so far."""
LESSON = "e"
"""End a lesson. With the key END the match ends too, with PLAY_ON it continues."""

# Keys of these controls.
ALL = "all"
TAKE, RESTART = "take", "restart"
END, PLAY_ON = "end", "on"
OFFER_PAGE = "_"
"""Precedes the name of a page of an offer's options. No option's key begins with it."""

CONTROL = (
    rf"(?P<action>[pgmoucvxhe]):{MATCH}:(?P<seat>[0-9]{{1,2}}):(?P<turn>[0-9]{{1,7}})"
    r":(?P<kind>[a-z0-9_]{0,40}):(?P<key>[a-z0-9+_-]{0,60})"
)
"""The pattern of a control's custom id. Its groups are the fields of Control."""
KEY = re.compile(r"[a-z0-9_-]{1,40}")
"""The pattern of an option's key, as a menu sends it."""

CONTROL_PARTS = 1 + BUTTONS_A_ROW
"""The components of the last row: the row itself and its buttons."""
OPTION_PARTS = LAYOUT_PARTS - 3 - CONTROL_PARTS
"""The components left for choices besides the picture, two texts and the controls."""
MIN_ITEMS_PER_HEADING = 2
"""With fewer choices per heading, on average, headings are left out."""
OTHER = "other"
"""The group of options that name none."""
MAX_DRAFT_CHARACTERS = 1200
MAX_PLAN_CHARACTERS = 200
MAX_OPTION_CHARACTERS = 80


class Control(Struct, frozen=True):
    """The parts of a control's custom id."""

    action: str
    """One of the constants above, such as PICK."""
    match: str
    seat: int
    turn: int
    """How many answers the seat had given, drafts included, when the control was made."""
    kind: str = ""
    """The decision it is about; '' for a control that is about none."""
    key: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the options that it picks: none to choose nothing, or to turn a page."""
        if not self.key or self.key.startswith(OFFER_PAGE):
            return ()
        return tuple(self.key.split("+"))

    @property
    def has_effect(self) -> bool:
        """Whether it changes the match or the draft, rather than only show something."""
        if self.action == HINT:
            return bool(self.key)
        return self.action not in (PAGE, OFFER, REFRESH)

    @property
    def page(self) -> str:
        """The name of the page of options that it shows, if it picks none."""
        return self.key.removeprefix(OFFER_PAGE) if self.action == OFFER else self.key


# One seat of a match: what it sees, how its game words it, and what it has drafted.


class SeatContext(Perspective, frozen=True, kw_only=True):
    """One seat of a match that has begun, together with the match's record."""

    room: Room

    @classmethod
    def of(cls, room: Room, seat: Seat) -> "SeatContext":
        """Gather the context of a seat."""
        return cls(
            match=room.playing(),
            seat=seat,
            words=describe.words(room),
            names=plain_names(room),
            marked=marked_names(room),
            room=room,
        )

    @property
    def asked(self) -> Decision | None:
        """The question to the person in the seat; None if they have left or the match has ended."""
        # After a resignation the seat still has questions, but a computer answers them.
        return self.question if self.is_playing else None

    @property
    def is_playing(self) -> bool:
        """Whether the match is still being played, and the person in the seat takes part in it."""
        is_over = self.match.outcome is not None or self.room.record.status is Status.CALLED_OFF
        return not is_over and self.seat not in self.match.resigned

    def make_custom_id(self, action: str, kind: str = "", key: str = "") -> str:
        """Return the custom id of a control that is valid for this turn of the seat."""
        turn = self.match.turn(self.seat)
        return f"{action}:{self.room.record.id}:{self.seat}:{turn}:{kind}:{key}"


# The panel: a seat's question, and its draft.


class Panel(Struct, frozen=True):
    """A private panel: text, controls, and the spots to ring on its picture."""

    context: SeatContext
    """The seat that it is for."""
    text: str
    """The text above the choices: what happened, and the question."""
    choices: tuple[Part, ...] = ()
    chosen: str = ""
    """The draft in words, below the choices."""
    controls: tuple[Button, ...] = ()
    """The last row: Confirm, Undo and the like."""
    rings: tuple[str, ...] = ()
    question: str = ""
    """The question without markdown, for the alt text of the picture."""
    ringed: Literal["legal", "advised"] = "legal"
    """Why spots are ringed, for the alt text of the picture."""
    with_scores: bool = False
    """Add a second picture with the points so far."""
    notes: tuple[str, ...] = ()
    """Lines above the controls, such as the deadline."""

    @property
    def parts(self) -> list[Part]:
        """What is below the text, from top to bottom."""
        last_text = "\n".join(filter(None, (self.chosen, *self.notes)))
        return [part for part in (*self.choices, last_text, self.controls) if part]


class Advice(Struct, frozen=True):
    """What a hint or a coach adds to a panel."""

    idea: str = ""
    """The idea that a coach teaches, above the question."""
    good: str = ""
    """The text about which choices are good, below the question."""
    keys: tuple[str, ...] = ()
    """The keys of good options: they are green, and each has a button on the first page."""
    spots: tuple[str, ...] | None = None
    """Spots to ring on the picture; None for those of all options."""
    offer_button: Button | None = None
    """A button for an offer that should be taken first."""
    turn_buttons: tuple[Button, ...] = ()
    """Buttons that draft whole turns of a hint. With them, the button that asks for a hint is left
    out."""


def build_panel(
    room: Room, seat: Seat, page: str = "", notice: str = "", advice: Advice | None = None
) -> Panel:
    """Build the panel of a seat: its question, its draft and what it can do now.

    `page` is the name of the page of options to show. The text opens with the `notice`: news, or
    why something was refused. `advice` is what a hint or a coach adds: texts, green buttons and
    rings.
    """
    advice = advice or Advice()
    context = SeatContext.of(room, seat)
    match, question = context.match, context.question
    if match.outcome is not None:
        return Panel(context, _join(notice, *describe.ranking_lines(room)))
    if room.record.status is Status.CALLED_OFF:
        return Panel(context, _join(notice, say("refusal.called_off")))
    if seat in match.resigned:
        return Panel(context, _join(notice, say("panel.given_up")))
    controls = _build_controls(context, can_ask_hint=not advice.turn_buttons)
    plan, draft = _describe_plan(context), ""
    if context.draft.answers:
        lines = [say("panel.drafted"), *describe_draft(context)]
        draft = "\n".join(lines_within(lines, MAX_DRAFT_CHARACTERS))
    if question:
        shortened = say("panel.shortened") if seat in match.cut else ""
        idea = say("lesson.idea", idea=advice.idea) if advice.idea else ""
        question_text = _describe_question(context, question)
        above = [advice.offer_button] if advice.offer_button else [*advice.turn_buttons]
        laid_out = lay_out_options(context, question, page, controls, advice.keys, above)
        return Panel(
            context,
            _join(notice, idea, shortened, plan, question_text, advice.good),
            laid_out.parts,
            draft,
            controls,
            rings=laid_out.spots if advice.spots is None else advice.spots,
            question=context.words.question(question, context.names, context.view),
            ringed="legal" if advice.spots is None else "advised",
        )
    if match.is_complete(seat):
        complete = say("panel.complete", points=_describe_change_of_points(context))
        return Panel(
            context, _join(notice, complete), chosen=draft, controls=controls, question=complete
        )
    turn = describe.whose_turn(room)
    if turn in notice:
        # The notice, such as the reason of a refusal, may say it already.
        waiting = ""
    else:
        # Somebody who has just moved knows that it isn't their turn any more.
        waiting = turn if notice else say("panel.not_your_turn", turn=turn)
    standing_offers = ""
    # Leave the list of standing offers out after an action: its result is more interesting.
    if not notice:
        standing = match.game.standing.values()
        offer_lines = [
            f"- {context.name_offer(offer)}" for offer in context.offers if offer.kind in standing
        ]
        standing_offers = "\n".join([say("panel.standing"), *offer_lines]) if offer_lines else ""
    return Panel(
        context, _join(notice, waiting, plan, standing_offers), chosen=draft, controls=controls
    )


def _describe_change_of_points(context: SeatContext) -> str:
    """Return the seat's points before and after its draft: '4 → 6'; '' if they stay the same."""
    seat = context.seat
    if not context.view.scores:
        return ""
    before = context.match.without_drafts().view(seat).scores[seat]
    after = context.view.scores[seat]
    return f"{points(before)} → {points(after)}" if before != after else ""


def describe_draft(context: SeatContext) -> list[str]:
    """Return a line for each effect that the seat's draft will have.

    For choices without an effect yet, the lines say what was chosen.
    """
    draft = context.draft
    steps = context.match.draft_steps(context.seat)
    lines = describe.event_lines(context.room, draft.events, context.seat)
    if lines and draft.question:
        # The question that follows shows what was chosen last.
        steps = []
    elif lines:
        # A turn may end with choices that have no effect yet, such as where to go next.
        steps = [step for step in steps if step.match.draft(context.seat).events == draft.events]
    for step in steps:
        options = [step.question.option(key) for key in step.answer.keys]
        labels = [context.tell_option(step.question, option) for option in options]
        lines.append(and_list(labels) or say("panel.none_chosen"))
    return [f"- {line}" for line in lines]


def build_confirm_label(context: SeatContext) -> str:
    """Return the label of the Confirm button; '' if the draft cannot be confirmed yet."""
    finished = context.match.finished(context.seat)
    if finished is None:
        return ""
    then = context.words.confirm(finished.follows(context.seat))
    question = context.question
    if question and (ending := question.ending()):
        return say("panel.stop", option=context.label(question, ending, brief=True), then=then)
    return say("panel.confirm", then=then)


def _build_controls(context: SeatContext, can_ask_hint: bool) -> tuple[Button, ...]:
    """Build Confirm, Undo, Start over, More… and the like: those that have a use now."""
    room, question = context.room, context.question
    offers = [offer.kind for offer in context.offers]
    picks = [answer for answer in context.draft.answers if not answer.forced]
    buttons: list[Button] = []

    def add(label: str, action: str, kind: str = "", key: str = "", look: str = PLAIN) -> None:
        buttons.append(Button(context.make_custom_id(action, kind, key), label, look))

    if label := build_confirm_label(context):
        add(label, CONFIRM, look=GOOD)
    if picks:
        add(say("panel.undo"), UNDO)
    if len(picks) > 1:
        add(say("panel.start_over"), UNDO, key=ALL)
    if offers:
        add(say("panel.more"), OFFER)
    # Some games offer a standing answer, which answers this question in every turn to come.
    standing = context.match.game.standing.get(question.kind, "") if question else ""
    if standing in offers:
        add(say("panel.always"), OFFER, standing)
    if plan := room.plan_of(context.seat):
        label = say("plan.seen" if plan.dropped else "plan.drop")
        buttons.append(Button(plan_button_id(room.record.id, plan.id, DROP), label))
    if question and room.has_hints and can_ask_hint:
        add(say("hint.button"), HINT)
    return tuple(buttons[:BUTTONS_A_ROW])


def _join(*parts: str) -> str:
    """Join the parts of a panel's text, leaving out empty and repeated ones."""
    return cut("\n".join(dict.fromkeys(filter(None, parts))), CONTENT)


def _describe_question(context: SeatContext, decision: Decision) -> str:
    """Return the text of a question or an offer, with how many options to choose."""
    text = describe.emphasize_question(context.ask(decision))
    least, most = decision.at_least, decision.at_most
    if least == most == 1:
        return text
    most_said = most if most > least else None
    return say("panel.question_of_several", question=text, least=least, most=most_said)


def _describe_plan(context: SeatContext) -> str:
    """Describe the seat's planned turn or standing answer, or why a plan was not played."""
    match, seat = context.match, context.seat
    plan = context.room.plan_of(seat)
    if plan is None:
        is_ordered = match.game.standing_answer(match.base, seat) and not context.draft.answers
        return say("plan.ordered") if is_ordered else ""
    if plan.dropped:
        return describe.why_plan_dropped(context.room, seat)
    key = "plan.unsure"
    if plan.kept:
        key = "plan.waiting" if plan.at else "plan.stands"
    move = code_text(plan.move, MAX_PLAN_CHARACTERS)
    return say(key, move=move, unless=tuple(spot.upper() for spot in plan.unless))


# What a seat may do at any time.


def build_offers(
    room: Room, seat: Seat, kind: str = "", keys: tuple[str, ...] = (), page: str = ""
) -> Panel:
    """Build a list of all offers; with a `kind`, a page of the options of that offer.

    With `keys` as well, ask whether to take those options now. Raises IllegalAnswer if they cannot
    be taken.
    """
    context = SeatContext.of(room, seat)
    offers = {offer.kind: offer for offer in context.offers}
    if not offers:
        return build_panel(room, seat, notice=say("panel.no_offers"))
    back = Button(context.make_custom_id(REFRESH), say("panel.back"))
    offer = offers.get(kind)
    if offer is None:
        buttons = [
            Button(context.make_custom_id(OFFER, one.kind), context.name_offer(one))
            for one in offers.values()
        ]
        return Panel(context, say("panel.offers"), tuple(button_rows(buttons)), controls=(back,))
    if not keys:
        laid_out = lay_out_options(context, offer, page, (back,))
        # Back leads from a folder of an offer to the offer, and only from there to the panel.
        controls = () if laid_out.is_folder else (back,)
        text = _join(_describe_question(context, offer))
        return Panel(context, text, laid_out.parts, controls=controls, rings=laid_out.spots)
    # An offer is committed at once and cannot be undone, so ask first.
    offer.check(keys)
    options = [offer.option(key) for key in keys]
    chosen = and_list(
        escape_text(context.label(offer, option), MAX_OPTION_CHARACTERS) for option in options
    )
    if confirmation := context.words.confirmation(offer.kind):
        confirmation = say("panel.sure_of_game", chosen=chosen, question=confirmation)
    else:
        confirmation = say("panel.sure_in_secret" if offer.secret else "panel.sure", chosen=chosen)
    lines = [describe.emphasize_question(context.ask(offer)), confirmation]
    custom_id = context.make_custom_id(PICK, offer.kind, "+".join(keys))
    buttons = [back]
    if len(custom_id) <= CUSTOM_ID:
        buttons.insert(0, Button(custom_id, say("panel.yes"), GRAVE))
    else:
        lines.append(say("panel.typed_only", typed=f"{offer.kind}/{'+'.join(keys)}"))
    return Panel(context, _join(*lines), controls=tuple(buttons), rings=find_spots(options))


# Options as buttons, or as a menu.


class Folder(Struct, frozen=True):
    """Options of one group behind one button."""

    group: str
    options: Sequence[Option]
    part: int = 0
    """The number, from 1, of this folder if its group is too large for one folder; otherwise 0."""

    @property
    def name(self) -> str:
        """The name of the folder's page."""
        return f"{self.group}_{self.part}" if self.part else self.group


Item = Option | Folder


class Page(Struct, frozen=True):
    """Options and folders that are shown at once."""

    items: Sequence[Item]
    number: int = 1
    count: int = 1
    """How many pages there are; the first follows the last."""
    is_folder: bool = False
    """Whether the page shows the inside of a folder."""


class LaidOut(Struct, frozen=True):
    """A page of options as parts of a layout."""

    parts: tuple[Part, ...]
    spots: tuple[str, ...]
    """The spots to ring on the picture."""
    is_folder: bool = False
    """Whether it shows the inside of a folder, with a button back to the first page."""


class OptionButtons(Struct, frozen=True):
    """Makes the buttons of a decision's options and pages, and arranges them.

    Pressing an option of a question answers it. An offer (a decision that is not blocking) is
    committed at once and cannot be undone, so pressing one of its options only opens "do it now?".
    That is why their custom ids differ.
    """

    context: SeatContext
    decision: Decision
    advised: Collection[str]
    """The keys of the options to make green."""

    def make_id(self, action: str, key: str = "") -> str:
        """Return the custom id of a button or menu."""
        action = action if self.decision.blocking else OFFER
        return self.context.make_custom_id(action, self.decision.kind, key)

    def for_option(self, option: Option) -> Button:
        """Make the button that picks an option."""
        look = PLAIN if option.ends or option.forfeits else STRONG
        if option.key in self.advised:
            look = GOOD
        label = self.context.label(self.decision, option, brief=True)
        return Button(self.make_id(PICK, option.key), label, look)

    def for_folder(self, folder: Folder) -> Button:
        """Make the button that opens a folder.

        Parts of a large group are told apart by their first and last option.
        """
        first = last = ""
        if folder.part:
            first, last = folder.options[0].key, folder.options[-1].key
        view = self.context.view
        most_points = max(view.facts(option).get("points", 0) for option in folder.options)
        notes = sum(view.note(option.spot) != "" for option in folder.options if option.spot)
        group = self.context.words.group(folder.group, most_points, notes)
        label = say("panel.group", group=group, number=len(folder.options), first=first, last=last)
        return self.for_page(folder.name, label)

    def for_page(self, name: str, label: str) -> Button:
        """Make the button that shows a page of options."""
        prefix = "" if self.decision.blocking else OFFER_PAGE
        return Button(self.make_id(PAGE, prefix + name), label)

    def for_other_pages(self, page: Page) -> list[Button]:
        """Make the buttons that open the next page and, from a folder, the first one."""
        buttons = []
        if page.count > 1:
            number = page.number % page.count + 1
            label = say("panel.next_page", number=number, pages=page.count)
            buttons.append(self.for_page(f"_{number}", label))
        if page.is_folder:
            buttons.append(self.for_page("", say("panel.back")))
        return buttons

    def arrange(self, items: Sequence[Item], space: int) -> list[Part]:
        """Arrange items within `space` components.

        If there is space, they have headings, and texts that explain them.
        """
        # A few buttons need no headings, and a heading for every button would be in the way.
        heading_names = {self.context.words.heading(item.group or OTHER) for item in items}
        is_long = len(items) > BUTTONS_A_ROW
        headings = is_long and len(items) >= MIN_ITEMS_PER_HEADING * len(heading_names)
        for has_headings, has_texts in ((headings, True), (False, True), (headings, False)):
            parts = self._arrange(items, has_headings, has_texts)
            if count_components(parts) <= space:
                return parts
        return self._arrange(items, has_headings=False, has_texts=False)

    def _arrange(self, items: Sequence[Item], has_headings: bool, has_texts: bool) -> list[Part]:
        words = self.context.words
        by_heading: dict[str, list[Item]] = {}
        for item in items:
            heading = words.heading(item.group or OTHER) if has_headings else ""
            by_heading.setdefault(heading, []).append(item)
        parts: list[Part] = []
        for heading, members in by_heading.items():
            # Right below the question, options without a group need no heading.
            is_needed = parts or heading != words.heading(OTHER)
            if len(by_heading) > 1 and is_needed:
                parts.append(say("panel.heading", heading=heading))
            shown: list[Button] = []
            for item in members:
                if isinstance(item, Folder):
                    shown.append(self.for_folder(item))
                elif has_texts and (about := self.context.explain_option(self.decision, item)):
                    parts.append(Section(about, self.for_option(item)))
                else:
                    shown.append(self.for_option(item))
            parts += button_rows(shown)
        return parts


def lay_out_options(
    context: SeatContext,
    decision: Decision,
    page_name: str,
    controls: tuple[Button, ...],
    advised: Sequence[str] = (),
    above: Sequence[Button] = (),
) -> LaidOut:
    """Arrange a page of options as parts of a layout, below other buttons and above `controls`.

    Options whose keys are `advised` are green and come first on the first page.
    """
    buttons = OptionButtons(context, decision, advised)
    first: list[Part] = [*button_rows(above)]
    if decision.at_least != 1 or decision.at_most != 1:
        return _lay_out_menu(buttons, page_name, first)
    options: list[Option] = []
    endings: list[Option] = []
    for option in decision.options:
        (endings if option.ends or option.forfeits else options).append(option)
    # If only an ending is left to choose, the Confirm button already says so.
    shows_endings = not context.match.has_one_answer(context.seat)
    ends = [buttons.for_option(option) for option in endings if shows_endings]
    space = OPTION_PARTS - count_components((*first, *button_rows(ends)))
    page = find_page(options, space, page_name)
    advised_options: list[Option] = []
    if not page_name:
        # Advised options must be on the first page, even if they belong into a folder.
        by_key = {option.key: option for option in options}
        advised_options = [by_key[key] for key in dict.fromkeys(advised) if key in by_key]
        if any(option not in page.items for option in advised_options):
            page = find_page(
                options,
                space - count_components(button_rows(map(buttons.for_option, advised_options))),
            )
    items = [*advised_options, *(item for item in page.items if item not in advised_options)]
    spots: list[Option] = []
    for item in items:
        spots += item.options if isinstance(item, Folder) else [item]
    below = button_rows([*ends, *buttons.for_other_pages(page)])
    # Which options are on a page must not depend on the controls, or pages would change during a
    # turn. But few controls leave space for headings.
    space = OPTION_PARTS + CONTROL_PARTS - count_components((*first, *below, controls))
    parts = (*first, *buttons.arrange(items, space), *below)
    return LaidOut(parts, find_spots(spots), page.is_folder)


def _lay_out_menu(buttons: OptionButtons, page_name: str, above: Sequence[Part]) -> LaidOut:
    """Arrange a page of options of which several may be chosen, or none, as a menu."""
    decision = buttons.decision
    page = find_numbered_page(decision.options, CHOICES, page_name)
    below = buttons.for_other_pages(page)
    if decision.blocking and decision.at_least == 0:
        below = [Button(buttons.make_id(PICK), say("panel.none")), *below]
    options = [item for item in page.items if isinstance(item, Option)]
    if not options:
        return LaidOut((*above, *button_rows(below)), ())
    most = min(decision.at_most, len(options))
    placeholder = say("panel.menu", most=most, keys=[option.key for option in options])
    choices = []
    for option in options:
        note = say("panel.advised") if option.key in buttons.advised else ""
        choices.append(Choice(option.key, buttons.context.label(decision, option), note))
    menu = Menu(
        buttons.make_id(PICK_SEVERAL),
        cut(placeholder, PLACEHOLDER),
        tuple(choices),
        min(decision.at_least, most),
        most,
    )
    return LaidOut((*above, menu, *button_rows(below)), find_spots(options))


def _buttons_within(parts: int) -> int:
    """Return how many buttons fit into this many components of a layout: each row is one too."""
    return parts * BUTTONS_A_ROW // (BUTTONS_A_ROW + 1)


def find_page(options: Sequence[Option], space: int, name: str = "") -> Page:
    """Return the page of that name, or the first; it needs no more than `space` components."""
    buttons = _buttons_within(space)
    # Every page but the first needs two components more: a row with the button 'back' or 'next'.
    page_size = _buttons_within(space - 2)
    if len(options) <= buttons:
        return Page(options)
    groups: dict[str, list[Option]] = {}
    for option in options:
        groups.setdefault(option.group or OTHER, []).append(option)
    folders: list[Folder] = []
    for group, members in groups.items():
        # A group that is too large for one page is split into folders of about the same size.
        parts = ceil(len(members) / page_size)
        bounds = [part * len(members) // parts for part in range(parts + 1)]
        for part, (first, end) in enumerate(pairwise(bounds), start=1):
            folders.append(Folder(group, members[first:end], part if parts > 1 else 0))
    for folder in folders:
        if folder.name == name:
            return Page(folder.options, is_folder=True)
    # Open the smallest folders as long as everything fits: that saves a press. Folders of one size
    # are either all open or all closed, and parts of a large group stay closed, so that nobody
    # wonders why only one of them is open.
    sizes = {len(folder.options) for folder in folders if not folder.part}
    for most in (*sorted(sizes, reverse=True), 1):
        items: list[Item] = []
        for folder in folders:
            is_open = not folder.part and len(folder.options) <= most
            items += folder.options if is_open else (folder,)
        if len(items) <= buttons:
            return Page(items)
    return find_numbered_page(items, page_size, name)


def find_numbered_page(items: Sequence[Item], size: int, name: str) -> Page:
    """Return the page of that name ('_2'), or the first, with at most `size` items."""
    pages = [items[start : start + size] for start in range(0, len(items), size)] or [items]
    digits = name.removeprefix("_")
    number = int(digits) if digits.isdecimal() else 1
    if not 1 <= number <= len(pages):
        number = 1
    return Page(pages[number - 1], number, len(pages))
