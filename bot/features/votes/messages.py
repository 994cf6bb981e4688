"""The messages of votes: posted once, edited as people vote, and in the end showing the result.

A vote is in the database before its message is on Discord, and what its message does not show yet
is made up for after a restart. When many people press at once, the message is edited no more often
than it changes.

People hear of a vote as they have chosen to be reminded of turns: at once, in their next digest, or
only shortly before the vote ends (or before quiet hours that last until then). The message mentions
whom it can. For everybody else there is a job, which decides when it runs how and when they are
notified, and stays until that is done.
"""

import logging
from typing import Any

import discord
from msgspec.structs import replace

from bot.features.reminders.player_settings import ReminderLevel, ReminderSettings
from bot.features.reminders.rules import is_sent_to_match
from bot.features.reminders.service import Reminders
from bot.features.votes import queries, rules
from bot.features.votes.rules import END, GO_ON, NO, PAUSE, TAKE, VOID, YES, Kind
from bot.features.votes.service import Votes
from bot.kernel import queries as job_queries
from bot.kernel.change import Change
from bot.kernel.clocks import LONGEST_WARNING
from bot.kernel.room import Room
from bot.model import ABSENCE, COMPUTER, Job, Vote
from bot.posts.outbox import Outbox
from bot.posts.places import why_lost
from bot.posts.sending import Sender
from bot.posts.turn_message import Message
from bot.runtime.base import HOUR, BotError, Chores, Locks, log_error
from bot.text import listed, say
from bot.ui import (
    CONTENT,
    GOOD,
    GRAVE,
    MATCH,
    PLAIN,
    STRONG,
    Bucket,
    Button,
    MotuClient,
    MotuInteraction,
    carries,
    cut,
    describe,
    error_codes,
    escaped,
    ids_in,
    marked_names,
    mentions,
    turn_button_id,
)
from engine import EngineError

log = logging.getLogger("motu.votes")

MAX_REFUSALS = 6
"""Tries of a message that Discord refuses; the next press or start tries again."""
VOTE_NOTIFICATION = "vote_call"
"""The job that notifies somebody of the votes of a match that they have not answered."""
CHECK_AGAIN = 60
"""Seconds before it is checked again whether the message of a vote is there."""
BEFORE_QUIET = HOUR
"""Seconds that a last reminder comes before quiet hours in which the vote ends."""
LOOKS = {YES: GOOD, NO: GRAVE, GO_ON: GOOD, PAUSE: PLAIN, END: GRAVE, TAKE: STRONG}


# What the messages say.


def vote_button(*options: str) -> str:
    """Return the pattern of buttons under a vote that stand for one of these options."""
    return rf"b:{MATCH}:(?P<vote>\d{{1,6}}):(?P<option>{'|'.join(options)})"


def vote_message(room: Room, vote: Vote, kind: Kind) -> Message:
    """Return the question, what was said to it, and either how it is decided or the result.

    While the vote is open there is a button for every option.
    """
    who = "" if vote.by.id == COMPUTER else escaped(vote.by.name)
    # Several matches of one game may be played in a channel.
    game = say("vote.match", game=describe.title(room), id=vote.match)
    facts: dict[str, Any] = {"game": game, "who": who, **kind.text_facts(room, vote)}
    names_as_asked = marked_names(Room(replace(room.record, chairs=vote.chairs)))
    lines = [say(f"vote.{vote.kind}.question", names_as_asked, **facts)]

    names = marked_names(room)
    users = [chair.id for chair in room.record.chairs]
    asked = [] if kind.is_offer else rules.voters(room, vote)
    buttons = []
    for option in kind.options:
        label = say(f"vote.option.{option}")
        custom_id = f"b:{vote.match}:{vote.number}:{option}"
        buttons.append(Button(custom_id, label, LOOKS.get(option, PLAIN)))
        said_so = [names[users.index(user)] for user in asked if vote.said.get(user) == option]
        if said_so:
            lines.append(say("vote.said", option=label, who=listed(said_so)))
    if missing := rules.missing_voters(room, vote, kind):
        lines.append(say("vote.unsaid", who=listed(names[users.index(user)] for user in missing)))

    if vote.is_open:
        is_alone = len(rules.voters(room, vote)) == 1
        rule = say(f"vote.rule.{kind.rule.__name__}", alone=is_alone)
        lines.append(say("vote.open", rule=rule, ends=f"<t:{vote.ends}:R>"))
    elif vote.outcome == VOID:
        lines.append(say("vote.void", why=vote.why))
    else:
        result = say(f"vote.{vote.kind}.{vote.outcome}", names_as_asked, **facts)
        lines.append(say("vote.result", result=result))
    rows = (tuple(buttons),) if vote.is_open else ()
    return Message(cut("\n".join(lines), CONTENT), (), rows)


