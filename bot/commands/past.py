"""/board at: any moment of a match, with buttons to step through it."""

from bot import reply
from bot.commands import replay
from bot.components import ids
from bot.components.items import Asked, PastItem
from bot.components.parts import STRONG, Button, Row, button
from bot.errors import Refused
from bot.matches.room import Room
from bot.text import describe, say
from bot.text.names import plain_names
from bot.which_match import named
from engine import Seat

BESIDE = 3
"""Moments that are told beside the board: itself, and those before it."""


async def show_at(interaction: Asked, room: Room, said: str, mine: bool, in_words: bool, public: bool) -> None:
    """Show the moment that somebody means."""
    if mine and not room.is_over:
        raise Refused(say("refusal.past_not_over"))
    past = interaction.client.matches.past
    moments = await past.moments(room)
    moment = await past.meant(room, moments, said)
    if mine and (await past.at(room, moments, moment)).seat_of(interaction.user.id) is None:
        raise Refused(say("refusal.no_seat_then"))
    await _show(interaction, room, moments, moment, mine, in_words, public)


async def pressed(interaction: Asked, item: PastItem) -> None:
    """A button under a moment was pressed."""
    room = await named(interaction, item.fields["match"])
    past, what = interaction.client.matches.past, item.fields["what"]
    moments = await past.moments(room)
    moment = min(int(item.fields["moment"]), len(moments) - 1)
    match what:
        case "at":
            pass
        case "next":
            moment = await past.first_of(room, moments, await past.round_at(room, moments, moment) + 1)
        case "before":
            # Back to the beginning of this round, or of the one before it.
            number = await past.round_at(room, moments, moment)
            first = await past.first_of(room, moments, number)
            moment = first if first < moment else await past.first_of(room, moments, number - 1)
        case "film":
            try:
                await replay.show_film(interaction, room, moment, len(moments) - 1)
            finally:
                # Whatever came of it, the moment from which it was wanted is there again with its buttons.
                await _show(interaction, room, moments, moment, bool(item.fields["mine"]))
            return
        case _:
            raise Refused(say("refusal.old_button"))
    await _show(interaction, room, moments, moment, bool(item.fields["mine"]))


async def _show(
    interaction: Asked,
    room: Room,
    moments: list[int],
    moment: int,
    mine: bool,
    in_words: bool = False,
    public: bool = False,
) -> None:
    """A moment as all saw it, or as whoever asks did in the seat that they held then."""
    past = interaction.client.matches.past
    stood = await past.at(room, moments, moment)
    # What was hidden from others then may be so still; it is theirs again once the match is over.
    own = stood.seat_of(interaction.user.id) if room.is_over else None
    seat = own if mine else None
    lines = []
    for number in range(max(0, moment - BESIDE + 1), moment + 1):
        told = describe.told(stood, await past.told(room, moments, number, seat), seat)
        lines += [say("past.told", number=number, told=" ".join(told))] if told else []
    facts = {"number": moment, "last": len(moments) - 1, "round": await past.round_at(room, moments, moment)}
    head = say("past.head", game=describe.title(room), **facts)
    news = await past.told(room, moments, moment, seat)
    scene = describe.scene(stood, news, seat)
    view, names, pictures = stood.playing().view(seat), plain_names(stood), interaction.client.pictures
    rows = _rows(room, moment, len(moments) - 1, mine, own)
    if in_words:
        await reply.show_words(interaction, await pictures.text_board(view, names), rows, "\n".join([head, *lines]))
        return
    board = await pictures.board(view, names, **scene)
    await reply.show(interaction, "\n".join([head, *lines]), rows, [board], public=public)


def _rows(room: Room, moment: int, last: int, mine: bool, own: Seat | None) -> list[Row]:
    """Steps and rounds back and forth; below, the film from here and one's own view once the match is over."""

    def go(what: str, target: int, label: str, possible: bool = True, mine: bool = mine) -> Button:
        return button(ids.past(room.info.id, target, what, mine), label, disabled=not possible)

    steps = (
        go("before", moment, say("past.round_before"), moment > 0),
        go("at", max(0, moment - 1), say("past.step_before"), moment > 0),
        go("at", moment + 1, say("past.step"), moment < last),
        go("next", moment, say("past.round_next"), moment < last),
    )
    more = [button(ids.past(room.info.id, moment, "film", mine), say("past.film"), STRONG, disabled=moment == last)]
    if own is not None:
        more.append(go("at", moment, say("past.all_view" if mine else "past.my_view"), mine=not mine))
    return [steps, tuple(more)]
