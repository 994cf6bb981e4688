"""Build a seat's private panel for any game: text, with buttons and menus to act.

`build_panel` shows what the seat is asked now and what it has drafted, `build_offers` what it may
do at any time (More…). A panel is a plain value; presses.py sends it.
"""

from typing import Literal

from msgspec import Struct

from bot.features.play import controls
from bot.features.play.choices import lay_out_options, pack_rows
from bot.features.play.context import SeatContext, find_spots, finish_draft, list_draft_steps
from bot.kernel.room import Room
from bot.model.match import Status
from bot.text import listed, say
from bot.ui import describe
from bot.ui.components import DROP, plan_button_id
from bot.ui.names import escaped, marked_names
from bot.ui.parts import (
    BUTTONS_A_ROW,
    CONTENT,
    CUSTOM_ID,
    GOOD,
    GRAVE,
    Button,
    Row,
    button,
    button_rows,
    cut,
    lines_within,
)
from engine import Decision, Seat

MAX_DRAFT_CHARACTERS = 1200
MAX_PLAN_CHARACTERS = 200
MAX_OPTION_CHARACTERS = 80


class Panel(Struct, frozen=True):
    """A private panel: text, controls, and the spots to ring on its picture."""

    text: str
    rows: tuple[Row, ...] = ()
    rings: tuple[str, ...] = ()
    question: str = ""
    """The question without markdown, for the alt text of the picture."""
    page: str = ""
    """The name of the page of options that is shown."""
    notice: str = ""
    """What the text begins with: news, or why something was refused."""
    ringed: Literal["legal", "advised"] = "legal"
    """Why spots are ringed, for the alt text of the picture."""
    with_scores: bool = False
    """Add a second picture with the points so far."""


def build_panel(
    room: Room,
    seat: Seat,
    page: str = "",
    notice: str = "",
    advised: tuple[str, ...] = (),
) -> Panel:
    """Build the panel of a seat: its question, its draft and what it can do now.

    `page` names a page of its options. Options whose keys are `advised` are green and have
    buttons of their own on the first page.
    """
    context = SeatContext.of(room, seat)
    match = context.match
    if match.outcome is not None:
        return Panel(_join(notice, *describe.ranking_lines(room)))
    if room.record.status is Status.CALLED_OFF:
        called_off = say("refusal.called_off")
        return Panel(_join("" if notice == called_off else notice, called_off))
    if seat in match.resigned:
        return Panel(_join(notice, say("panel.given_up")))
    question = match.question(seat)
    if question is None:
        return _build_idle_panel(context, notice)
    text = _join(
        notice,
        say("panel.shortened") if seat in match.cut else "",
        _build_plan_text(context),
        _build_question_text(context, question),
        _build_draft_text(context),
    )
    controls = _build_controls(context)
    rows, rings = lay_out_options(context, question, page, controls, advised)
    asked = context.words.question(question, context.players, context.view)
    return Panel(text, rows, rings, asked, page, notice)


def _build_idle_panel(context: SeatContext, notice: str) -> Panel:
    """Build the panel of a seat that is asked nothing: its turn is complete, or not yet come."""
    controls = tuple(button_rows(_build_controls(context)))
    draft = _build_draft_text(context)
    if context.match.is_complete(context.seat):
        complete = say("panel.complete")
        return Panel(_join(notice, complete, draft), controls, question=complete)
    turn = describe.whose_turn(context.room)
    text = _join(
        notice,
        "" if turn in notice else say("panel.not_your_turn", turn=turn),
        draft,
        _build_plan_text(context),
        # Not after every turn: somebody who has just acted reads what came of it.
        "" if notice else _build_standing_text(context),
    )
    return Panel(text, controls)


def build_offers(
    room: Room,
    seat: Seat,
    kind: str = "",
    keys: tuple[str, ...] = (),
    notice: str = "",
    page: str = "",
) -> Panel:
    """Build a list of all offers; with a `kind`, a page of the options of that offer.

    With `keys` as well, ask whether to take those options now; raises IllegalAnswer if they
    cannot be taken.
    """
    context = SeatContext.of(room, seat)
    offers = context.match.offers(seat)
    if not offers:
        return build_panel(room, seat, notice=notice or say("panel.no_offers"))
    back = button(context.make_custom_id(controls.VIEW), say("panel.back"))
    for offer in offers:
        if offer.kind == kind and keys:
            return _ask_to_take(context, offer, keys, notice, back)
        if offer.kind == kind:
            rows, rings = lay_out_options(context, offer, page, [back])
            return Panel(_join(notice, _build_question_text(context, offer)), rows, rings)
    buttons = []
    for offer in offers:
        custom_id = context.make_custom_id(controls.OFFER, offer.kind)
        buttons.append(button(custom_id, context.name_offer(offer)))
    return Panel(_join(notice, say("panel.offers")), pack_rows(buttons, [back]))


