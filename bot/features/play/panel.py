"""Build a seat's private panel for any game: text, with buttons and menus to act.

`build_panel` shows what the seat is asked now and what it has drafted, `build_offers` what it may
do at any time (More…). A panel is a plain value; presses.py sends it.

From top to bottom a panel has its picture, the question, the choices, what has been chosen so far,
and the controls in one last row. A choice that has more to say than its button is a text with the
button beside it, and many choices stand under headings.

Discord allows 40 components. Options that all fit are one page. Otherwise the options of a group go
into a folder: a button that opens a page of its own. Small folders are left open where there is
space, and what is still too much is shown page by page. A page's name fits into a custom id: '' is
the first page, '_2' the second, and anything else the name of a folder.

The custom id of a button or menu in a panel is `<sort>:<match>:<seat>:<turn>:<decision>:<key>`,
made for one seat at one turn of it. The sorts:

p  pick that option; the keys of several are joined by +
g  a menu of options of which several may be chosen; its values are the keys
m  another page of the options: a group, or '_2'; without a key the first
o  More…: the offers, then one of them, perhaps a page of it, then whether to take it now
u  undo; with the key 'all', start over
c  confirm
v  the panel afresh
x  resign
h  a hint; with the key 'take', draft its turn; 'take2', 'take3' another one that is as good, and
   'restart' one that is much better than the turn that was begun
e  the end of a lesson: 'end' the match too, or play 'on'
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

CONTROL = (
    rf"(?P<sort>[pgmoucvxhe]):{MATCH}:(?P<seat>[0-9]{{1,2}}):(?P<turn>[0-9]{{1,7}})"
    r":(?P<kind>[a-z0-9_]{0,40}):(?P<key>[a-z0-9+_-]{0,60})"
)
KEY = re.compile(r"[a-z0-9_-]{1,40}")
"""What the value of a menu may be."""

PICK, GROUP, GROUPS, OFFER, UNDO, CONFIRM, VIEW, RESIGN, HINT, LESSON = "pgmoucvxhe"
ALL = "all"
TAKE, RESTART = "take", "restart"
END, PLAY_ON = "end", "on"
OFFER_PAGE = "_"
"""What stands before the name of a page of an offer's options: no option's key begins with it."""
CONTROL_PARTS = 1 + BUTTONS_A_ROW
OPTION_PARTS = LAYOUT_PARTS - 3 - CONTROL_PARTS
"""The parts left for choices besides the picture, the texts above and below, and the controls."""
ITEMS_PER_HEADING = 2
"""How many choices there are on average below each heading, at the least."""
OTHER = "other"
"""The group of options that name none."""
MAX_DRAFT_CHARACTERS = 1200
MAX_PLAN_CHARACTERS = 200
MAX_OPTION_CHARACTERS = 80


# One seat of a match: what it sees, how its game words it, and what it has drafted.


class Control(Struct, frozen=True):
    """The parts of a control's id."""

    sort: str
    match: str
    seat: int
    turn: int
    kind: str = ""
    key: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the options that it picks; none for an empty pick or a page of an offer."""
        if not self.key or self.key.startswith(OFFER_PAGE):
            return ()
        return tuple(self.key.split("+"))

    @property
    def has_effect(self) -> bool:
        """Whether it changes the match or the draft, and does not only show something."""
        if self.sort == HINT:
            return bool(self.key)
        return self.sort not in (GROUPS, OFFER, VIEW)

    @property
    def page(self) -> str:
        """The page of options that it turns to, if it picks none."""
        return self.key.removeprefix(OFFER_PAGE) if self.sort == OFFER else self.key


class SeatContext(Perspective, frozen=True, kw_only=True):
    """One seat of a match that has begun, with the match's own record."""

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
        """What the person in the seat is asked; None once they have left it or the match is off."""
        # After a resignation the seat is still asked, but the computer in it answers.
        return self.question if self.is_playing else None

    @property
    def is_playing(self) -> bool:
        """Whether the match goes on, and the person in the seat takes part in it."""
        is_over = self.match.outcome is not None or self.room.record.status is Status.CALLED_OFF
        return not is_over and self.seat not in self.match.resigned

    def make_custom_id(self, sort: str, kind: str = "", key: str = "") -> str:
        """Return the custom id of a control that is valid for this turn of the seat."""
        return f"{sort}:{self.room.record.id}:{self.seat}:{self.match.turn(self.seat)}:{kind}:{key}"


