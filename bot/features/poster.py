"""/poster: a finished match as one picture, with its board, its curve and three moments.

Everyone in the channel sees it. It is built from the same analysis as /review.
"""

from datetime import UTC, datetime

from bot.features.review import analyse, moment_text
from bot.kernel.room import Room, everyone_ever_seated
from bot.runtime.base import Refused
from bot.text import say
from bot.ui import (
    Feature,
    MotuInteraction,
    Picture,
    PublicAnswers,
    describe,
    ended_matches,
    hidden_players,
    hide_names,
    my_ended_match,
    plain_names,
    reply,
    slash,
)
from engine import View
from engine.core.words import closest_language, speaking, spoken_language

MARKDOWN_BOLD = "**"


@slash("poster", dms=True)
async def poster(interaction: MotuInteraction, match: str | None = None) -> None:
    """Post a finished match as one picture, for everyone in the channel."""
    room = await my_ended_match(interaction, match)
    if interaction.channel_id not in (room.record.place.channel, room.record.place.thread):
        # Outside the match's own channel, hidden players are not named.
        seated = everyone_ever_seated(room.record)
        room = hide_names(room, await hidden_players(interaction.client, seated))
    if interaction.guild_id is not None and not interaction.app_permissions.attach_files:
        raise Refused("refusal.no_film_here", permission=say("permission.attach_files"))
    services = interaction.client.services
    services.require(PublicAnswers).admit(interaction.user.id, interaction.channel_id or 0)
    analysis = await analyse(interaction, room, say("poster.what"))
    # Everyone in the channel sees the poster, so it uses the channel's language.
    with speaking(closest_language(reply.channel_locale(interaction))):
        moments, marked = [], []
        for label, moment in enumerate(analysis.review.moments, start=1):
            before = Room(room.record, analysis.positions[moment.number - 1])
            commit = analysis.commits[moment.number - 1]
            number = analysis.numbers[moment.number]
            text = moment_text(before, moment, commit, label, number)
            # The picture has discs for the labels, and no Markdown.
            moments.append(text.replace(MARKDOWN_BOLD, "").partition(" ")[2])
            marked.append((str(label), moment.number, int(moment.seat)))
        picture = await interaction.client.pictures.draw(
            draw_poster,
            f"{room.record.game}-{room.record.id}.png",
            room.playing().view(None),
            plain_names(room),
            analysis.review.expected,
            tuple(marked),
            tuple(moments),
            date_of(room),
            analysis.phases,
        )
        facts = {"game": describe.title(room), "players": describe.players(room)}
        post = say("poster.post", id=room.record.id, **facts)
    await interaction.followup.send(post, files=reply.make_files([picture]))
    await reply.show(interaction, say("poster.done"))


poster.autocomplete("match")(ended_matches)


def date_of(room: Room) -> str:
    """Return the day on which a match ended, in the spoken language."""
    # Imported with the first poster, to keep the bot's start quick.
    from babel.dates import format_date

    day = datetime.fromtimestamp(room.record.last_activity_at, UTC).date()
    return format_date(day, "long", locale=spoken_language().replace("-", "_"))


def draw_poster(
    file: str,
    view: View,
    names: tuple[str, ...],
    expected: tuple[tuple[float, ...], ...],
    marked: tuple[tuple[str, int, int], ...],
    moments: tuple[str, ...],
    date: str,
    phases: tuple[int, ...],
) -> Picture:
    """Draw the poster with its alt text."""
    # Pillow is loaded when it is needed, in a drawing thread.
    from render import poster as drawing
    from render.curves import MarkedMoment

    places = [MarkedMoment(*moment) for moment in marked]
    data = drawing.draw_poster(view, names, expected, places, moments, date, phases)
    return Picture(data, drawing.poster_text(view, names, moments, date), file)


FEATURE = Feature(name="poster", commands=(poster,))