def _ask_to_take(
    context: SeatContext,
    offer: Decision,
    keys: tuple[str, ...],
    notice: str,
    back: Button,
) -> Panel:
    """Ask whether to take an offer: it is committed at once, and nothing takes it back."""
    offer.check(keys)
    options = [offer.option(key) for key in keys]
    labels = [context.label(offer, option) for option in options]
    chosen = listed(escaped(label, MAX_OPTION_CHARACTERS) for label in labels)
    if sure := context.words.sure(offer.kind):
        sure = say("panel.sure_of_game", chosen=chosen, question=sure)
    else:
        sure = say("panel.sure_in_secret" if offer.secret else "panel.sure", chosen=chosen)
    joined = "+".join(keys)
    lines = [notice, say("panel.question", question=context.ask(offer)), sure]
    row = [back]
    custom_id = context.make_custom_id(controls.PICK, offer.kind, joined)
    if len(custom_id) <= CUSTOM_ID:
        row.insert(0, button(custom_id, say("panel.yes"), GRAVE))
    else:
        lines.append(say("panel.typed_only", typed=f"{offer.kind}/{joined}"))
    return Panel(_join(*lines), (tuple(row),), find_spots(options))


def describe_draft(context: SeatContext) -> list[str]:
    """Return a line for each thing that the seat's draft would do.

    Where the draft makes nothing happen yet, the lines say what was chosen.
    """
    draft = context.draft
    steps = list_draft_steps(context.match, context.seat)
    lines = describe.told_singly(context.room, draft.events, context.seat)
    if lines and draft.question:
        # The open question says what was chosen last.
        steps = []
    elif lines:
        # A turn may end with choices that make nothing happen yet, such as where to go next.
        steps = [step for step in steps if step.before.events == draft.events]
    words, players = context.words, marked_names(context.room)
    for step in steps:
        chosen = [step.question.option(key) for key in step.answer.keys]
        labels = [words.option(step.question, option, context.view, players) for option in chosen]
        lines.append(listed(labels) or say("panel.none_chosen"))
    return [f"- {line}" for line in lines]


def build_confirm_label(context: SeatContext) -> str:
    """Return what the Confirm button says; '' if the draft cannot be confirmed yet."""
    finished = finish_draft(context.match, context.seat)
    if finished is None:
        return ""
    then = context.words.confirm(finished.follows(context.seat))
    question = context.match.question(context.seat)
    if question and (ending := question.ending()):
        option = context.label(question, ending, brief=True)
        return say("panel.stop", option=option, then=then)
    return say("panel.confirm", then=then)


def _build_controls(context: SeatContext) -> list[Button]:
    """Build Confirm, Undo, Start over, More… and the like, as far as each makes sense now."""
    room, seat, match = context.room, context.seat, context.match
    question = match.question(seat)
    offers = [offer.kind for offer in match.offers(seat)]
    picks = [answer for answer in context.draft.answers if not answer.forced]
    labels: dict[str, str] = {}
    if picks:
        labels[context.make_custom_id(controls.UNDO)] = say("panel.undo")
    if len(picks) > 1:
        labels[context.make_custom_id(controls.UNDO, key=controls.ALL)] = say("panel.start_over")
    if offers:
        labels[context.make_custom_id(controls.OFFER)] = say("panel.more")
    # An offer may answer this question once and for all.
    standing = match.game.standing.get(question.kind, "") if question else ""
    if standing in offers:
        labels[context.make_custom_id(controls.OFFER, standing)] = say("panel.always")
    if plan := room.plan_of(seat):
        drop_plan = plan_button_id(room.record.id, plan.id, DROP)
        labels[drop_plan] = say("plan.seen" if plan.dropped else "plan.drop")
    if question and room.has_hints:
        labels[context.make_custom_id(controls.HINT)] = say("hint.button")
    buttons = [button(custom_id, label) for custom_id, label in labels.items()]
    if label := build_confirm_label(context):
        buttons.insert(0, button(context.make_custom_id(controls.CONFIRM), label, GOOD))
    return buttons[:BUTTONS_A_ROW]


def _join(*parts: str) -> str:
    """Join the parts of a panel's text that are not empty."""
    return cut("\n".join(part for part in parts if part), CONTENT)


def _build_question_text(context: SeatContext, decision: Decision) -> str:
    """Return a question or an offer, with how many options are to be chosen."""
    question = context.ask(decision)
    least, most = decision.at_least, decision.at_most
    if least == most == 1:
        return say("panel.question", question=question)
    most_said = most if most > least else None
    return say("panel.question_of_several", question=question, least=least, most=most_said)


def _build_draft_text(context: SeatContext) -> str:
    """Return what the seat has drafted; '' if nothing."""
    if not context.draft.answers:
        return ""
    lines = [say("panel.drafted"), *describe_draft(context)]
    return "\n".join(lines_within(lines, MAX_DRAFT_CHARACTERS))


def _build_plan_text(context: SeatContext) -> str:
    """Return what the seat has planned or ordered for its turn, or why a plan was not played."""
    match, seat = context.match, context.seat
    plan = context.room.plan_of(seat)
    if plan is None:
        is_ordered = match.game.standing_answer(match.base, seat) and not context.draft.answers
        return say("plan.ordered") if is_ordered else ""
    if plan.dropped:
        return describe.dropped_plan(context.room, seat)
    move = escaped(plan.move, MAX_PLAN_CHARACTERS)
    unless = tuple(spot.upper() for spot in plan.unless)
    if not plan.kept:
        return say("plan.unsure", move=move, unless=unless)
    return say("plan.waiting" if plan.at else "plan.stands", move=move, unless=unless)


def _build_standing_text(context: SeatContext) -> str:
    """Return how the seat answers by itself what it is asked again and again."""
    standing = context.match.game.standing.values()
    offers = [offer for offer in context.match.offers(context.seat) if offer.kind in standing]
    lines = [f"- {context.ask(offer)}" for offer in offers]
    return "\n".join([say("panel.standing"), *lines]) if lines else ""
