"""How saves of older versions become saves of this one. They come as raw JSON; stored events come
without a base.

Version 2: Transit is a move like any other, canoes are opened without a question of their own, and
Victory is declared by all at once.
"""

from typing import Any

Raw = dict[str, Any]


def _from_1(raw: Raw) -> Raw:
    """Steps and drafts of what is asked otherwise now; a draft is kept as far as it can still be
    read.
    """
    base = raw.get("base")
    if base is None:
        return raw
    had_transit = any(step["type"] == "TransitFrom" for step in base["agenda"])
    if base.get("movement") is not None:
        # Who was past the question for Transit has no Transit any more.
        base["movement"]["afloat"] = not had_transit
    agenda: list[Raw] = []
    for step in base["agenda"]:
        if step["type"] == "TransitFrom":
            continue
        if step["type"] != "DeclareVictory":
            agenda.append(step)
        elif not agenda or agenda[-1]["type"] != "DeclareVictory":
            # The seats that are still to be asked one after the other are asked together; what they
            # say is heard then.
            agenda += [{"type": "HearDeclarations"}, {"type": "DeclareVictory"}]
    base["agenda"] = agenda
    declared = base.get("declared")
    if declared is not None:
        seat = declared.pop("seat")
        declared["votes"] = [
            "declare" if other == seat else "pass" for other in range(len(base["nations"]))
        ]
    raw["drafts"] = {
        seat: _draft_from_1(answers) for seat, answers in raw.get("drafts", {}).items()
    }
    return raw


def _draft_from_1(answers: list[Raw]) -> list[Raw]:
    """Transit and the opening of canoes in the words of version 2."""
    found: list[Raw] = []
    for answer in answers:
        kind, keys = answer["kind"], answer["keys"]
        if kind == "transit_from" and keys != ["done"]:
            found.append({**answer, "kind": "move_stack"})
        elif kind == "transit_to":
            found.append({**answer, "kind": "move_to", "keys": [f"{keys[0]}-chain"]})
        elif kind == "open_canoes" and not answer["forced"]:
            found.pop()
            found += [{**answer, "kind": "move_stack", "keys": [f"open-{spot}"]} for spot in keys]
        elif kind not in ("transit_from", "open_canoes"):
            found.append(answer)
    return found


MIGRATIONS = {1: _from_1}