def notification(room: Room, vote: Vote, kind: Kind, pings: tuple[int, ...]) -> Message:
    """Return what notifies somebody of a vote, with a mention where it is asked.

    A direct message mentions nobody. It tells all of the vote, which is answered there.
    """
    made = vote_message(room, vote, kind)
    link = describe.link(room, vote.message)
    words = say("vote.call", called=mentions(pings), game=describe.title(room), link=link)
    return replace(made, content=words if pings else f"{words}\n{made.content}", pings=pings)


def welcome(room: Room, newcomer: int) -> Message:
    """Return what tells a newcomer that they have got a seat, with the button to their panel."""
    custom_id = turn_button_id(room.record.id, "move")
    panel = Button(custom_id, say("post.your_move"), STRONG)
    words = say("vote.welcome", called=mentions([newcomer]), game=describe.title(room))
    # If it is their turn, the board that is posted anew mentions them.
    pings = () if room.waits_for(newcomer) else (newcomer,)
    return Message(words, pings, ((panel,),))


# Messages are posted and edited.


class VoteMessages:
    """Looks after the messages of all votes, and notifies those whom they do not mention."""

    def __init__(self, client: MotuClient) -> None:
        services = client.services
        self._client = client
        self._kernel = client.kernel
        self._votes = services.require(Votes)
        self._reminders = services.require(Reminders)
        self._outbox = services.require(Outbox)
        self._sender = services.require(Sender)
        self._bucket = services.require(Bucket)
        self._chores = Chores("votes", self._update_all)
        self._locks = Locks()

    def on_change(self, change: Change) -> None:
        """Update the messages of votes that a change may concern."""
        votes = change.context.values.get(queries.votes_of_match) or ()
        # If it writes none itself, others may be asked now, or in another place.
        if change.queued_args(queries.put_vote) or any(vote.is_open for vote in votes):
            self._chores.poke(change.match_id)

    def on_notification(self, notification: str) -> None:
        """Update the messages of a match that another process has written."""
        if notification != ABSENCE:
            self._chores.poke(notification)

    async def catch_up(self) -> None:
        """After a start: bring all messages up to date."""
        for match in await self._votes.matches_voting():
            self._chores.poke(match)

    async def close(self) -> None:
        """Stop; after the next start it goes on."""
        await self._chores.close()

    async def _update_all(self, match: str) -> None:
        """Update the messages of a match's votes, however often Discord has to be asked."""

        async def update(tries: int) -> None:
            try:
                if await self._client.owns(match):
                    for vote in await self._votes.unannounced(match):
                        await self.show(match, vote.number)
            except discord.HTTPException as error:
                is_refused = not error_codes.is_passing(error)
                is_place_lost = error.code in error_codes.PLACE_LOST
                if tries < MAX_REFUSALS or is_place_lost or not is_refused:
                    raise
                log_error(error, f"a vote of match {match} cannot be shown")

        try:
            await self._outbox.retry(match, update)
        except discord.HTTPException as error:
            # It is posted once the match has a place again.
            await self._outbox.pause(match, why_lost(error))
        except (BotError, EngineError) as error:
            log_error(error, f"a vote of match {match} cannot be shown")

    async def show(self, match: str, number: int, pressed: MotuInteraction | None = None) -> None:
        """Update the message of a vote, or post it if there is none.

        A button that was `pressed` may be under that message, or under a notification, which is
        edited as well.
        """
        async with self._locks[match]:
            vote = await self._votes.find(match, number)
            room = await self._kernel.matches.find(match)
            kind = self._votes.kind(vote)
            made = vote_message(room, vote, kind)
            if pressed is not None:
                await self._sender.edit_pressed(pressed, made)
            place, channel = room.record.place, room.record.place.posts_to
            # Once the match has a place it is shown there.
            is_homeless = bool(room.record.paused_for) or (place.wants_thread and not place.thread)
            if is_homeless or vote.told or not await self._client.owns(match):
                return
            jobs: list[Job] = []
            # It is asked anew where the match is played now.
            message = vote.message if vote.place == channel else 0
            message = message or await self._sender.find(
                channel,
                nonce_of(vote),
                vote.opened,
                lambda found: carries(found, ids_in(made.rows)),
            )
            if not message or not await self._sender.edit(channel, message, made):
                message, jobs = await self._post(room, vote, made)
            if vote.is_open and message == vote.message:
                return
            if kind.for_strangers and vote.outcome == YES:
                # An edit notifies nobody.
                nonce = f"{match}v{number}w"
                await self._sender.send(channel, welcome(room, vote.by.id), nonce)
            await self._kernel.store.write(queries.note_vote_message, vote, message, channel)
            await self._kernel.scheduler.set(*jobs)

    async def _post(self, room: Room, vote: Vote, made: Message) -> tuple[int, list[Job]]:
        """Post the message of a vote.

        Returns its id, and the jobs that notify those whom it does not mention.
        """
        kind = self._votes.kind(vote)
        if vote.by.id == COMPUTER:
            # Nobody waits for what the bot asks by itself, and it may have to ask very many tables
            # at once.
            await self._bucket.take()
        now = int(self._kernel.now())
        mentioned: list[int] = []
        jobs: list[Job] = []
        for user in rules.missing_voters(room, vote, kind):
            chosen = await self._reminders.of(user)
            is_prompt = chosen.level is ReminderLevel.TURN and chosen.quiet_until(now) is None
            if is_prompt and is_sent_to_match(room, chosen):
                mentioned.append(user)
            else:
                jobs.append(Job(VOTE_NOTIFICATION, now, vote.match, user))
        # Should the bot stop before the message is noted, they are notified soon after the start.
        await self._kernel.scheduler.set(*(replace(job, at=now + CHECK_AGAIN) for job in jobs))
        words = say("vote.called", called=mentions(mentioned), vote=made.content)
        pictures = []
        if kind.find_board is not None and vote.is_open:
            there = await kind.find_board(room, vote)
            pictures.append(await describe.draw_board(self._client, there))
        message = await self._sender.send(
            room.record.place.posts_to,
            made,
            nonce_of(vote),
            sent_as=replace(made, content=words, pings=tuple(mentioned)),
            pictures=pictures,
        )
        return message, jobs

    async def notify(self, job: Job) -> None:
        """Notify somebody of the votes of a match that they have not answered, or put that off."""
        room = await self._kernel.matches.find(job.match)
        votes = await self._votes.awaiting(room, job.user)
        chosen, now = await self._reminders.of(job.user), int(self._kernel.now())
        if not votes or room.record.paused_for or chosen.level is ReminderLevel.OFF:
            return
        if chosen.level is ReminderLevel.DIGEST:
            await self._reminders.put_in_digest(job.user)
            return
        times = [_notification_time(vote, chosen, now) for vote in votes]
        if later := [at for at in times if at > now]:
            await self._kernel.store.write(job_queries.schedule, replace(job, at=min(later)))
        if ready := [vote for vote, at in zip(votes, times, strict=True) if at <= now]:
            await self._notify(room, ready, job.user)

    async def _notify(self, room: Room, votes: list[Vote], user: int) -> None:
        """Notify somebody of votes as they have chosen; in the thread if they take no messages."""
        chosen = await self._reminders.of(user)
        is_direct = not is_sent_to_match(room, chosen)
        channel = chosen.channel if is_direct else room.record.place.posts_to
        try:
            for vote in votes:
                pings = () if is_direct else (user,)
                made = notification(room, vote, self._votes.kind(vote), pings)
                if chosen.closed and vote is votes[-1]:
                    note = say("call.closed", called=mentions([user]))
                    made = replace(made, content=f"{made.content}\n{note}")

                def is_it(
                    message: discord.Message, vote: Vote = vote, made: Message = made
                ) -> bool:
                    # The vote's own message has the same buttons.
                    is_notification = message.id != vote.message
                    mentions_them = is_direct or f"<@{user}>" in message.content
                    return is_notification and mentions_them and carries(message, ids_in(made.rows))

                # It may have been sent without that having been noted.
                nonce = f"{vote.match}v{vote.number}c{user & 0xFFFFFF:x}"
                if not await self._sender.find(channel, nonce, vote.opened, is_it):
                    await self._bucket.take()
                    silent = chosen.quiet_until(self._kernel.now()) is not None
                    await self._sender.send(channel, made, nonce, silent=silent)
        except discord.HTTPException as error:
            if is_direct and error.code in error_codes.DIRECT_CLOSED:
                await self._reminders.note_direct_closed(user)
                await self._notify(room, votes, user)
                return
            if is_direct or error.code not in error_codes.PLACE_LOST:
                raise
            # The next post will fail as well, and pause the match.
            log.info("match %s cannot notify somebody of a vote (%s)", room.record.id, error.code)
        if chosen.closed:
            await self._reminders.note_told_closed(user)


def nonce_of(vote: Vote) -> str:
    """Return the nonce of a vote's message; of another if only its result is posted."""
    return f"{vote.match}v{vote.number}{'' if vote.is_open else 'e'}"


def _notification_time(vote: Vote, chosen: ReminderSettings, now: int) -> int:
    """Return when somebody is notified of a vote: now, or when it has to be looked at again."""
    if chosen.level is ReminderLevel.LAST and (at := _last_reminder(vote, chosen)) > now:
        return at
    quiet_until = chosen.quiet_until(now)
    # For a vote that ends before the quiet hours do, a silent message is better than none.
    if quiet_until is not None and vote.ends > quiet_until:
        return quiet_until
    return now if vote.message else now + CHECK_AGAIN


def _last_reminder(vote: Vote, chosen: ReminderSettings) -> int:
    """Return when somebody is notified of a vote who wants only a last reminder."""
    at = vote.ends - min(LONGEST_WARNING, (vote.ends - vote.opened) // 3)
    quiet = chosen.quiet_hours_at(at)
    if quiet is None or quiet[1] < vote.ends:
        return at
    before = max(vote.opened, quiet[0] - BEFORE_QUIET)
    # Quiet hours that had begun before the vote leave no time before them.
    return before if before < quiet[0] else at
