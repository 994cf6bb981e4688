"""The texts of posts over whole matches: at most three lines."""

import pytest

from bot.kernel import encoding, post_rules
from bot.kernel.room import Post
from bot.model import Announcement
from bot.posts import turn_message
from bot.ui import describe
from engine import GAMES, Commit, Match, Seat, begin
from engine.players.simple import stand_in
from tests.bot.tables import room_of
from tests.contract.games import shortest

NAMES = ("Alexandrina", "Bartholomew", "Cleopatra", "Dominique", "Evangeline")
SHOWN = 340
"""Characters that are read at most, those of three lines on a wide screen; a call shows a name
instead of an id.
"""


def posts_of(match: Match) -> list[Post]:
    """Return the posts of a whole match that simple players play."""
    commits = [Commit(Seat(0), (), events=match.prologue)]
    said: Match | None = None
    posts: list[Post] = []

    def post() -> None:
        waiting = post_rules.people_to_move(match)
        newly = tuple(seat for seat in waiting if post_rules.is_newly_asked(seat, said, commits))
        announcement = Announcement(
            len(posts) + 1, "abcd2345", said.number if said else -1, match.number
        )
        computers = {made.seat for made in commits} & match.computers
        room = room_of(match, NAMES[: match.seats])
        events = encoding.visible_events(commits, None)
        posts.append(Post(announcement, room, events, newly, len(computers)))

    post()
    said, commits = match, []
    while match.outcome is None:
        before, match = match, stand_in(match, match.waiting_for()[0])
        assert match.last is not None
        commits.append(match.last)
        if post_rules.needs_post(before, match, said):
            post()
            said, commits = match, []
    return posts


@pytest.mark.parametrize("people", [5, 1], ids=["people", "among computers"])
@pytest.mark.parametrize(
    ("game", "seats"), [(game, seats) for game in GAMES for seats in GAMES[game].seats]
)
def test_every_post_has_at_most_three_lines(game: str, seats: int, people: int) -> None:
    played = frozenset(Seat(seat) for seat in range(people, seats))
    posts = posts_of(begin(GAMES[game], seats, shortest(GAMES[game]), f"short {seats}", played))
    assert len(posts) > 3
    for post in posts:
        content = turn_message.message(post).content
        shown = content
        for person in post.room.record.chairs:
            shown = shown.replace(f"<@{person.id}>", f"@{person.name}")
        lines = shown.splitlines()
        assert len(lines) <= 3 and len(shown) <= SHOWN, content
        for line in describe.status_lines(post.room, None):
            assert line not in content, "the picture shows it"
        assert post.room.record.commitment not in content
        assert str(post.room.playing().seed) not in content
    first, last = posts[0], posts[-1]
    assert describe.whose_turn(first.room) in turn_message.message(first).content
    assert describe.result(last.room, NAMES) in turn_message.message(last).content


@pytest.mark.parametrize("game", ["blue_lagoon", "maori", "polynesia"])
def test_a_post_reports_every_computer_s_move(game: str) -> None:
    seats = max(GAMES[game].seats)
    played = frozenset(Seat(seat) for seat in range(1, seats))
    posts = posts_of(begin(GAMES[game], seats, shortest(GAMES[game]), "each", played))
    whole = [post for post in posts[1:-1] if post.by_computers == seats - 1]
    told = [turn_message.message(post).content.splitlines()[1] for post in whole]
    assert len(told) > 3
    for post, line in zip(whole, told, strict=True):
        words = " ".join(describe.tell_events(post.room, post.events, None)).split()
        assert {word.removesuffix("…") for word in line.split()} <= {*words, ""}, (
            "cut between words"
        )
    named = [all(name in line for name in NAMES[1:seats]) for line in told]
    # If a round ends at the same time, there may be no room for it.
    assert sum(named) / len(named) > 0.8, [
        line for line, is_told in zip(told, named, strict=True) if not is_told
    ]
