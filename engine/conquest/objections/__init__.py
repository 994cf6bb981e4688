"""Why an answer is not possible, by what the asked seat sees: the lines of [why] in the game's own words.

There is a file for each part of a turn. A reason names the one thing that stands against a key, so the checks come in
the order in which a player would look: is it there, is it theirs, may it, can they pay.
"""

from collections.abc import Callable

from engine.conquest.objections import building, exploring, fighting, moving, showing, starting
from engine.conquest.objections.seen import Reason
from engine.conquest.view import ConquestView
from engine.core.decision import Decision
from engine.core.event import Line


def objection(view: ConquestView, decision: Decision, key: str) -> Line | None:
    """The sentence of the rulebook that stands against a key; None where it is offered, or means nothing here."""
    if any(option.key == key for option in decision.options):
        return None
    reason = REASONS.get(decision.kind)
    return reason(view, decision, key) if reason is not None else None


REASONS: dict[str, Callable[[ConquestView, Decision, str], Reason]] = {
    "pick_home": starting.pick_home,
    "add_start_piece": starting.add_start_piece,
    "choose_first": starting.choose_first,
    "launch_explorer": exploring.launch_explorer,
    "explore_on": exploring.explore_on,
    "set_course": exploring.set_course,
    "sail_east": exploring.sail_east,
    "keep_tile": exploring.keep_tile,
    "move_stack": moving.move_stack,
    "move_to": moving.move_to,
    "pick_company": moving.pick_company,
    "pick_pieces": moving.pick_pieces,
    "pick_battle": fighting.pick_battle,
    "give_battle_orders": fighting.give_battle_orders,
    "react": fighting.react,
    "take_casualty": fighting.take_casualty,
    "save_villages": fighting.save_villages,
    "retreat_to": fighting.retreat_to,
    "leave_behind": fighting.leave_behind,
    "name_home": fighting.name_home,
    "build_item": building.build_item,
    "build_at": building.build_at,
    "pay_from": building.pay_from,
    "drop_item": building.drop_item,
    "hold_colonies": building.hold_colonies,
    "settle_again": building.settle_again,
    "show_card": showing.reveal_card,
    "reveal_card": showing.reveal_card,
    "flip_tile": showing.flip_tile,
    "drop_rumor": showing.drop_rumor,
    "declare_victory": showing.declare_victory,
    "answer_victory": showing.answer_victory,
    "pick_village": showing.fell_forest,
    "fell_forest": showing.fell_forest,
    "set_loss_order": showing.set_order,
    "set_card_order": showing.set_order,
    "set_course_order": showing.set_order,
    "set_first_order": showing.set_order,
    "set_voyage_order": showing.set_order,
    "set_find_order": showing.set_order,
    "set_victory_order": showing.set_order,
    "set_all_orders": showing.set_order,
}
"""By kind of question. Those that always offer all that they know, such as `open_here`, have nothing to object."""
