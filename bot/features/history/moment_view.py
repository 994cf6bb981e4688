"""A moment of a match as a message: `/board at:`, and the buttons to step through the match.

Their ids are `a:<match>:<moment>:<what>:<m>`, with m if the moment is seen from one's own seat.
"""

from bot.features.history.moments import Moments
from bot.kernel.room import Room
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.components import MATCH, Item
from bot.ui.names import plain_names
from bot.ui.parts import Button, Row, button
from bot.ui.which_match import named

MOMENTS_TOLD = 3
"""Moments that are told beside the board: itself, and those before it."""


def moment_button(what: str) -> str:
    """Return the pattern of a button under a moment."""
    return rf"a:{MATCH}:(?P<moment>\d{{1,6}}):(?P<what>{what}):(?P<mine>m?)"


def moment_button_id(match: str, moment: int, what: str, mine: bool) -> str:
    """Return the id of a button under a moment."""
    return f"a:{match}:{moment}:{what}:{'m' if mine else ''}"


class MomentExtras:
    """Adds buttons under a moment: implemented by other features."""

    def moment_buttons(self, room: Room, moment: int, last: int, mine: bool) -> list[Button]:
        """Return the buttons to add; `last` is the last moment of the match."""
        raise NotImplementedError


class MomentButton(Item, template=moment_button("at|before|next")):
    """Leads from one moment of a match to another."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the moment that the button leads to."""
        room = await named(interaction, self.fields["match"])
        service = interaction.client.services.require(Moments)
        moments = await service.of(room)
        moment = min(int(self.fields["moment"]), len(moments) - 1)
        match self.fields["what"]:
            case "next":
                number = await service.round_at(room, moments, moment)
                moment = await service.first_of_round(room, moments, number + 1)
            case "before":
                number = await service.round_at(room, moments, moment)
                first = await service.first_of_round(room, moments, number)
                if first == moment:
                    # Already at the beginning of its round: go to the round before.
                    first = await service.first_of_round(room, moments, number - 1)
                moment = first
        await show_moment(interaction, room, moments, moment, mine=bool(self.fields["mine"]))


async def show_typed_moment(
    interaction: MotuInteraction, room: Room, typed: str, mine: bool, in_words: bool, public: bool
) -> None:
    """Show the moment that somebody has typed."""
    if mine and not room.is_over:
        raise Refused(say("refusal.past_not_over"))
    service = interaction.client.services.require(Moments)
    moments = await service.of(room)
    moment = await service.find(room, moments, typed)
    if mine:
        then = await service.room_at(room, moments, moment)
        if then.seat_of(interaction.user.id) is None:
            raise Refused(say("refusal.no_seat_then"))
    await show_moment(interaction, room, moments, moment, mine, in_words, public)


async def show_moment(
    interaction: MotuInteraction,
    room: Room,
    moments: list[int],
    moment: int,
    mine: bool,
    in_words: bool = False,
    public: bool = False,
) -> None:
    """Show a moment as everyone saw it, or as the user did in the seat that they held then."""
    client = interaction.client
    service = client.services.require(Moments)
    last = len(moments) - 1
    then = await service.room_at(room, moments, moment)
    # What was hidden from others then may be so still; it is theirs again once the match is over.
    own_seat = then.seat_of(interaction.user.id) if room.is_over else None
    viewer = own_seat if mine else None
    number = await service.round_at(room, moments, moment)
    lines = [say("past.head", game=describe.title(room), number=moment, last=last, round=number)]
    for shown in range(max(0, moment - MOMENTS_TOLD + 1), moment + 1):
        events = await service.events_at(room, moments, shown, viewer)
        if told := describe.told(then, events, viewer):
            lines.append(say("past.told", number=shown, told=" ".join(told)))
    rows = _rows(interaction, room, moment, last, mine, has_seat=own_seat is not None)
    view, names = then.playing().view(viewer), plain_names(then)
    if in_words:
        board_text = await client.pictures.text_board(view, names)
        await reply.show_words(interaction, board_text, rows, "\n".join(lines))
        return
    news = await service.events_at(room, moments, moment, viewer)
    board = await client.pictures.board(view, names, **describe.scene(then, news, viewer))
    await reply.show(interaction, "\n".join(lines), rows, [board], public=public)


def _rows(interaction: MotuInteraction, room: Room, moment: int, last: int, mine: bool, has_seat: bool) -> list[Row]:
    """Return the steps and rounds back and forth; below, one's own view and what others add."""

    def go(what: str, to: int, label: str, is_possible: bool) -> Button:
        custom_id = moment_button_id(room.record.id, to, what, mine)
        return button(custom_id, label, disabled=not is_possible)

    steps = (
        go("before", moment, say("past.round_before"), moment > 0),
        go("at", max(0, moment - 1), say("past.step_before"), moment > 0),
        go("at", moment + 1, say("past.step"), moment < last),
        go("next", moment, say("past.round_next"), moment < last),
    )
    more = [
        added
        for extras in interaction.client.services.all(MomentExtras)
        for added in extras.moment_buttons(room, moment, last, mine)
    ]
    if has_seat:
        other_view = moment_button_id(room.record.id, moment, "at", not mine)
        more.append(button(other_view, say("past.all_view" if mine else "past.my_view")))
    return [steps, tuple(more)] if more else [steps]