# What a seat is asked, and what it has drafted.


class Panel(Struct, frozen=True):
    """A private panel: text, controls, and the spots to ring on its picture."""

    context: SeatContext
    """The seat that it is for."""
    text: str
    """What is above the choices: what happened, and the question."""
    choices: tuple[Part, ...] = ()
    chosen: str = ""
    """What has been drafted, below the choices."""
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
    """What a coach teaches, above the question."""
    good: str = ""
    """Which choices are good, below the question."""
    keys: tuple[str, ...] = ()
    """Options that are green, each with a button of its own on the first page."""
    spots: tuple[str, ...] | None = None
    """Spots to ring on the picture; None for those of all options."""
    offer_button: Button | None = None
    """Leads to an offer that should be taken first."""
    turn_buttons: tuple[Button, ...] = ()
    """They draft whole turns of a hint. The button that asks for a hint is left out then."""


def build_panel(
    room: Room, seat: Seat, page: str = "", notice: str = "", advice: Advice | None = None
) -> Panel:
    """Build the panel of a seat: its question, its draft and what it can do now.

    `page` names a page of its options, `notice` is what the text begins with: news, or why
    something was refused.
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
        asked = _describe_question(context, question)
        above = [advice.offer_button] if advice.offer_button else [*advice.turn_buttons]
        laid_out = lay_out_options(context, question, page, controls, advice.keys, above)
        return Panel(
            context,
            _join(notice, idea, shortened, plan, asked, advice.good),
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
        waiting = ""
    else:
        # Somebody who has just moved knows that it isn't their turn any more.
        waiting = turn if notice else say("panel.not_your_turn", turn=turn)
    orders = ""
    # Not after every turn: somebody who has just acted reads what came of it.
    if not notice:
        standing = match.game.standing.values()
        asked_again = [
            f"- {context.name_offer(offer)}" for offer in context.offers if offer.kind in standing
        ]
        orders = "\n".join([say("panel.standing"), *asked_again]) if asked_again else ""
    return Panel(context, _join(notice, waiting, plan, orders), chosen=draft, controls=controls)


def _describe_change_of_points(context: SeatContext) -> str:
    """Return the seat's points before and after its draft, '' if they stay the same."""
    seat = context.seat
    if not context.view.scores:
        return ""
    before = context.match.without_drafts().view(seat).scores[seat]
    after = context.view.scores[seat]
    return f"{points(before)} → {points(after)}" if before != after else ""


def describe_draft(context: SeatContext) -> list[str]:
    """Return a line for each thing that the seat's draft would do.

    Where the draft makes nothing happen yet, the lines say what was chosen.
    """
    draft = context.draft
    steps = context.match.draft_steps(context.seat)
    lines = describe.event_lines(context.room, draft.events, context.seat)
    if lines and draft.question:
        # The open question says what was chosen last.
        steps = []
    elif lines:
        # A turn may end with choices that make nothing happen yet, such as where to go next.
        steps = [step for step in steps if step.match.draft(context.seat).events == draft.events]
    for step in steps:
        chosen = [step.question.option(key) for key in step.answer.keys]
        labels = [context.tell_option(step.question, option) for option in chosen]
        lines.append(and_list(labels) or say("panel.none_chosen"))
    return [f"- {line}" for line in lines]


def build_confirm_label(context: SeatContext) -> str:
    """Return what the Confirm button says; '' if the draft cannot be confirmed yet."""
    finished = context.match.finished(context.seat)
    if finished is None:
        return ""
    then = context.words.confirm(finished.follows(context.seat))
    question = context.question
    if question and (ending := question.ending()):
        return say("panel.stop", option=context.label(question, ending, brief=True), then=then)
    return say("panel.confirm", then=then)


