"""The messages of a vote: what is asked, who said what, and the result. Pure."""

from typing import Any

from msgspec.structs import replace

from bot.features.votes.rules import (
    END,
    GO_ON,
    NO,
    PAUSE,
    TAKE,
    VOID,
    YES,
    Kind,
    missing_voters,
    voters,
)
from bot.kernel.room import Room
from bot.model.match import COMPUTER
from bot.model.votes import Vote
from bot.posts.turn_message import Message
from bot.text import listed, say
from bot.ui import describe
from bot.ui.components import MATCH, turn_button_id
from bot.ui.names import escaped, marked_names, mentions
from bot.ui.parts import CONTENT, GOOD, GRAVE, PLAIN, STRONG, button, cut

LOOKS = {YES: GOOD, NO: GRAVE, GO_ON: GOOD, PAUSE: PLAIN, END: GRAVE, TAKE: STRONG}


def vote_button(*options: str) -> str:
    """Return the pattern of buttons under a vote that stand for one of these options."""
    return rf"b:{MATCH}:(?P<vote>\d{{1,6}}):(?P<option>{'|'.join(options)})"


def message(room: Room, vote: Vote, kind: Kind) -> Message:
    """Return the question, what was said to it, and either how it is decided or the result.

    While the vote is open there is a button for every option.
    """
    buttons = tuple(
        button(
            f"b:{vote.match}:{vote.number}:{option}",
            say(f"vote.option.{option}"),
            LOOKS.get(option, PLAIN),
        )
        for option in kind.options
    )
    lines = [_wording(room, vote, kind, "question"), *_answers(room, vote, kind)]
    if vote.is_open:
        rule = say(f"vote.rule.{kind.rule.__name__}", alone=len(voters(room, vote)) == 1)
        lines.append(say("vote.open", rule=rule, ends=f"<t:{vote.ends}:R>"))
    elif vote.outcome == VOID:
        lines.append(say("vote.void", why=vote.why))
    else:
        lines.append(say("vote.result", result=_wording(room, vote, kind, vote.outcome)))
    return Message(cut("\n".join(lines), CONTENT), (), (buttons,) if vote.is_open else ())


def notification(room: Room, vote: Vote, kind: Kind, mentioned: int) -> Message:
    """Return what notifies somebody of a vote: with a mention where it is asked, without one in a
    direct message.

    There it tells all of the vote, which is answered there.
    """
    made = message(room, vote, kind)
    pings = (mentioned,) if mentioned else ()
    link = describe.link(room, vote.message)
    words = say("vote.call", called=mentions(pings), game=describe.title(room), link=link)
    return replace(made, content=words if mentioned else f"{words}\n{made.content}", pings=pings)


def welcome(room: Room, vote: Vote, kind: Kind) -> Message | None:
    """Return what a newcomer is told whose request for a seat has passed, with the button that
    opens their panel.
    """
    if not kind.for_strangers or vote.outcome != YES:
        return None
    panel = button(turn_button_id(vote.match, "move"), say("post.your_move"), STRONG)
    words = say("vote.welcome", called=mentions([vote.by.id]), game=describe.title(room))
    # If it is their turn, the board that is posted anew mentions them.
    pings = () if room.waits_for(vote.by.id) else (vote.by.id,)
    return Message(words, pings, ((panel,),))


def _wording(room: Room, vote: Vote, kind: Kind, key: str) -> str:
    """Return the question of a vote, or the words for an outcome."""
    who = "" if vote.by.id == COMPUTER else escaped(vote.by.name)
    # Several matches of one game may be played in a channel.
    game = say("vote.match", game=describe.title(room), id=vote.match)
    facts: dict[str, Any] = {"game": game, "who": who, **kind.text_facts(room, vote)}
    as_asked = Room(replace(room.record, chairs=vote.chairs))
    return say(f"vote.{vote.kind}.{key}", marked_names(as_asked), **facts)


def _answers(room: Room, vote: Vote, kind: Kind) -> list[str]:
    """Return a line for each option that somebody chose, and one for those who have not said
    anything yet.
    """
    names = {
        person.id: name for person, name in zip(room.record.chairs, marked_names(room), strict=True)
    }
    asked = [] if kind.is_offer else voters(room, vote)
    lines = []
    for option in kind.options:
        who = [names[user] for user in asked if vote.said.get(user) == option]
        if who:
            lines.append(say("vote.said", option=say(f"vote.option.{option}"), who=listed(who)))
    if silent := [names[user] for user in missing_voters(room, vote, kind)]:
        lines.append(say("vote.unsaid", who=listed(silent)))
    return lines
