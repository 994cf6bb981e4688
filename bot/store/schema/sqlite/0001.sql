-- The schema of Motu 0.9.0. Times are in seconds since 1970; ids of servers, channels, messages and
-- people are Discord's.

-- Matches (kernel) --------------------------------------------------------------------------------

-- Lobbies, matches in play, and ended matches. `record` is the whole MatchRecord as JSON. The other
-- columns repeat what matches are searched by, or hold what is updated without `record`: `version`
-- and the messages here are newer than those in it.
CREATE TABLE matches (
    opened INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'lobby',
    is_open BOOLEAN NOT NULL DEFAULT TRUE,
    guild INTEGER NOT NULL DEFAULT 0,
    channel INTEGER NOT NULL DEFAULT 0,
    thread INTEGER NOT NULL DEFAULT 0,
    host INTEGER NOT NULL DEFAULT 0,
    last_activity_at INTEGER NOT NULL DEFAULT 0,
    paused_for TEXT NOT NULL DEFAULT '',
    result_unannounced BOOLEAN NOT NULL DEFAULT FALSE,
    awaits_computer BOOLEAN NOT NULL DEFAULT FALSE,
    thinned BOOLEAN NOT NULL DEFAULT FALSE,
    lobby_message INTEGER NOT NULL DEFAULT 0,
    turn_message INTEGER NOT NULL DEFAULT 0,
    drafts TEXT NOT NULL DEFAULT '[]',
    record TEXT NOT NULL DEFAULT ''
);
CREATE INDEX matches_in_channel ON matches (channel, is_open);
CREATE INDEX matches_in_thread ON matches (thread, is_open);
CREATE INDEX matches_in_guild ON matches (guild, is_open);
CREATE INDEX matches_open ON matches (status) WHERE is_open;
CREATE INDEX matches_idle ON matches (last_activity_at) WHERE status = 'lobby';
CREATE INDEX matches_awaiting_computer ON matches (opened) WHERE awaits_computer;
CREATE INDEX matches_unable_to_post ON matches (id) WHERE paused_for != '';
CREATE INDEX matches_unannounced ON matches (id) WHERE result_unannounced;
CREATE INDEX matches_to_thin ON matches (last_activity_at) WHERE NOT is_open AND NOT thinned;

-- The people of a match, for searches by person: those seated in it, and those invited to a rematch
-- who have not joined yet.
CREATE TABLE seats (
    match_id TEXT NOT NULL REFERENCES matches (id),
    user_id INTEGER NOT NULL,
    is_seated BOOLEAN NOT NULL,
    is_open BOOLEAN NOT NULL,
    PRIMARY KEY (match_id, user_id)
) WITHOUT ROWID;
CREATE INDEX seats_of_user ON seats (user_id, is_open);

-- The log, a row for each commit; number 0 is the set-up. `position` is NULL if it was thinned out
-- of an ended match. It is the last column because it is large: that way the others are read
-- without it.
CREATE TABLE moves (
    match_id TEXT NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    rules INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    back_to INTEGER,
    answers BLOB NOT NULL,
    events BLOB NOT NULL,
    clocks TEXT,
    position BLOB,
    PRIMARY KEY (match_id, number)
);

-- Interactions that were handled, so that a repeated delivery is recognized.
CREATE TABLE interactions (
    match_id TEXT NOT NULL REFERENCES matches (id),
    id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    since INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (match_id, id)
) WITHOUT ROWID;

-- Public posts, sent or pending: each tells of the commits after `since` up to `number`.
CREATE TABLE announcements (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id TEXT NOT NULL REFERENCES matches (id),
    since INTEGER NOT NULL,
    number INTEGER NOT NULL,
    is_posted BOOLEAN NOT NULL DEFAULT FALSE,
    UNIQUE (match_id, number)
);
CREATE INDEX announcements_pending ON announcements (id) WHERE NOT is_posted;

-- Jobs (kernel) -----------------------------------------------------------------------------------

