"""Migrations of saves from older versions, given as raw JSON; saved events come without a `base`.

A migration is never changed once it is released: saves of its version still exist.

Version 2: Transit is asked like any other move, canoes are opened without a question of their own,
and all seats declare Victory at once.
"""

from typing import Any

Raw = dict[str, Any]


def _migrate_from_1(raw: Raw) -> Raw:
    """Replace the steps and draft answers that version 2 asks differently."""
    base = raw.get("base")
    if base is None:
        return raw
    had_transit = any(step["type"] == "TransitFrom" for step in base["agenda"])
    if base.get("movement") is not None:
        # A mover who was past the question for Transit may not transit any more.
        base["movement"]["afloat"] = not had_transit
    agenda: list[Raw] = []
    for step in base["agenda"]:
        if step["type"] == "TransitFrom":
            continue
        if step["type"] != "DeclareVictory":
            agenda.append(step)
        elif not agenda or agenda[-1]["type"] != "DeclareVictory":
            # Version 1 asked one seat after the other; now all that are left are asked at once.
            agenda += [{"type": "HearDeclarations"}, {"type": "DeclareVictory"}]
    base["agenda"] = agenda
    declared = base.get("declared")
    if declared is not None:
        votes = ["pass"] * len(base["nations"])
        votes[declared.pop("seat")] = "declare"
        declared["votes"] = votes
    drafts = raw.get("drafts", {})
    raw["drafts"] = {seat: _migrate_draft_from_1(answers) for seat, answers in drafts.items()}
    return raw


def _migrate_draft_from_1(answers: list[Raw]) -> list[Raw]:
    """Rewrite Transit and the opening of canoes as version 2 asks them.

    Answers that have no counterpart are dropped.
    """
    found: list[Raw] = []
    for answer in answers:
        kind, keys = answer["kind"], answer["keys"]
        if kind == "transit_from" and keys != ["done"]:
            found.append({**answer, "kind": "move_stack"})
        elif kind == "transit_to":
            found.append({**answer, "kind": "move_to", "keys": [f"{keys[0]}-chain"]})
        elif kind == "open_canoes" and not answer["forced"]:
            # The answer before it asked for this question, which no longer exists.
            found.pop()
            found += [{**answer, "kind": "move_stack", "keys": [f"open-{spot}"]} for spot in keys]
        elif kind not in ("transit_from", "open_canoes"):
            found.append(answer)
    return found


MIGRATIONS = {1: _migrate_from_1}
"""The function that migrates a save from each version to the next."""