def _build_controls(context: SeatContext, can_ask_hint: bool) -> tuple[Button, ...]:
    """Build Confirm, Undo, Start over, More… and the like, as far as each makes sense now."""
    room, question = context.room, context.question
    offers = [offer.kind for offer in context.offers]
    picks = [answer for answer in context.draft.answers if not answer.forced]
    buttons: list[Button] = []

    def add(label: str, sort: str, kind: str = "", key: str = "", look: str = PLAIN) -> None:
        buttons.append(Button(context.make_custom_id(sort, kind, key), label, look))

    if label := build_confirm_label(context):
        add(label, CONFIRM, look=GOOD)
    if picks:
        add(say("panel.undo"), UNDO)
    if len(picks) > 1:
        add(say("panel.start_over"), UNDO, key=ALL)
    if offers:
        add(say("panel.more"), OFFER)
    # An offer may answer this question once and for all.
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
    """Join the parts of a panel's text that are not empty, each once."""
    return cut("\n".join(dict.fromkeys(filter(None, parts))), CONTENT)


def _describe_question(context: SeatContext, decision: Decision) -> str:
    """Return a question or an offer, with how many options to choose."""
    asked = describe.emphasize_question(context.ask(decision))
    least, most = decision.at_least, decision.at_most
    if least == most == 1:
        return asked
    most_said = most if most > least else None
    return say("panel.question_of_several", question=asked, least=least, most=most_said)


