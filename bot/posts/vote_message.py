"""The message of a vote: what is asked, who said what, and what came of it. Pure."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.components import ids
from bot.components.parts import CONTENT, GOOD, GRAVE, PLAIN, STRONG, Row, button, cut
from bot.matches.ballot import END, GO_ON, NO, PAUSE, VOID, YES, Kind, Vote, voters
from bot.matches.room import COMPUTER, Room
from bot.matches.seats import REPLACE, TAKE
from bot.text import describe, listed, say
from bot.text.names import escaped, marked_names

LOOKS = {YES: GOOD, NO: GRAVE, GO_ON: GOOD, PAUSE: PLAIN, END: GRAVE, TAKE: STRONG}


class Message(Struct, frozen=True):
    """A vote as its message shows it."""

    content: str
    rows: tuple[Row, ...] = ()


def message(room: Room, vote: Vote, kind: Kind) -> Message:
    """The question, what was said to it, and either how it is decided or what came of it."""
    lines = [_worded(room, vote, kind, "question"), *_said(room, vote, kind)]
    if vote.outcome == VOID:
        lines.append(say("vote.void", why=vote.why))
    elif vote.outcome:
        lines.append(say("vote.result", result=_worded(room, vote, kind, vote.outcome)))
    else:
        rule = say(f"vote.rule.{kind.rule.__name__}", alone=len(voters(room, vote)) == 1)
        lines.append(say("vote.open", rule=rule, ends=f"<t:{vote.ends}:R>"))
    return Message(cut("\n".join(lines), CONTENT), rows(vote, kind))


def rows(vote: Vote, kind: Kind) -> tuple[Row, ...]:
    """A button for everything that can be said, while the vote is open."""
    if not vote.is_open:
        return ()
    options = (
        button(ids.vote(vote.match, vote.number, option), say(f"vote.option.{option}"), LOOKS.get(option, PLAIN))
        for option in kind.options
    )
    return (tuple(options),)


def called(room: Room, vote: Vote, kind: Kind) -> list[int]:
    """Whom the message calls when it is posted: all who are asked and have said nothing yet."""
    if not vote.is_open or kind.is_offer:
        return []
    return [user for user in voters(room, vote) if user not in vote.said]


def is_for_newcomer(vote: Vote) -> bool:
    """Whether somebody has taken a seat over, and has to be told."""
    return vote.kind == REPLACE and vote.outcome == YES


def welcome(room: Room, vote: Vote) -> Message:
    """What a newcomer is told when the seat is theirs, with the button that opens their panel."""
    panel = button(ids.turn(vote.match, "move"), say("post.your_move"), STRONG)
    return Message(say("vote.welcome", called=f"<@{vote.by.id}>", game=describe.title(room)), ((panel,),))


def _worded(room: Room, vote: Vote, kind: Kind, what: str) -> str:
    who = "" if vote.by.id == COMPUTER else escaped(vote.by.name)
    # Several matches of one game may be played in a channel.
    game = say("vote.match", game=describe.title(room), id=vote.match)
    facts: dict[str, Any] = {"game": game, "who": who, **kind.words(room, vote)}
    as_asked = Room(replace(room.info, chairs=vote.chairs))
    return say(f"vote.{vote.kind}.{what}", marked_names(as_asked), **facts)


def _said(room: Room, vote: Vote, kind: Kind) -> list[str]:
    """Who said what, a line for each option that somebody chose, and who has not said anything yet."""
    names = {person.id: name for person, name in zip(room.info.chairs, marked_names(room), strict=True)}
    asked = [] if kind.is_offer else voters(room, vote)
    said = {option: [names[user] for user in asked if vote.said.get(user) == option] for option in kind.options}
    lines = [say("vote.said", option=say(f"vote.option.{o}"), who=listed(who)) for o, who in said.items() if who]
    if vote.is_open and (silent := [names[user] for user in asked if user not in vote.said]):
        lines.append(say("vote.unsaid", who=listed(silent)))
    return lines
