"""What calls somebody to their decision besides the turn's own post: a reminder, a direct message, a digest."""

import re
from collections.abc import Sequence

from msgspec import Struct

from bot.components import ids
from bot.components.parts import CONTENT, STRONG, Button, Row, button, button_rows, cut
from bot.matches.pings import AGAIN, END, LAST, TURN, Besides
from bot.matches.room import Call, Room
from bot.posts import turn_message
from bot.posts.turn_message import Untils
from bot.text import describe, pace_words, say
from bot.text.names import marked_names, mentions
from engine import find_game

LISTED = 24
"""Matches that a digest names at most, each with a button of its own; the last button shows all."""
BESIDES = 600
"""Characters for the votes and changed lobbies in it."""
LINE = 300
"""Characters for each of them."""


NOTHING = Besides()


class CallMessage(Struct, frozen=True):
    """A message that calls people."""

    content: str
    rows: tuple[Row, ...]
    pings: tuple[int, ...] = ()


def here(
    room: Room, calls: Sequence[Call], mentioned: Sequence[int], closed: Sequence[int], untils: Untils
) -> CallMessage:
    """A reminder where the match is played, for all who are called there now; it carries the buttons of the turn.

    It speaks of the most pressing of the calls. Those whose direct messages are `closed` are told so.
    """
    kind = max((call.wanted for call in calls), key=(TURN, AGAIN, LAST).index)
    lines = [say(f"call.{kind}", called=mentions(mentioned), **_facts(room, untils)), _closed(closed)]
    content = cut("\n".join(line for line in lines if line), CONTENT)
    return CallMessage(content, tuple(turn_message.turn_rows(room, call=calls[0].since)), tuple(mentioned))


def direct(room: Room, call: Call, untils: Untils) -> CallMessage:
    """A call in a direct message, where the panel opens right there.

    Everything in it everyone may know, but for why the plan was dropped of the one who is called.
    """
    link = describe.link(room)
    if call.wanted == END:
        said = say("call.end", result=describe.result(room, marked_names(room)), link=link)
        return CallMessage(cut(said, CONTENT), tuple(turn_message.turn_rows(room, call=call.since)))
    players = describe.others(room, call.user, marked_names(room))
    said = say(f"call.{call.wanted}", link=link, players=players, **_facts(room, untils))
    seat = room.seat_of(call.user)
    if seat is not None and (dropped := describe.dropped_plan(room, seat)):
        said = f"{said}\n{dropped}"
    return CallMessage(cut(said, CONTENT), ((_panel_button(room, say("post.your_move"), call.since),),))


def digest(call: Call, rooms: Sequence[Room], untils: Sequence[Untils], besides: Besides = NOTHING) -> CallMessage:
    """All that waits for somebody, in a direct message: a line and a button each, and what they are told besides."""
    told = cut("\n".join(line for _, line in _told_besides(besides)), BESIDES)
    most = CONTENT - len(told) - 1
    content, buttons = say("call.digest", number=len(rooms)) if rooms else "", []
    for number, (room, until) in enumerate(zip(rooms, untils, strict=True), 1):
        players = describe.others(room, call.user, marked_names(room))
        line = cut(say("call.item", number=number, players=players, **_facts(room, until)), LINE)
        left = say("call.more", number=len(rooms) - number + 1)
        if number > LISTED or len(content) + len(line) + len(left) + 2 > most:
            content += f"\n{left}"
            break
        content += f"\n{line}"
        buttons.append(_panel_button(room, f"{number}. {describe.title(room)}", call.since))
    rows = button_rows([*buttons, button(ids.me("games", call.since), say("call.all"))])
    return CallMessage("\n".join(part for part in (content, told) if part), tuple(rows))


def digest_here(
    room: Room, call: Call, is_closed: bool, untils: Untils | None, besides: Besides = NOTHING
) -> CallMessage:
    """The digest where its first match is played. What else waits is shown to its player alone: all can read this.

    `untils` is None where no turn waits, but only what they are told besides.
    """
    user = call.user
    here = [line for one, line in _told_besides(besides) if one.info.id == room.info.id]
    elsewhere = len(besides.rooms) - len(here)
    if untils is not None:
        here.insert(0, say("call.digest_here", called=mentions([user]), **_facts(room, untils)))
    else:
        here[0] = f"{mentions([user])} {here[0]}"
    if elsewhere:
        here.append(say("call.elsewhere", number=elsewhere))
    here.append(_closed([user] * is_closed))
    buttons = [button(ids.me("games", call.since), say("call.all"))]
    if untils is not None:
        buttons.insert(0, _panel_button(room, say("post.your_move"), call.since))
    return CallMessage(cut("\n".join(line for line in here if line), CONTENT), (tuple(buttons),), (user,))


def _told_besides(besides: Besides) -> list[tuple[Room, str]]:
    """Return what a digest tells besides turns, a line each, and of which room it is."""
    lines = []
    for room, vote in besides.votes:
        link = describe.link_to(room, vote.message)
        lines.append((room, say("call.vote", at=vote.ends, **_about(room, link))))
    lines += [(room, say("call.terms", **_about(room))) for room in besides.lobbies]
    lines += [(room, say("call.rematch", **_about(room))) for room in besides.rematches]
    return lines


def _about(room: Room, link: str = "") -> dict[str, str]:
    return {"game": find_game(room.info.game).title, "id": room.info.id, "link": link or describe.link(room)}


def past(room: Room | None) -> str:
    """What is left of a call when it calls nobody any more."""
    return say("call.past", game=describe.title(room), id=room.info.id) if room else say("call.past_digest")


def _facts(room: Room, untils: Untils) -> dict[str, str]:
    facts = {"game": describe.title(room), "id": room.info.id}
    # Where a clock runs, what happens at its end.
    then = pace_words.expiry(room.info.terms.time.expiry) if untils else ""
    return facts | {"turn": describe.whose_turn(room), "until": turn_message.until(room, untils), "then": then}


def _closed(users: Sequence[int]) -> str:
    return say("call.closed", called=mentions(users)) if users else ""


def is_of(call: Call, custom_id: str) -> bool:
    """Whether a button stands under the message of that call: it says when the call was wanted."""
    if not call.match:
        return custom_id == ids.me("games", call.since)
    found = re.fullmatch(ids.TURN, custom_id)
    return found is not None and (found["match"], found["post"]) == (call.match, str(call.since))


def _panel_button(room: Room, label: str, since: int) -> Button:
    return button(ids.turn(room.info.id, "move", since), label, STRONG)