def _describe_plan(context: SeatContext) -> str:
    """Return what the seat has planned or ordered for its turn, or why a plan was not played."""
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

    With `keys` as well, ask whether to take those options now; raises IllegalAnswer if they cannot
    be taken.
    """
    context = SeatContext.of(room, seat)
    offers = {offer.kind: offer for offer in context.offers}
    if not offers:
        return build_panel(room, seat, notice=say("panel.no_offers"))
    back = Button(context.make_custom_id(VIEW), say("panel.back"))
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
        asked = _join(_describe_question(context, offer))
        return Panel(context, asked, laid_out.parts, controls=controls, rings=laid_out.spots)
    # It is committed at once, and nothing takes it back.
    offer.check(keys)
    options = [offer.option(key) for key in keys]
    chosen = and_list(
        escape_text(context.label(offer, option), MAX_OPTION_CHARACTERS) for option in options
    )
    if sure := context.words.confirmation(offer.kind):
        sure = say("panel.sure_of_game", chosen=chosen, question=sure)
    else:
        sure = say("panel.sure_in_secret" if offer.secret else "panel.sure", chosen=chosen)
    lines = [describe.emphasize_question(context.ask(offer)), sure]
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
    """Numbers the folders of a group that is too large for one, from 1; otherwise 0."""

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
    """How many pages there are; the last one leads to the first again."""
    is_folder: bool = False
    """The page is the inside of a folder."""


class LaidOut(Struct, frozen=True):
    """A page of options as parts of a layout."""

    parts: tuple[Part, ...]
    spots: tuple[str, ...]
    """The spots to ring on the picture."""
    is_folder: bool = False
    """It has a button that leads back to the first page."""


class OptionButtons(Struct, frozen=True):
    """Makes the buttons of a decision's options and pages, and arranges them.

    A press on an option of a question answers it. An offer (a decision that is not blocking) is
    committed at once and cannot be undone, so a press on one of its options only leads to "do it
    now?". That is why their custom ids differ.
    """

    context: SeatContext
    decision: Decision
    advised: Collection[str]

    def make_id(self, sort: str, key: str = "") -> str:
        """Return the custom id of a button or menu."""
        sort = sort if self.decision.blocking else OFFER
        return self.context.make_custom_id(sort, self.decision.kind, key)

    def for_option(self, option: Option) -> Button:
        """Make the button that picks an option."""
        look = PLAIN if option.ends or option.forfeits else STRONG
        if option.key in self.advised:
            look = GOOD
        label = self.context.label(self.decision, option, brief=True)
        return Button(self.make_id(PICK, option.key), label, look)

    def for_folder(self, folder: Folder) -> Button:
        """Make the button that opens a folder; a part of a large group is named by its ends."""
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
        """Make the button that turns to a page."""
        prefix = "" if self.decision.blocking else OFFER_PAGE
        return Button(self.make_id(GROUPS, prefix + name), label)

    def around(self, page: Page) -> list[Button]:
        """Make the buttons that lead to other pages."""
        around = []
        if page.count > 1:
            number = page.number % page.count + 1
            label = say("panel.next_page", number=number, pages=page.count)
            around.append(self.for_page(f"_{number}", label))
        if page.is_folder:
            around.append(self.for_page("", say("panel.back")))
        return around

    def arrange(self, items: Sequence[Item], space: int) -> list[Part]:
        """Arrange items: under headings and with what they do, as far as there is space."""
        # A few buttons are clear without headings, and a heading for every button is in the way.
        named = {self.context.words.heading(item.group or OTHER) for item in items}
        headings = len(items) > BUTTONS_A_ROW and len(items) >= ITEMS_PER_HEADING * len(named)
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
    # Otherwise the Confirm button says it already.
    shows_endings = not context.match.has_one_answer(context.seat)
    ends = [buttons.for_option(option) for option in endings if shows_endings]
    space = OPTION_PARTS - count_components((*first, *button_rows(ends)))
    page = find_page(options, space, page_name)
    good: list[Option] = []
    if not page_name:
        # Nobody should have to look for what they are advised to do.
        by_key = {option.key: option for option in options}
        good = [by_key[key] for key in dict.fromkeys(advised) if key in by_key]
        if any(option not in page.items for option in good):
            page = find_page(
                options, space - count_components(button_rows(map(buttons.for_option, good)))
            )
    items = [*good, *(item for item in page.items if item not in good)]
    spots: list[Option] = []
    for item in items:
        spots += item.options if isinstance(item, Folder) else [item]
    below = button_rows([*ends, *buttons.around(page)])
    # What is on a page does not depend on the controls, but few controls leave space for headings.
    space = OPTION_PARTS + CONTROL_PARTS - count_components((*first, *below, controls))
    parts = (*first, *buttons.arrange(items, space), *below)
    return LaidOut(parts, find_spots(spots), page.is_folder)


def _lay_out_menu(buttons: OptionButtons, page_name: str, above: Sequence[Part]) -> LaidOut:
    """Arrange a page of options of which several may be chosen, or none, as a menu."""
    decision = buttons.decision
    page = find_numbered_page(decision.options, CHOICES, page_name)
    below = buttons.around(page)
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
        buttons.make_id(GROUP),
        cut(placeholder, PLACEHOLDER),
        tuple(choices),
        min(decision.at_least, most),
        most,
    )
    return LaidOut((*above, menu, *button_rows(below)), find_spots(options))


def _buttons_within(parts: int) -> int:
    """Return how many buttons fit into this many parts of a layout; each row is a part, too."""
    return parts * BUTTONS_A_ROW // (BUTTONS_A_ROW + 1)


def find_page(options: Sequence[Option], space: int, name: str = "") -> Page:
    """Return the page of that name, or the first; it needs no more than `space` parts."""
    buttons = _buttons_within(space)
    # Every page but the first has a row with a button that leads back or on.
    page_size = _buttons_within(space - 2)
    if len(options) <= buttons:
        return Page(options)
    groups: dict[str, list[Option]] = {}
    for option in options:
        groups.setdefault(option.group or OTHER, []).append(option)
    folders: list[Folder] = []
    for group, members in groups.items():
        # A group that is too large for one page makes several of much the same size.
        parts = ceil(len(members) / page_size)
        bounds = [part * len(members) // parts for part in range(parts + 1)]
        for part, (first, end) in enumerate(pairwise(bounds), start=1):
            folders.append(Folder(group, members[first:end], part if parts > 1 else 0))
    for folder in folders:
        if folder.name == name:
            return Page(folder.options, is_folder=True)
    # The smallest folders are left open as long as all fits: that saves a press. Folders of one
    # size are either all open or all closed, and parts of a large group stay closed, so that nobody
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