-- Work scheduled for a time: at most one job of each kind for a match ('' for none) and a person (0
-- for none). It runs at `wake_at`, which is later than `run_at` after a failure or while a process
-- has reserved it. `guild` is NULL if any process may run it.
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    match_id TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    guild INTEGER,
    run_at INTEGER NOT NULL,
    wake_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    facts TEXT NOT NULL,
    UNIQUE (kind, match_id, user_id)
);
CREATE INDEX jobs_by_wake ON jobs (wake_at);
CREATE INDEX jobs_of_match ON jobs (match_id);

-- When each shard was last served, by the number of shards that the bot had then.
CREATE TABLE heartbeats (
    shards INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (shards, shard)
) WITHOUT ROWID;

-- Spans of time in which the bot was down for the servers of these shards. Players' clocks do not
-- run in them.
CREATE TABLE absences (
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    first_shard INTEGER NOT NULL,
    last_shard INTEGER NOT NULL,
    shards INTEGER NOT NULL
);
CREATE INDEX absences_by_end ON absences (until);

-- Settings (kernel) -------------------------------------------------------------------------------

CREATE TABLE player_settings (
    user_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (user_id, name)
) WITHOUT ROWID;

-- Server 0 stands for the bot itself.
CREATE TABLE server_settings (
    guild INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (guild, name)
) WITHOUT ROWID;

-- Votes -------------------------------------------------------------------------------------------

-- `vote` is the whole Vote as JSON. `is_posted` is true once the vote is decided and its message
-- shows the result.
CREATE TABLE votes (
    match_id TEXT NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    guild INTEGER NOT NULL,
    kind TEXT NOT NULL,
    is_open BOOLEAN NOT NULL,
    is_posted BOOLEAN NOT NULL,
    vote TEXT NOT NULL,
    PRIMARY KEY (match_id, number)
) WITHOUT ROWID;
CREATE INDEX votes_unposted ON votes (match_id) WHERE NOT is_posted;
CREATE INDEX votes_open ON votes (guild, kind) WHERE is_open;

-- Notes (catch_up) --------------------------------------------------------------------------------

CREATE TABLE notes (
    match_id TEXT NOT NULL REFERENCES matches (id),
    user_id INTEGER NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (match_id, user_id)
) WITHOUT ROWID;

-- Results and ratings -----------------------------------------------------------------------------

-- Matches that have ended with a result, in the order in which they ended.
CREATE TABLE finishes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id TEXT NOT NULL UNIQUE REFERENCES matches (id),
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    seats INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    is_rated BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX finishes_unrated ON finishes (number) WHERE NOT is_rated;
CREATE INDEX finishes_in_guild ON finishes (guild, game);

-- The result of a match for everyone who had a seat in it; user 0 is a computer. `here_mu`,
-- `here_sigma`, `mu` and `sigma` are the player's ratings after the match, on the server and over
-- all servers.
CREATE TABLE results (
    number INTEGER NOT NULL REFERENCES finishes (number),
    seat INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    level TEXT NOT NULL,
    place INTEGER NOT NULL,
    score REAL NOT NULL,
    kind TEXT NOT NULL,
    has_left BOOLEAN NOT NULL,
    came_late BOOLEAN NOT NULL,
    counts BOOLEAN NOT NULL,
    here_mu REAL,
    here_sigma REAL,
    mu REAL,
    sigma REAL,
    PRIMARY KEY (number, seat, user_id)
) WITHOUT ROWID;
CREATE INDEX results_of_user ON results (user_id, number) WHERE user_id != 0;

-- Current ratings of people, and in a separate pool of computers by level, on a server or over all
-- servers (0). Players are ranked by `sure`.
CREATE TABLE ratings (
    pool TEXT NOT NULL,
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    level TEXT NOT NULL,
    name TEXT NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    sure REAL NOT NULL,
    matches INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (pool, guild, game, user_id, level)
) WITHOUT ROWID;
CREATE INDEX ratings_in_order ON ratings (pool, guild, game, sure);
