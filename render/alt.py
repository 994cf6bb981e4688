"""Alt texts: numbers before adjectives, the letters that stand on the pieces, cut from the end."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine import View
from engine.core.game import RESIGNED
from render import Scene
from render.palette import livery_of
from render.words import words_of

LIMIT = 1024
"""The longest alt text that Discord takes."""
FIRST_CODES = 12
"""How many ringed places are named; of the others the number is told."""
LONGEST_NAME = 32
ALL_NAMES = 80
"""What the names of a table may take in an alt text: they stand in it twice or more."""
LONGEST_PART = 150
"""Questions and news are cut to this, so that the seats always fit."""
SHORTER_PART = 60
"""The same where even the shortest board would not fit."""


def seat_names(view: View, scene: Scene) -> tuple[str, ...]:
    """The seats by letter and name, 'R Moana', for templates to name them by."""
    named = []
    for seat in range(max(len(view.scores), len(scene.names))):
        livery = livery_of(seat)
        name = " ".join(scene.names[seat].split()) if seat < len(scene.names) else ""
        if not name:
            name = words_of().say(f"livery.{livery.name}")
        named.append(f"{livery.letter} {clipped(name, LONGEST_NAME)}")
    return tuple(named)


def with_short_names(scene: Scene) -> Scene:
    """The scene of an alt text, in which many long names would leave no room for the board."""
    most = ALL_NAMES // max(1, len(scene.names))
    return replace(
        scene, names=tuple(clipped(" ".join(name.split()), most) for name in scene.names)
    )


def turn_of(view: View, scene: Scene) -> str:
    """Who is to move and what is asked; at the end who has won, or that players left before."""
    words, names = words_of(), seat_names(view, scene)
    if view.outcome is None:
        return words.say(
            "alt.turn", names, seats=view.to_move, asked=clipped(scene.question, LONGEST_PART)
        )
    if view.outcome.reason == RESIGNED:
        return words.say("alt.ended_early")
    return words.say(
        "alt.wins", names, seats=view.outcome.winners, number=len(view.outcome.winners)
    )


def choices_of(scene: Scene) -> str:
    """What may be answered: in words where the scene has them, else the spots that are legal."""
    words = words_of()
    if scene.choices:
        choices = words.say("list.semicolon").join(scene.choices)
        return words.say("alt.choices", choices=choices)
    if scene.rings:
        return words.say("alt.legal", codes=scene.rings)
    return ""


def news_of(scene: Scene) -> str:
    """What happened last, if the scene says so."""
    return clipped(scene.last.rstrip(". "), LONGEST_PART)


def clipped(text: str, most: int) -> str:
    """Cut a text to at most this many characters."""
    if len(text) <= most:
        return text
    return text[: most - 1].rstrip() + "…"


def sentence(text: str) -> str:
    """A text ended by one full stop, or by the mark that it has."""
    text = " ".join(text.split())
    if not text or text[-1] in ".?!…":
        return text
    return words_of().say("alt.sentence", text=text)


def fullest(
    head: Sequence[str], seats: Sequence[str], boards: Sequence[Sequence[str]], scene: Scene
) -> str:
    """An alt text with the first of the boards that fits whole, and with what is ringed.

    `compose` leaves out from the end, which would always be the same island or seat: so a board
    that is too long is told in fewer words instead, the first of them in the most.
    """
    for board in boards:
        text = compose(head, seats, board, scene)
        if all(part.rstrip(".") in text for part in board):
            return text
    # At last what was asked and what happened is cut, for it also stands beside the picture.
    first, *rest = head
    return compose(
        [first, *(clipped(part, SHORTER_PART) for part in rest)], seats, boards[-1], scene
    )


def compose(head: Sequence[str], seats: Sequence[str], board: Sequence[str], scene: Scene) -> str:
    """An alt text within the limit: what does not fit goes from the end of the board, never the
    seats.

    Head and seats come first. Of the board as many parts as fit follow, with room left for what is
    ringed.
    """
    words = words_of()
    semicolon = words.say("list.semicolon")
    roster = sentence(semicolon.join(seats))
    room = LIMIT - len(roster) - 1
    text = clipped(" ".join(sentence(part) for part in head if part), max(room, 0))
    text = f"{text} {roster}".strip()[:LIMIT]
    more = max(0, len(scene.rings) - FIRST_CODES)
    end = (
        " " + words.say(f"alt.{scene.ringed}", codes=scene.rings[:FIRST_CODES], more=more)
        if scene.rings
        else ""
    )
    if len(text) + len(end) > LIMIT:
        end = ""
    for count in range(len(board), 0, -1):
        shown = semicolon.join(board[:count]).rstrip(".")
        part = words.say("alt.board" if count == len(board) else "alt.board_cut", board=shown)
        if len(text) + 1 + len(part) + len(end) <= LIMIT:
            return f"{text} {part}{end}"
    return text + end
