"""The messages of votes: each is posted once, edited as people vote, and finally shows the result.

A vote is saved before its message is posted; after a restart, messages that are missing or out of
date are posted or edited. Edits that would change nothing are skipped (Sender), which matters when
many people press at once.

Voters are notified according to their reminder settings: at once, in their next digest, or only
shortly before the vote ends (or before quiet hours that last until then). The message itself
mentions those who want to know at once. Each of the others has a job: when it runs, it decides how
and when to notify them, and it is rescheduled until that is done.
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
from bot.kernel.clocks import MAX_WARNING_SECONDS
from bot.kernel.languages import speaking_to_player, speaking_to_table
from bot.kernel.room import Room
from bot.model import ABSENCE, COMPUTER, Job, Vote
from bot.posts.outbox import Outbox
from bot.posts.places import why_lost
from bot.posts.sending import Sender
from bot.posts.turn_message import Message
from bot.runtime.base import HOUR, BotError, Chores, Locks, log_error
from bot.text import and_list, say
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
    cut,
    describe,
    error_codes,
    escape_text,
    has_component,
    ids_in,
    marked_names,
    mentions,
    turn_button_id,
)
from engine import EngineError

log = logging.getLogger("motu.votes")

MAX_REFUSALS = 6
"""How often to retry a message that Discord refuses. After that, the next press tries again."""
VOTE_NOTIFICATION = "vote_call"
"""The job that notifies a user of the votes in a match that await their answer."""
CHECK_AGAIN_SECONDS = 60
"""How long to wait if the message that a notification links to is not posted yet."""
BEFORE_QUIET_SECONDS = HOUR
"""How long before quiet hours a last reminder comes if the vote ends during them."""
BUTTON_LOOKS = {YES: GOOD, NO: GRAVE, GO_ON: GOOD, PAUSE: PLAIN, END: GRAVE, TAKE: STRONG}


# Texts


def vote_button_pattern(*options: str) -> str:
    """Return the pattern of the custom ids of vote buttons for any of these options."""
    return rf"b:{MATCH}:(?P<vote>\d{{1,6}}):(?P<option>{'|'.join(options)})"


def make_vote_message(room: Room, vote: Vote, kind: Kind) -> Message:
    """Return the message of a vote: the question, the votes so far, and the rule or the result.

    While the vote is open, it has a button for each option.
    """
    who = "" if vote.by.id == COMPUTER else escape_text(vote.by.name)
    # Show the match's id, because several matches of one game may share a channel.
    game = say("vote.match", game=describe.title(room), id=vote.match)
    facts: dict[str, Any] = {"game": game, "who": who, **kind.text_facts(room, vote)}
    # A vote to replace a player still names them after somebody else has taken their seat.
    original_names = marked_names(Room(replace(room.record, chairs=vote.chairs)))
    lines = [say(f"vote.{vote.kind}.question", original_names, **facts)]

    chairs = zip(room.record.chairs, marked_names(room), strict=True)
    names = {chair.id: name for chair, name in chairs}
    voters = [] if kind.is_offer else rules.voters(room, vote)
    buttons = []
    for option in kind.options:
        label = say(f"vote.option.{option}")
        custom_id = f"b:{vote.match}:{vote.number}:{option}"
        buttons.append(Button(custom_id, label, BUTTON_LOOKS.get(option, PLAIN)))
        names_for = [names[user] for user in voters if vote.said.get(user) == option]
        if names_for:
            lines.append(say("vote.said", option=label, who=and_list(names_for)))
    if missing := rules.missing_voters(room, vote, kind):
        lines.append(say("vote.unsaid", who=and_list(names[user] for user in missing)))

    if vote.is_open:
        is_alone = len(rules.voters(room, vote)) == 1
        rule = say(f"vote.rule.{kind.rule.__name__}", alone=is_alone)
        key = "vote.open_offer" if kind.is_offer else "vote.open"
        lines.append(say(key, rule=rule, ends=f"<t:{vote.ends}:R>"))
    elif vote.outcome == VOID:
        lines.append(say("vote.void", why=vote.why))
    else:
        result = say(f"vote.{vote.kind}.{vote.outcome}", original_names, **facts)
        lines.append(say("vote.result", result=result))
    rows = (tuple(buttons),) if vote.is_open else ()
    return Message(cut("\n".join(lines), CONTENT), (), rows)


def make_notification(room: Room, vote: Vote, kind: Kind, pings: tuple[int, ...]) -> Message:
    """Return a notification of a vote, with a link to its message and the buttons to vote.

    Without `pings` it is a direct message, which also repeats the question.
    """
    message = make_vote_message(room, vote, kind)
    link = describe.link(room, vote.message)
    text = say("vote.call", called=mentions(pings), game=describe.title(room), link=link)
    return replace(message, content=text if pings else f"{text}\n{message.content}", pings=pings)


def make_welcome(room: Room, vote: Vote) -> Message:
    """Return the message that tells a newcomer they have got a seat, with a button to play."""
    newcomer = vote.by.id
    custom_id = turn_button_id(room.record.id, "move")
    panel = Button(custom_id, say("post.your_move"), STRONG)
    game = say("vote.match", game=describe.title(room), id=vote.match)
    former_names = marked_names(Room(replace(room.record, chairs=vote.chairs)))
    facts = {"called": mentions([newcomer]), "seat": vote.facts["seat"], "game": game}
    text = say("vote.welcome", former_names, **facts)
    # If it is their turn, the board is posted again and mentions them there.
    pings = () if room.is_asked(newcomer) else (newcomer,)
    return Message(text, pings, ((panel,),))


# Posting and updating


class VoteMessages:
    """Posts and updates the messages of all votes, and notifies voters."""

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
        # A change that saves no vote may still change who votes, or move the match elsewhere.
        if change.queued_args(queries.put_vote) or any(vote.is_open for vote in votes):
            self._chores.poke(change.match_id)

    def on_notification(self, notification: str) -> None:
        """Update the messages of a match that another process has changed."""
        if notification != ABSENCE:
            self._chores.poke(notification)

    async def catch_up(self) -> None:
        """Update all messages when the bot starts."""
        for match in await self._votes.find_matches_voting():
            self._chores.poke(match)

    async def close(self) -> None:
        """Stop updating messages; the next start resumes."""
        await self._chores.close()

    async def _update_all(self, match_id: str) -> None:
        """Update the messages of a match's votes, with retries."""

        async def update(tries: int) -> None:
            try:
                if await self._client.owns(match_id):
                    for vote in await self._votes.unannounced(match_id):
                        await self.show(match_id, vote.number)
            except discord.HTTPException as error:
                is_refused = not error_codes.is_passing(error)
                is_place_lost = error.code in error_codes.PLACE_LOST
                if tries < MAX_REFUSALS or is_place_lost or not is_refused:
                    raise
                log_error(error, f"couldn't show a vote of match {match_id}")

        try:
            await self._outbox.retry(match_id, update)
        except discord.HTTPException as error:
            # The channel or thread is lost. The vote is posted once the match can post again.
            await self._outbox.pause(match_id, why_lost(error))
        except (BotError, EngineError) as error:
            log_error(error, f"couldn't show a vote of match {match_id}")

    async def show(
        self, match_id: str, number: int, pressed: MotuInteraction | None = None
    ) -> None:
        """Update the message of a vote, or post it if there is none.

        If a button was `pressed`, the message with that button is edited too: it may be a
        notification instead of the vote's own message.
        """
        async with self._locks[match_id]:
            vote = await self._votes.find(match_id, number)
            room = await self._kernel.matches.find(match_id)
            kind = self._votes.kind(vote)
            with speaking_to_table(room.record):
                content = make_vote_message(room, vote, kind)
            if pressed is not None:
                await self._sender.edit_pressed(pressed, content)
            place, channel = room.record.place, room.record.place.posts_to
            # A vote cannot be posted while the match is paused or its thread is yet to be created.
            is_homeless = bool(room.record.paused_for) or (place.wants_thread and not place.thread)
            if is_homeless or vote.told or not await self._client.owns(match_id):
                return
            jobs: list[Job] = []
            # If the match has moved to another channel since, post the vote again there.
            message = vote.message if vote.place == channel else 0
            message = message or await self._sender.find(
                channel,
                vote_nonce(vote),
                vote.opened,
                lambda message: has_component(message, ids_in(content.rows)),
            )
            if not message or not await self._sender.edit(channel, message, content):
                with speaking_to_table(room.record):
                    message, jobs = await self._post(room, vote, content)
            if vote.is_open and message == vote.message:
                return
            if kind.for_strangers and vote.outcome == YES:
                # Editing the vote's message notifies nobody, so greet the newcomer with another.
                nonce = f"{match_id}v{number}w"
                with speaking_to_table(room.record):
                    greeting = make_welcome(room, vote)
                await self._sender.send(channel, greeting, nonce)
            await self._kernel.store.write(queries.note_vote_message, vote, message, channel)
            await self._kernel.scheduler.set(*jobs)

    async def _post(self, room: Room, vote: Vote, content: Message) -> tuple[int, list[Job]]:
        """Post the message of a vote; return its id, and jobs that notify the other voters."""
        kind = self._votes.kind(vote)
        if vote.by.id == COMPUTER:
            # The bot may start votes in very many matches at once, and nobody is waiting for them,
            # so keep to the rate limit.
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
        # Schedule the jobs before sending the message, in case the bot stops before recording it.
        # Once it is recorded, `show` schedules them for now.
        later = [replace(job, at=now + CHECK_AGAIN_SECONDS) for job in jobs]
        await self._kernel.scheduler.set(*later)
        text = say("vote.called", called=mentions(mentioned), vote=content.content)
        pictures = []
        if kind.find_board is not None and vote.is_open:
            position = await kind.find_board(room, vote)
            pictures.append(await describe.draw_board(self._client, position))
        message = await self._sender.send(
            room.record.place.posts_to,
            content,
            vote_nonce(vote),
            sent_as=replace(content, content=text, pings=tuple(mentioned)),
            pictures=pictures,
        )
        return message, jobs

    async def notify(self, job: Job) -> None:
        """Notify a user of the votes in a match that await their answer, now or later."""
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
        """Notify a user of these votes, by direct message or in the match's thread.

        If their direct messages are closed, switch them to the thread for good.
        """
        chosen = await self._reminders.of(user)
        is_direct = not is_sent_to_match(room, chosen)
        channel = chosen.channel if is_direct else room.record.place.posts_to
        try:
            for vote in votes:
                pings = () if is_direct else (user,)
                if is_direct:
                    speaking = speaking_to_player(room.record, user)
                else:
                    speaking = speaking_to_table(room.record)
                with speaking:
                    message = make_notification(room, vote, self._votes.kind(vote), pings)
                    if chosen.closed and vote is votes[-1]:
                        note = say("call.closed", called=mentions([user]))
                        message = replace(message, content=f"{message.content}\n{note}")

                def is_notification(
                    sent: discord.Message, vote: Vote = vote, message: Message = message
                ) -> bool:
                    # The vote's own message has the same buttons, but is no notification.
                    is_vote = sent.id == vote.message
                    mentions_them = is_direct or f"<@{user}>" in sent.content
                    has_buttons = has_component(sent, ids_in(message.rows))
                    return not is_vote and mentions_them and has_buttons

                # An earlier run of this job may have sent it without getting the response.
                nonce = f"{vote.match}v{vote.number}c{user & 0xFFFFFF:x}"
                if not await self._sender.find(channel, nonce, vote.opened, is_notification):
                    await self._bucket.take()
                    silent = chosen.quiet_until(self._kernel.now()) is not None
                    await self._sender.send(channel, message, nonce, silent=silent)
        except discord.HTTPException as error:
            if is_direct and error.code in error_codes.DIRECT_CLOSED:
                await self._reminders.note_direct_closed(user)
                await self._notify(room, votes, user)
                return
            if is_direct or error.code not in error_codes.PLACE_LOST:
                raise
            # The channel or thread is lost. The next post will fail as well, and pause the match.
            log.info(
                "couldn't notify a player of match %s of a vote (%s)", room.record.id, error.code
            )
        if chosen.closed:
            await self._reminders.note_told_closed(user)


