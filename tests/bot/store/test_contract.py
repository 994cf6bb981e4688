"""What every store must do."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import psycopg
import pytest
from msgspec.structs import replace

from bot.features.catch_up import put_note
from bot.features.privacy import queries as personal
from bot.features.ratings import queries as rating_queries
from bot.features.ratings import rules as rating
from bot.features.ratings.records import Board, Pool, Rated, Rating
from bot.features.votes import queries as vote_queries
from bot.kernel import queries
from bot.kernel.change import Change
from bot.model import (
    COMPUTER,
    HIDDEN,
    Announcement,
    HandledInteraction,
    Job,
    MatchRecord,
    Person,
    Place,
    SeatChange,
    SeatClock,
    Status,
    StoredCommit,
    StoredDraft,
    StoredMatch,
    TableClocks,
    Terms,
    Vote,
)
from bot.runtime.base import Conflict, StoreError
from bot.store.base import Store
from bot.store.sql import Write
from bot.store.sqlite import SqliteStore
from engine import GAMES
from tests.bot.standings import GAME, GUILD, find_finish, simulate_matches
from tests.bot.store.changes import change_to
from tests.bot.store.conftest import Opener

INFO = MatchRecord(
    id="abcd2345",
    game="toy",
    status=Status.LOBBY,
    place=Place(1, 2, 3, False),
    host=10,
    settings={"map": "ʻ ' \" 🌊"},
    chairs=(
        Person(10, "Ana"),
        Person(COMPUTER, "Computer 1"),
        Person(11, "Bea '); DROP TABLE match; --"),
    ),
)


def commit(number: int, **changes: bytes) -> StoredCommit:
    """Return a distinct stored commit."""
    text = {
        "commit": b"commit %d" % number if number else b"",
        "events": b"told %d" % number,
        "snapshot": b"position %d" % number,
    }
    return StoredCommit(number=number, rules=3, seat=0, **{**text, **changes})


def change(version: int, **written: object) -> Change:
    """Return a change of a running match to this version."""
    return change_to(replace(INFO, status=Status.RUNNING, version=version), **written)  # type: ignore[arg-type]


async def load(store: Store, match: str = INFO.id) -> StoredMatch:
    """Return the stored match."""
    found = await store.read(queries.load_match, match)
    assert found is not None
    return found


async def create_match(store: Store, match: str = INFO.id) -> None:
    """Create a match with its setup."""
    await store.write(queries.create_match, replace(INFO, id=match))
    running = replace(INFO, id=match, status=Status.RUNNING, version=1)
    await store.write(
        queries.write_change,
        change_to(running, stored_commits=(commit(0),), announce_up_to=0),
        own=store.own,
    )


async def test_a_new_match_is_loaded_as_stored(store: Store) -> None:
    await store.write(queries.create_match, INFO)
    found = await load(store)
    assert (found.record, found.snapshot, found.drafts) == (INFO, b"", ())


async def test_an_unknown_match_is_none(store: Store) -> None:
    assert await store.read(queries.load_match, "nothing1") is None
    assert await store.read(queries.replayable_commits, "nothing1", 0, 0) == []
    assert await store.read(queries.handled_interaction, "nothing1", 1) is None
    assert await store.read(queries.commits, "nothing1") == []


async def test_an_id_can_be_used_once(store: Store) -> None:
    await store.write(queries.create_match, INFO)
    with pytest.raises(Conflict):
        await store.write(queries.create_match, replace(INFO, host=99))
    assert (await load(store)).record.host == 10


async def test_every_part_of_a_change_is_stored(opens: Opener) -> None:
    store = await opens()
    await create_match(store)
    drafts = (StoredDraft(seat=0, answers=b"[1]"), StoredDraft(seat=2, answers=b"[]", cut=True))
    await store.write(
        queries.write_change,
        change(
            2,
            stored_commits=(commit(1),),
            stored_drafts=drafts,
            handled=HandledInteraction(interaction=7, seat=0, since=0, number=1),
        ),
        own=store.own,
    )
    await store.close()
    store = await opens()
    found = await load(store)
    assert found.record == change(2).after.record
    assert found.snapshot == b"position 1"
    assert found.drafts == drafts
    assert await store.read(queries.commits, INFO.id) == [commit(0), commit(1)]
    assert await store.read(queries.handled_interaction, INFO.id, 7) == HandledInteraction(
        interaction=7, seat=0, since=0, number=1
    )
    assert await store.read(queries.handled_interaction, INFO.id, 8) is None


async def test_parts_that_a_change_leaves_out_stay(store: Store) -> None:
    await create_match(store)
    drafts = (StoredDraft(seat=0, answers=b"[1]"),)
    await store.write(
        queries.write_change, change(2, stored_drafts=drafts, awaits_computer=True), own=store.own
    )
    await store.write(queries.write_change, change(3, awaits_computer=True), own=store.own)
    assert (await load(store)).drafts == drafts
    assert await store.read(queries.matches_awaiting_computer, own=store.own) == [INFO.id]
    await store.write(
        queries.write_change, change(4, stored_drafts=(), awaits_computer=False), own=store.own
    )
    assert (await load(store)).drafts == ()
    assert await store.read(queries.matches_awaiting_computer, own=store.own) == []


@pytest.mark.parametrize("version", [0, 1, 3])
async def test_a_change_based_on_an_old_version_is_refused(store: Store, version: int) -> None:
    await create_match(store)
    with pytest.raises(Conflict):
        await store.write(
            queries.write_change,
            change(
                version,
                stored_commits=(commit(1),),
                stored_drafts=(StoredDraft(seat=0, answers=b"x"),),
                announce_up_to=1,
            ),
            own=store.own,
        )
    found = await load(store)
    assert (found.record.version, found.snapshot, found.drafts) == (1, b"position 0", ())
    assert len(await store.read(queries.pending_announcements, own=store.own)) == 1


async def test_of_two_changes_at_once_one_wins(store: Store) -> None:
    await create_match(store)
    changes = [
        store.write(
            queries.write_change,
            change(2, stored_commits=(commit(1, commit=b"by %d" % n),)),
            own=store.own,
        )
        for n in range(5)
    ]
    results = await asyncio.gather(*changes, return_exceptions=True)
    assert [type(result) for result in results].count(Conflict) == 4
    assert [found.number for found in await store.read(queries.commits, INFO.id)] == [0, 1]


async def test_a_change_of_an_unknown_match_is_refused(store: Store) -> None:
    with pytest.raises(Conflict):
        await store.write(queries.write_change, change(1), own=store.own)


async def test_a_commit_is_written_once(store: Store) -> None:
    await create_match(store)
    await store.write(queries.write_change, change(2, stored_commits=(commit(1),)), own=store.own)
    with pytest.raises(Conflict):
        await store.write(
            queries.write_change,
            change(3, stored_commits=(commit(1, commit=b"another"),), announce_up_to=1),
            own=store.own,
        )
    assert await store.read(queries.commits, INFO.id, since=0) == [commit(1)]
    assert (await load(store)).record.version == 2


async def test_an_interaction_is_stored_once(store: Store) -> None:
    await create_match(store)
    done = HandledInteraction(interaction=7, seat=0, since=0, number=1)
    await store.write(queries.write_change, change(2, handled=done), own=store.own)
    with pytest.raises(Conflict):
        await store.write(
            queries.write_change,
            change(3, stored_commits=(commit(1),), handled=done),
            own=store.own,
        )
    assert (await load(store)).record.version == 2


async def test_old_interactions_are_forgotten(store: Store) -> None:
    await create_match(store)
    today = 1_400_000_000_000_000_000
    yesterday = today - (2 * 86_400_000 << 22)
    just_now = today - (60_000 << 22)
    for version, interaction in enumerate((yesterday, just_now, today), start=2):
        await store.write(
            queries.write_change,
            change(
                version,
                handled=HandledInteraction(interaction=interaction, seat=0, since=0, number=0),
            ),
            own=store.own,
        )
    kept = [
        await store.read(queries.handled_interaction, INFO.id, interaction) is not None
        for interaction in (yesterday, just_now, today)
    ]
    assert kept == [False, True, True]


async def test_commits_are_found_by_number(store: Store) -> None:
    await create_match(store)
    await store.write(
        queries.write_change,
        change(2, stored_commits=(commit(1), commit(2), commit(3))),
        own=store.own,
    )
    assert await store.read(queries.commits, INFO.id, since=1) == [commit(2), commit(3)]
    assert await store.read(queries.commits, INFO.id, since=0, number=2) == [commit(1), commit(2)]
    assert await store.read(queries.replayable_commits, INFO.id, 2, 3) == [commit(2), commit(3)]
    assert await store.read(queries.replayable_commits, INFO.id, 4, 4) == [commit(3)]


async def test_players_join_and_leave(store: Store) -> None:
    await store.write(queries.create_match, INFO)
    chairs = (Person(12, "Cem"),)
    await store.write(
        queries.write_change,
        change_to(replace(INFO, chairs=chairs, version=1), seats_changed=True),
        own=store.own,
    )
    assert (await load(store)).record.chairs == chairs
    assert await store.read(queries.open_matches_of, 10) == []
    assert await store.read(queries.open_matches_of, 12) == [INFO.id]


async def test_matches_are_found_by_channel_thread_and_person_newest_first(store: Store) -> None:
    await store.write(queries.create_match, INFO)
    await store.write(
        queries.create_match,
        replace(INFO, id="other", place=Place(1, 2, 5), chairs=(Person(10, "Ana"),)),
    )
    await store.write(
        queries.create_match,
        replace(INFO, id="else", place=Place(1, 9), chairs=(Person(11, "Bea"),)),
    )
    assert await store.read(queries.open_matches_in, 2) == ["other", INFO.id]
    assert await store.read(queries.open_matches_in, 3) == [INFO.id]
    assert await store.read(queries.open_matches_in, 4) == []
    assert await store.read(queries.open_matches_of, 10) == ["other", INFO.id]
    assert await store.read(queries.open_matches_of, 11) == ["else", INFO.id]


async def test_a_match_played_in_a_channel_is_found_once(store: Store) -> None:
    await store.write(queries.create_match, replace(INFO, place=Place(1, 2, 2)))
    assert await store.read(queries.open_matches_in, 2) == [INFO.id]


@pytest.mark.parametrize("status", [Status.FINISHED, Status.CANCELLED])
async def test_a_closed_match_is_found_only_by_id_and_thread(store: Store, status: Status) -> None:
    await store.write(queries.create_match, INFO)
    assert await store.read(queries.last_ended_in, 3) == []
    await store.write(
        queries.write_change,
        change_to(
            replace(INFO, status=status, version=1), awaits_computer=True, seats_changed=True
        ),
        own=store.own,
    )
    assert await store.read(queries.open_matches_in, 2) == []
    assert await store.read(queries.open_matches_of, 10) == []
    assert await store.read(queries.matches_awaiting_computer, own=store.own) == []
    assert (await load(store)).record.status is status
    assert await store.read(queries.last_ended_in, 3) == [INFO.id]
    assert await store.read(queries.last_ended_in, 2) == []


@pytest.mark.parametrize(
    ("status", "found"), [(Status.FINISHED, [INFO.id]), (Status.CANCELLED, [])]
)
async def test_a_match_that_ended_in_a_direct_message_is_found_there(
    store: Store, status: Status, found: list[str]
) -> None:
    await store.write(queries.create_match, replace(INFO, place=Place(0, 2, wants_thread=False)))
    await store.write(
        queries.write_change,
        change_to(replace(INFO, place=Place(0, 2, wants_thread=False), status=status, version=1)),
        own=store.own,
    )
    assert await store.read(queries.last_ended_in, 2) == found


async def test_an_announcement_covers_everything_since_the_previous_one(store: Store) -> None:
    await create_match(store)
    await store.write(
        queries.write_change,
        change(2, stored_commits=(commit(1), commit(2)), announce_up_to=2),
        own=store.own,
    )
    await store.write(queries.write_change, change(3, stored_commits=(commit(3),)), own=store.own)
    await store.write(
        queries.write_change,
        change(4, stored_commits=(commit(4),), announce_up_to=4),
        own=store.own,
    )
    due = await store.read(queries.pending_announcements, INFO.id, own=store.own)
    assert [(each.match, each.since, each.number) for each in due] == [
        (INFO.id, -1, 0),
        (INFO.id, 0, 2),
        (INFO.id, 2, 4),
    ]


async def test_the_last_announcement_can_be_repeated_under_a_new_id(store: Store) -> None:
    await create_match(store)
    (first,) = await store.read(queries.pending_announcements, own=store.own)
    await store.write(queries.write_change, change(2, announce_again=True), own=store.own)
    assert await store.read(queries.pending_announcements, own=store.own) == [first], (
        "it is due anyway"
    )
    assert await store.write(queries.note_post, first, 77, ()) == 3
    await store.write(queries.write_change, change(4, announce_again=True), own=store.own)
    (again,) = await store.read(queries.pending_announcements, own=store.own)
    assert (again.since, again.number) == (first.since, first.number)
    assert again.id > first.id


async def test_an_announcement_is_due_until_it_is_posted(opens: Opener) -> None:
    store = await opens()
    await create_match(store)
    await create_match(store, "other")
    first, second = await store.read(queries.pending_announcements, own=store.own)
    assert (first.match, second.match) == (INFO.id, "other")
    assert await store.read(queries.pending_announcements, "other", own=store.own) == [second]
    await store.write(queries.note_post, first, 77, ())
    await store.close()
    store = await opens()
    assert await store.read(queries.pending_announcements, own=store.own) == [second]
    assert (await load(store)).record.turn_message == 77


async def test_an_announcement_is_marked_posted_only_for_its_own_match(store: Store) -> None:
    await create_match(store)
    await create_match(store, "other")
    _, second = await store.read(queries.pending_announcements, own=store.own)
    await store.write(queries.note_post, replace(second, match=INFO.id), 77, ())
    assert second in await store.read(queries.pending_announcements, own=store.own)


async def test_announcements_of_a_paused_match_wait(store: Store) -> None:
    await create_match(store)
    paused = replace(INFO, status=Status.PAUSED, paused_for="no channel", version=2)
    await store.write(queries.write_change, change_to(paused), own=store.own)
    assert await store.read(queries.pending_announcements, own=store.own) == []
    assert await store.read(queries.pending_announcements, INFO.id, own=store.own) == []
    await store.write(queries.write_change, change(3), own=store.own)
    assert [
        type(each) for each in await store.read(queries.pending_announcements, own=store.own)
    ] == [Announcement]


async def test_announcement_ids_are_never_reused(opens: Opener) -> None:
    seen: list[int] = []
    for match in ("one", "two"):
        store = await opens()
        await create_match(store, match)
        due = await store.read(queries.pending_announcements, match, own=store.own)
        seen += [each.id for each in due]
        await store.close()
    assert len(set(seen)) == 2


async def test_messages_are_stored_by_kind(store: Store) -> None:
    await store.write(queries.create_match, INFO)
    await store.write(queries.note_messages, match=INFO.id, lobby_message=5)
    await store.write(queries.note_messages, match=INFO.id, turn_message=6)
    record = (await load(store)).record
    assert (record.lobby_message, record.turn_message, record.version) == (5, 6, 2)
    later = change_to(replace(record, turn_message=8, version=3))
    await store.write(queries.write_change, later, own=store.own)
    record = (await load(store)).record
    assert (record.lobby_message, record.turn_message) == (5, 8)


async def test_settings_are_stored_by_scope_owner_and_key(opens: Opener) -> None:
    store = await opens()
    await store.write(queries.put_player_setting, 10, "reminders", "off")
    await store.write(queries.put_player_setting, 10, "reminders", "daily")
    await store.write(queries.put_server_setting, 10, "reminders", "on")
    await store.close()
    store = await opens()
    assert await store.read(queries.player_setting, 10, "reminders") == "daily"
    assert await store.read(queries.server_setting, 10, "reminders") == "on"
    assert await store.read(queries.player_setting, 11, "reminders") is None
    await store.write(queries.put_player_setting, 10, "reminders", None)
    assert await store.read(queries.player_setting, 10, "reminders") is None


async def test_a_closed_store_refuses_and_may_be_closed_again(store: Store) -> None:
    await store.close()
    await store.close()
    with pytest.raises(StoreError, match="shutting down"):
        await store.read(queries.load_match, INFO.id)
    with pytest.raises(StoreError, match="shutting down"):
        await store.write(queries.create_match, INFO)


async def test_numbers_out_of_range_are_refused(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.read(queries.open_matches_in, 1 << 70)


def test_printed_records_show_no_content() -> None:
    secret = StoredDraft(seat=0, answers=b"secret")
    assert "secret" not in repr(
        change(1, stored_commits=(commit(1, snapshot=b"secret"),), stored_drafts=(secret,))
    )


async def test_the_last_announced_commit_is_known(store: Store) -> None:
    await create_match(store)
    first = await store.read(queries.last_announcement, INFO.id)
    assert first is not None and (first.since, first.number) == (-1, 0)
    await store.write(
        queries.write_change,
        change(2, stored_commits=(commit(1), commit(2)), announce_up_to=2),
        own=store.own,
    )
    second = await store.read(queries.last_announcement, INFO.id)
    assert second is not None
    assert (second.since, second.number) == (0, 2)
    assert second.id > first.id
    assert await store.read(queries.last_announcement, "nothing1") is None


async def test_the_interaction_that_opened_a_lobby_is_known(store: Store) -> None:
    await store.write(
        queries.create_match, INFO, HandledInteraction(interaction=77, seat=0, since=0, number=0)
    )
    assert await store.read(queries.handled_interaction, INFO.id, 77) is not None
    assert await store.read(queries.handled_interaction, INFO.id, 78) is None
    with pytest.raises(Conflict):
        await store.write(
            queries.create_match,
            INFO,
            HandledInteraction(interaction=78, seat=0, since=0, number=0),
        )
    assert await store.read(queries.handled_interaction, INFO.id, 78) is None


async def test_one_running_match_per_kind_is_found(store: Store) -> None:
    running = replace(INFO, status=Status.RUNNING)
    kinds = [
        replace(running, id="older"),
        replace(running, id="newer"),
        replace(running, id="other", game="maori"),
        replace(running, id="alone", chairs=INFO.chairs[:1]),
        replace(running, id="chosen", settings={"map": "else"}),
        replace(INFO, id="lobby", game="conquest"),
        replace(INFO, id="over", game="polynesia", status=Status.FINISHED),
    ]
    for record in kinds:
        await store.write(queries.create_match, record)
    assert await store.read(queries.distinct_board_samples, 9, own=store.own) == [
        "chosen",
        "alone",
        "other",
        "newer",
    ]
    assert await store.read(queries.distinct_board_samples, 1, own=store.own) == ["chosen"]


async def test_an_unannounced_end_is_found(store: Store) -> None:
    for record in (
        replace(INFO, id="told"),
        replace(INFO, id="untold", result_unannounced=True, seating=(11, 0, 10)),
    ):
        await store.write(queries.create_match, record)
    assert await store.read(queries.matches_with_unannounced_result, own=store.own) == ["untold"]
    assert (await load(store, "untold")).record.seating == (11, 0, 10)
    await store.write(
        queries.write_change, change_to(replace(INFO, id="untold", version=1)), own=store.own
    )
    assert await store.read(queries.matches_with_unannounced_result, own=store.own) == []


async def test_jobs_are_written_with_the_change(store: Store) -> None:
    await create_match(store)
    await store.write(
        queries.schedule, Job("bell", 5, INFO.id, 10), Job("bell", 6, INFO.id, 11), Job("gong", 3)
    )
    await store.write(
        queries.write_change,
        change(2, jobs=(Job("bell", 9, INFO.id, 10, {"a": 1}),), cancelled_jobs=(("bell", 11),)),
        own=store.own,
    )
    with pytest.raises(Conflict):
        await store.write(
            queries.write_change,
            change(2, jobs=(Job("bell", 1, INFO.id, 12),), cancelled_jobs=(("bell", 10),)),
            own=store.own,
        )
    assert [
        (due.kind, due.at, due.user, due.facts) for due in await store.read(queries.jobs, INFO.id)
    ] == [("bell", 9, 10, {"a": 1})]
    assert [due.kind for due in await store.read(queries.due_jobs, 9, 1, own=store.own)] == ["gong"]
    assert await store.read(queries.next_job_at, own=store.own) == 3


async def test_jobs_do_not_wait_for_earlier_reminders(store: Store) -> None:
    reminders = [Job("remind", 5, INFO.id, user) for user in (10, 11, 12)]
    await store.write(queries.schedule, *reminders, Job("bell", 6, INFO.id))
    due = await store.read(queries.due_jobs, 6, 2, own=store.own)
    assert [job.kind for job in due] == ["bell", "remind"]


async def test_a_job_cancelled_or_rescheduled_meanwhile_is_not_replaced(store: Store) -> None:
    await store.write(queries.schedule, Job("bell", 5, INFO.id, 10))
    bell = await store.read(queries.find_job, "bell", INFO.id, 10)
    assert bell is not None and await store.read(queries.find_job, "bell", INFO.id) is None
    assert await store.write(queries.replace_job, bell, replace(bell, at=7))
    assert not await store.write(queries.replace_job, bell, replace(bell, at=8))
    assert [job.at for job in await store.read(queries.jobs, INFO.id)] == [7]


async def test_both_databases_have_the_same_tables(
    tmp_path: Path, emptied: Callable[[], str]
) -> None:
    store = await SqliteStore.open(tmp_path / "motu.sqlite3")
    columns = (
        "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p "
        "WHERE m.type = 'table'"
    )
    ours = await store.read(lambda db: db.execute(f"{columns} ORDER BY m.name, p.cid").fetchall())
    await store.close()
    columns = (
        "SELECT table_name, column_name FROM information_schema.columns WHERE "
        "table_schema = current_schema()"
    )
    with psycopg.connect(emptied()) as connection:
        theirs = connection.execute(
            f"{columns} ORDER BY table_name, ordinal_position".encode()
        ).fetchall()
    theirs = [row for row in theirs if row[0] not in ("written", "reserved")]
    assert theirs == [row for row in ours if row[0] != "sqlite_sequence"]


async def test_a_person_is_found_and_forgotten(store: Store) -> None:
    ana, former = 10, Person(-7, "a former player")
    notes = (
        SeatChange(
            seat=1, since=4, user=COMPUTER, name="Ana", was=ana, was_name="Ana", why="removed"
        ),
    )
    clocks = TableClocks(seats=(SeatClock(ana, 60), SeatClock(11, 70)))
    told = replace(
        INFO, seat_changes=notes, clocks=clocks, seating=(ana, 11), terms=Terms(hints=(ana,))
    )
    told = replace(told, chairs=(INFO.chairs[0], Person(COMPUTER, "Ana"), INFO.chairs[2]))
    await store.write(queries.create_match, told)
    vote = Vote(
        match=INFO.id,
        number=1,
        kind="pause",
        by=told.chairs[0],
        chairs=told.chairs,
        opened=1,
        ends=2,
    )
    change = change_to(
        replace(told, version=1),
        seats_changed=True,
        stored_commits=(commit(0), commit(1)),
        clocks=clocks,
        stored_drafts=(StoredDraft(seat=0, answers=b"[]"), StoredDraft(seat=2, answers=b"[]")),
        writes=(
            Write(
                vote_queries.put_vote,
                (replace(vote, said={ana: "yes", 11: "no"}, why="Ana has left"),),
            ),
        ),
    )
    await store.write(queries.write_change, change, own=store.own)
    await store.write(
        queries.create_match, replace(INFO, id="other234", host=11, chairs=(INFO.chairs[2],))
    )
    await store.write(put_note, INFO.id, ana, "north")
    await store.write(queries.put_player_setting, ana, "key", "value")
    await store.write(
        queries.schedule,
        Job("remind", 5, INFO.id, ana),
        Job("forget", 5, user=ana),
        Job("remind", 5, INFO.id, 11),
    )
    last = await store.read(personal.last_opened)
    assert await store.read(personal.matches_with, user=ana, after=0, until=last) == [INFO.id]
    assert await store.read(personal.matches_with, user=ana, after=last, until=last + 9) == []
    assert [(number, seat) for number, seat, _ in await store.read(personal.moves, INFO.id)] == [
        (1, 0)
    ]
    rows = await store.read(personal.own_rows, ana)
    assert rows["notes"] == [{"match_id": INFO.id, "user_id": ana, "note": "north"}]
    assert sorted(row["kind"] for row in rows["jobs"]) == ["forget", "remind"]
    for _ in range(2):
        await store.write(personal.forget_in, INFO.id, ana, former)
        await store.write(personal.forget_rows, ana, former, "forget")
    await store.scrub()
    found = await load(store)
    assert [(chair.id, chair.name) for chair in found.record.chairs[:2]] == [
        (-7, former.name),
        (COMPUTER, former.name),
    ]
    assert found.record.host == 11
    assert found.record.seating == (11,)
    assert found.record.terms.hints == (-7,)
    assert (
        found.record.seat_changes[0].was,
        found.record.seat_changes[0].was_name,
        found.record.seat_changes[0].name,
    ) == (-7, *[former.name] * 2)
    assert [clock.user for clock in found.record.clocks.seats] == [-7, 11]
    assert [clock.user for clock in (await store.read(queries.clocks_at, INFO.id, 1)).seats] == [
        -7,
        11,
    ]
    assert [draft.seat for draft in found.drafts] == [2]
    assert found.record.version > 1
    (vote,) = await store.read(vote_queries.votes, INFO.id)
    assert vote.by == former
    assert vote.chairs[0] == former
    assert vote.said == {-7: "yes", 11: "no"}
    assert vote.why == f"{former.name} has left"
    rows = await store.read(personal.own_rows, ana)
    assert [row["kind"] for row in rows.pop("jobs")] == ["forget"]
    assert not any(rows.values())
    assert [due.user for due in await store.read(queries.jobs, INFO.id)] == [11]


async def test_results_are_stored_rated_and_listed(store: Store) -> None:
    finishes = simulate_matches(12, players=5, random=Random(4))
    for finish in finishes:
        record = replace(
            INFO,
            id=finish.match,
            game=finish.game,
            place=Place(finish.guild, 2),
            last_activity_at=finish.at,
        )
        record = replace(record, chairs=tuple(Person(one.user, one.name) for one in finish.results))
        await store.write(queries.create_match, record)
        ended = replace(record, status=Status.FINISHED, version=1)
        await store.write(
            queries.write_change,
            change_to(ended, writes=(Write(rating_queries.put_finish, (ended, finish.results)),)),
            own=store.own,
        )
        kept = await store.read(find_finish, finish.match)
        assert kept is not None and replace(kept, number=finish.number) == finish
    assert await store.read(rating_queries.has_unrated)
    waiting = [await store.read(find_finish, finish.match) for finish in finishes]
    known: dict[Rated, Rating] = {}
    for one in waiting:
        # One match after the other, each on top of those before it.
        assert one is not None and not await store.read(rating_queries.rating_changes, one.match)
        assert await store.write(rating_queries.rate_next, 1, GAMES) == 1
        changed = rating.rate_match(one, known)
        people = [result for result in one.results if result.user != COMPUTER]
        keys = {
            result.name: Rated(Pool.PEOPLE, GUILD, GAME, result.user)
            for result in sorted(people, key=lambda result: (result.place, result.seat))
        }
        told = [
            (change.name, change.was.sure, change.now.sure)
            for change in await store.read(rating_queries.rating_changes, one.match)
        ]
        assert told == [
            (name, known.get(key, Rating()).sure, changed[key].sure)
            for name, key in keys.items()
            if key in changed
        ]
        known |= changed
    users = {key.user for key in known}
    assert await store.write(rating_queries.rate_next, 1, GAMES) == 0
    assert await store.read(rating_queries.ratings, GUILD, GAME, users) == known
    board = Board(game=GAME, guild=GUILD, most=2)
    people = {
        key.user: worth
        for key, worth in known.items()
        if key.pool is Pool.PEOPLE and key.guild == GUILD
    }
    order = sorted(people, key=lambda user: -people[user].sure)
    listed = await store.read(rating_queries.board, board)
    assert [(one.user, one.place, one.rating) for one in listed] == [
        (user, place, people[user]) for place, user in enumerate(order[:2], 1)
    ]
    assert [
        one.place
        for one in await store.read(rating_queries.board, replace(board, besides=order[-1]))
    ] == [
        1,
        2,
        len(order),
    ]
    assert await store.read(rating_queries.board, replace(board, everywhere=True)) == listed
    levels = await store.read(rating_queries.board, replace(board, pool=Pool.COMPUTERS, guild=0))
    assert [(one.user, one.level) for one in levels] == [(COMPUTER, "steady")]
    await store.write(queries.put_player_setting, order[0], HIDDEN, "1")
    assert (await store.read(rating_queries.board, board))[0].user == order[1]
    for one in finishes:
        told = await store.read(rating_queries.rating_changes, one.match)
        assert known[Rated(Pool.PEOPLE, GUILD, GAME, order[0])].name not in {c.name for c in told}
    assert order[0] not in await store.read(rating_queries.people_known_to, order[1], GUILD)
    assert await store.read(queries.players_with_setting, HIDDEN, order) == {order[0]}
    one, other = order[:2]
    mine = [finish for finish in finishes if one in {result.user for result in finish.results}]
    assert [
        (played.at, played.place, played.people)
        for played in await store.read(rating_queries.played, user=one, guild=GUILD, game=GAME)
    ] == [
        (finish.at, result.place, sum(any_one.user != COMPUTER for any_one in finish.results))
        for finish in mine
        for result in finish.results
        if result.user == one
    ]
    assert await store.read(rating_queries.played, user=one, guild=None, game=None)
    assert not await store.read(rating_queries.played, user=one, guild=GUILD, game="maori")
    assert not await store.read(rating_queries.played, user=one, guild=GUILD + 1, game=None)
    player = await store.read(rating_queries.load_player, one, GUILD, GAME)
    company = {other.user for other in player.companions}
    assert company == {r.user for finish in mine for r in finish.results} - {one, COMPUTER}
    for guild, asker, is_known in ((GUILD, 0, True), (2, one, True), (2, 99, None)):
        assert await store.read(rating_queries.is_known, other, guild, asker) is is_known
    assert await store.read(rating_queries.is_known, one, GUILD, other) is None, "hidden"
    assert player.ratings[GAME] == people[one]
    await store.write(rating_queries.reset_ratings, "2")
    assert not await store.read(rating_queries.ratings, GUILD, GAME, users)
    assert await store.write(rating_queries.rate_next, 9, GAMES) == 9
