"""The title strip: the turn and its step, and who is to move or has won."""

from engine.conquest.view import ConquestView
from render.chrome import Chip, turn_chip, winner_chip

STEPS = {
    "setup": "Set-up",
    "order": "Turn order",
    "exploration": "Exploration",
    "movement": "Movement",
    "battle": "Battle",
    "building": "Building",
    "victory": "Victory",
    "over": "Final position",
}


def phase_lines(view: ConquestView) -> tuple[str, ...]:
    """What the middle of the title strip says."""
    step = STEPS.get(view.step, view.step.capitalize())
    return (f"Turn {view.turn}", step) if view.turn else (step,)


def winners(view: ConquestView) -> tuple[int, ...]:
    """The seats in the first place: by points, then Controlled groups, then cards; whoever is out comes last."""
    standing = [
        (not nation.out, view.scores[seat], nation.groups, nation.hand) for seat, nation in enumerate(view.nations)
    ]
    return tuple(seat for seat, values in enumerate(standing) if values == max(standing))


def chip_of(view: ConquestView, names: tuple[str, ...]) -> Chip | None:
    """Who is to move, or who has won."""
    if view.step != "over":
        return turn_chip(view, names)
    return winner_chip(winners(view), names)