def vote_nonce(vote: Vote) -> str:
    """Return the nonce of the message that shows an open vote, or of one that shows a result."""
    return f"{vote.match}v{vote.number}{'' if vote.is_open else 'e'}"


def _notification_time(vote: Vote, chosen: ReminderSettings, now: int) -> int:
    """Return `now` to notify a voter now, or a later time at which to check again."""
    if chosen.level is ReminderLevel.LAST and (at := _last_reminder_time(vote, chosen)) > now:
        return at
    quiet_until = chosen.quiet_until(now)
    # For a vote that ends before the quiet hours do, a silent message is better than none.
    if quiet_until is not None and vote.ends > quiet_until:
        return quiet_until
    return now if vote.message else now + CHECK_AGAIN_SECONDS


def _last_reminder_time(vote: Vote, chosen: ReminderSettings) -> int:
    """Return when to notify a voter who wants only a last reminder."""
    at = vote.ends - min(MAX_WARNING_SECONDS, (vote.ends - vote.opened) // 3)
    quiet = chosen.quiet_hours_at(at)
    if quiet is None or quiet[1] < vote.ends:
        return at
    # The vote ends during quiet hours: remind before them, unless they began before the vote did.
    before = max(vote.opened, quiet[0] - BEFORE_QUIET_SECONDS)
    return before if before < quiet[0] else at
