"""Lay out the options of a question or an offer as rows of buttons, or as a menu.

A press on an option of a question answers it. An offer (a decision that is not blocking) is
committed at once and cannot be undone, so a press on one of its options only leads to "do it
now?". That is why their custom ids differ.
"""

from collections.abc import Collection, Sequence

from bot.features.play import controls
from bot.features.play.context import SeatContext, find_spots
from bot.features.play.pages import Folder, Page, find_numbered_page, find_page
from bot.text import say
from bot.ui.parts import (
    BUTTONS_A_ROW,
    CHOICES,
    GOOD,
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
)
from engine import Decision, Option

Layout = tuple[tuple[Row, ...], tuple[str, ...]]
"""The rows of a panel, and the spots to ring on its picture."""


def lay_out_options(
    context: SeatContext,
    decision: Decision,
    page_name: str,
    controls: list[Button],
    advised: Collection[str] = (),
) -> Layout:
    """Lay out a page of options with the controls of the panel below it.

    Options whose keys are `advised` are green and have buttons of their own on the first page.
    """
    if decision.at_most > 1 or decision.at_least == 0:
        return _lay_out_menu(context, decision, page_name, controls)
    last = [option for option in decision.options if option.ends or option.forfeits]
    options = [option for option in decision.options if option not in last]
    if context.match.has_one_answer(context.seat):
        # The Confirm button says it already.
        last = []
    below = [_build_item_button(context, decision, option, advised) for option in last]
    below += controls
    space = ROWS * BUTTONS_A_ROW - len(below)
    page = find_page(options, space, page_name)
    hidden: list[Option] = []
    if not page_name:
        # Nobody should have to look for what they are advised to do.
        good = [option for option in options if option.key in advised]
        if any(option not in page.items for option in good):
            page = find_page(options, space - len(good))
        hidden = [option for option in good if option not in page.items]
    items = (*hidden, *page.items)
    buttons = [_build_item_button(context, decision, item, advised) for item in items]
    if page.folder and not decision.blocking:
        # From here Back leads to the offer, and only from there to the panel.
        below = []
    rows = pack_rows(buttons, _build_page_buttons(context, decision, page) + below)
    return rows, find_spots(page.options)


def pack_rows(buttons: list[Button], below: list[Button]) -> tuple[Row, ...]:
    """Put buttons into rows, those `below` into rows of their own if there are enough rows."""
    rows = button_rows(buttons) + button_rows(below)
    if len(rows) > ROWS:
        rows = button_rows(buttons + below)
    return tuple(rows)


def _lay_out_menu(
    context: SeatContext,
    decision: Decision,
    page_name: str,
    below: list[Button],
) -> Layout:
    """Lay out a decision that takes several options or none: one menu a page."""
    page = find_numbered_page(decision.options, CHOICES, page_name)
    below = _build_page_buttons(context, decision, page) + below
    if decision.blocking and decision.at_least == 0:
        pick_none = context.make_custom_id(controls.PICK, decision.kind)
        below.insert(0, button(pick_none, say("panel.none")))
    rows = button_rows(below)
    if page.options:
        rows.insert(0, _build_menu(context, decision, page.options))
    return tuple(rows), find_spots(page.options)


def _build_menu(context: SeatContext, decision: Decision, options: Sequence[Option]) -> Menu:
    """Build a menu of options; its placeholder lists what is in it."""
    sort = controls.GROUP if decision.blocking else controls.OFFER
    most = min(decision.at_most, len(options))
    placeholder = say("panel.menu", most=most, keys=[option.key for option in options])
    return Menu(
        context.make_custom_id(sort, decision.kind),
        cut(placeholder, PLACEHOLDER),
        tuple(choice(option.key, context.label(decision, option)) for option in options),
        at_least=min(decision.at_least, most),
        at_most=most,
    )


def _build_item_button(
    context: SeatContext,
    decision: Decision,
    item: Option | Folder,
    advised: Collection[str],
) -> Button:
    """Build a button that picks an option or opens a folder."""
    if isinstance(item, Folder):
        label = _label_folder(context, item)
        return button(_make_page_id(context, decision, item.name), label)
    sort = controls.PICK if decision.blocking else controls.OFFER
    look = PLAIN if item.ends or item.forfeits else STRONG
    if item.key in advised:
        look = GOOD
    custom_id = context.make_custom_id(sort, decision.kind, item.key)
    return button(custom_id, context.label(decision, item, brief=True), look)


def _label_folder(context: SeatContext, folder: Folder) -> str:
    """Return what is in a folder: 'Settlers on G (7)'."""
    first = last = ""
    if folder.part:
        first, last = folder.options[0].key, folder.options[-1].key
    group = context.words.group(folder.group)
    return say("panel.group", group=group, number=len(folder.options), first=first, last=last)


def _build_page_buttons(context: SeatContext, decision: Decision, page: Page) -> list[Button]:
    """Build the button that leads from this page to another one, if there is any."""
    if page.folder:
        return [button(_make_page_id(context, decision, ""), say("panel.back"))]
    if page.count == 1:
        return []
    number = page.number % page.count + 1
    label = say("panel.next_page", number=number, pages=page.count)
    return [button(_make_page_id(context, decision, f"_{number}"), label)]


def _make_page_id(context: SeatContext, decision: Decision, page_name: str) -> str:
    """Return the custom id of a button that turns to a page of a decision's options."""
    if decision.blocking:
        return context.make_custom_id(controls.GROUPS, decision.kind, page_name)
    return context.make_custom_id(controls.OFFER, decision.kind, controls.OFFER_PAGE + page_name)
