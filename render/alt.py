"""Alt texts: the parts that all games share, and how they are put together within Discord's limit.

A text begins with what happened last, since that is what a reader does not know yet. The game and
whose turn it is follow, then the seats, the board, and what is ringed. Seats are named by the
letters on their pieces, since colours mean nothing to somebody who cannot see them. What does not
fit is left out from the end of the board.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from engine import View
from engine.core.game import RESIGNED
from render import Scene
from render.palette import livery_of
from render.words import words_of

LIMIT = 1024
"""The longest alt text that Discord accepts, in characters."""
MAX_NAMED_RINGS = 12
"""How many ringed spots are named; the others are counted."""
MAX_NAME_LENGTH = 32
MAX_NAMES_LENGTH = 80
"""Characters for all names of a table together: each appears in the text twice or more."""
MAX_PART_LENGTH = 150
"""Characters of the question and of the news, so that the seats always fit."""
SHORTENED_PART_LENGTH = 60
"""Characters of the same parts if even the shortest board would not fit otherwise."""


def seat_names(view: View, scene: Scene) -> tuple[str, ...]:
    """Return the seats by letter and name, such as 'R Moana', for templates to name them by."""
    named = []
    for seat in range(max(len(view.scores), len(scene.names))):
        livery = livery_of(seat)
        name = " ".join(scene.names[seat].split()) if seat < len(scene.names) else ""
        if not name:
            name = words_of().say(f"livery.{livery.name}")
        named.append(f"{livery.letter} {clip_text(name, MAX_NAME_LENGTH)}")
    return tuple(named)


def shorten_names(scene: Scene) -> Scene:
    """Return a scene with names that are short enough to leave room for the board."""
    most = MAX_NAMES_LENGTH // max(1, len(scene.names))
    names = tuple(clip_text(" ".join(name.split()), most) for name in scene.names)
    return replace(scene, names=names)


def describe_turn(view: View, scene: Scene) -> str:
    """Say who is to move and what is asked, or how the match ended."""
    words = words_of()
    names = seat_names(view, scene)
    if view.outcome is None:
        question = clip_text(scene.question, MAX_PART_LENGTH)
        return words.say("alt.turn", names, seats=view.to_move, asked=question)
    if view.outcome.reason == RESIGNED:
        return words.say("alt.ended_early")
    winners = view.outcome.winners
    return words.say("alt.wins", names, seats=winners, number=len(winners))


def describe_choices(scene: Scene) -> str:
    """List the possible answers: in words if the scene has them, else the legal spots."""
    words = words_of()
    if scene.choices:
        choices = words.say("list.semicolon").join(scene.choices)
        return words.say("alt.choices", choices=choices)
    if scene.rings:
        return words.say("alt.legal", codes=scene.rings)
    return ""


def shorten_news(scene: Scene) -> str:
    """Return what happened last, shortened; '' if the scene does not say."""
    return clip_text(scene.last.rstrip(". "), MAX_PART_LENGTH)


def clip_text(text: str, most: int) -> str:
    """Cut a text to at most this many characters."""
    if len(text) <= most:
        return text
    return text[: most - 1].rstrip() + "…"


def end_sentence(text: str) -> str:
    """Return a text on one line that ends in a full stop or the mark that it has."""
    text = " ".join(text.split())
    if not text or text[-1] in ".?!…":
        return text
    return words_of().say("alt.sentence", text=text)


def put_news_first(head: Sequence[str]) -> list[str]:
    """Return the parts of a heading with the third, what happened last, before title and turn."""
    return [part for part in (*head[2:], *head[:2]) if part]


def compose_fullest(
    head: Sequence[str], seats: Sequence[str], boards: Sequence[Sequence[str]], scene: Scene
) -> str:
    """Compose an alt text with the first of several boards that fits whole.

    `boards` describe one position in fewer and fewer words. `compose` alone would leave out from
    the end, and so always the same island or seat.
    """
    for board in boards:
        text = compose(head, seats, board, scene)
        if all(part.rstrip(".") in text for part in board):
            return text
    # As a last resort the question and the news are cut, which also stand beside the picture.
    title, *others = head
    shortened = [clip_text(part, SHORTENED_PART_LENGTH) for part in others]
    return compose([title, *shortened], seats, boards[-1], scene)


def compose(
    head: Sequence[str],
    seats: Sequence[str],
    board: Sequence[str],
    scene: Scene,
) -> str:
    """Compose an alt text within the limit: head, seats, as much of the board as fits, rings.

    The head is the title, whose turn it is, and what happened last. The seats are never left out.
    """
    words = words_of()
    semicolon = words.say("list.semicolon")
    seats_text = end_sentence(semicolon.join(seats))
    head_room = max(0, LIMIT - len(seats_text) - 1)
    heading = " ".join(end_sentence(part) for part in put_news_first(head))
    text = clip_text(heading, head_room)
    text = f"{text} {seats_text}".strip()[:LIMIT]

    rings = ""
    if scene.rings:
        named = scene.rings[:MAX_NAMED_RINGS]
        more = len(scene.rings) - len(named)
        rings = " " + words.say(f"alt.{scene.ringed}", codes=named, more=more)
    if len(text) + len(rings) > LIMIT:
        rings = ""
    for count in range(len(board), 0, -1):
        key = "alt.board" if count == len(board) else "alt.board_cut"
        shown = semicolon.join(board[:count]).rstrip(".")
        board_text = words.say(key, board=shown)
        if len(text) + 1 + len(board_text) + len(rings) <= LIMIT:
            return f"{text} {board_text}{rings}"
    return text + rings
