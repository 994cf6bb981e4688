"""The public pictures of a Conquest match, one post after another.

`python -m tests.render.conquest.posts` prints for some matches how many posts change much of the
picture.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from PIL import Image, ImageChops

from bot.kernel.post_rules import needs_post
from engine import Event, Match, visible
from engine.conquest.view import ConquestView
from render import Scene, draw
from render.conquest.sample import play_plainly
from render.sample import NAMES, play_randomly

MUCH = 0.2
"""A picture that differs from the one before in more than this share of its pixels changes much."""

Post = tuple[ConquestView, Scene]


def posts(matches: Sequence[Match]) -> Iterator[Post]:
    """Yield the view and the events of each post of a match between people."""
    posted = matches[0]
    told: list[Event] = []
    for before, after in pairwise(matches):
        if after.last is not None:
            told += visible(after.last.events, None)
        if needs_post(before, after, posted):
            yield after.view(None), Scene(NAMES[: after.seats], events=tuple(told))
            posted, told = after, []


def changes(shown: Iterable[Post]) -> Iterator[tuple[float, bool]]:
    """Return how much each picture differs from the one before, and whether the Step changed."""
    step, before = "", None
    for view, scene in shown:
        image = draw(view, scene)
        if before is not None:
            yield differing(before, image), view.step != step
        step, before = view.step, image


def differing(first: Image.Image, second: Image.Image) -> float:
    """Return the share of pixels in which two pictures of one size differ."""
    red, green, blue = ImageChops.difference(first, second).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return 1 - most.histogram()[0] / (most.width * most.height)


def much_changed(shown: Iterable[Post]) -> float:
    """Return the share of pictures that change a lot within a Step."""
    found = [share > MUCH for share, is_new_step in changes(shown) if not is_new_step]
    return sum(found) / len(found)


def main() -> None:
    """Measure sensible and random matches with every number of seats."""
    for seats in (2, 3, 4):
        print(
            f"{seats} seats, sensible: {much_changed(posts(play_plainly(seats))):.1%}", flush=True
        )
        wild = list(play_randomly("conquest", seats, seed=seats, settings={"last_turn": "12"}))
        print(f"{seats} seats, random: {much_changed(posts(wild)):.1%}", flush=True)


if __name__ == "__main__":
    main()
