-- Motu 0.9.0. Times are in seconds since 1970, ids of servers, channels, messages and people are Discord's.

-- Matches (kernel) ----------------------------------------------------------------------------------------------------

-- Lobbies, matches in play and those that have ended. `record` is the whole MatchRecord as JSON; the columns beside it are
-- what matches are searched by, or what changes by itself: `version` and the messages are newer than those in `record`.
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

-- The people of a match, for searches by person: those who sit in it, and those who are awaited in a rematch.
CREATE TABLE seats (
    match_id TEXT NOT NULL REFERENCES matches (id),
    user_id INTEGER NOT NULL,
    is_seated BOOLEAN NOT NULL,
    is_open BOOLEAN NOT NULL,
    PRIMARY KEY (match_id, user_id)
) WITHOUT ROWID;
CREATE INDEX seats_of_user ON seats (user_id, is_open);

-- The log, a row for each commit; number 0 is the set-up. `position` is NULL once it was thinned out of a match that has
-- ended. It is large and stands last, so that the rest is read without it.
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

-- Interactions that were carried out, so that a repeat is known.
CREATE TABLE interactions (
    match_id TEXT NOT NULL REFERENCES matches (id),
    id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    since INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (match_id, id)
) WITHOUT ROWID;

-- Public posts: each tells of the commits after `since` up to `number`.
CREATE TABLE announcements (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id TEXT NOT NULL REFERENCES matches (id),
    since INTEGER NOT NULL,
    number INTEGER NOT NULL,
    is_posted BOOLEAN NOT NULL DEFAULT FALSE,
    UNIQUE (match_id, number)
);
CREATE INDEX announcements_pending ON announcements (id) WHERE NOT is_posted;

-- Jobs (kernel) -------------------------------------------------------------------------------------------------------

-- What is to happen at a time, one of each kind for a match ('' for none) and a person (0 for none). `wake_at` is when it
-- is tried: later than `run_at` if it has failed. `guild` is NULL if any process may run it.
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

-- When each shard of the bot was last seen at work, by how many shards there were then.
CREATE TABLE heartbeats (
    shards INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (shards, shard)
) WITHOUT ROWID;

-- When the bot was away for the servers of these shards: no player's time runs then.
CREATE TABLE absences (
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    first_shard INTEGER NOT NULL,
    last_shard INTEGER NOT NULL,
    shards INTEGER NOT NULL
);
CREATE INDEX absences_by_end ON absences (until);

-- Settings (kernel) ---------------------------------------------------------------------------------------------------

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

-- Votes ---------------------------------------------------------------------------------------------------------------

-- `vote` is the whole Vote as JSON. `is_posted` once it is decided and its message says so.
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

-- Notes (catch_up) ----------------------------------------------------------------------------------------------------

CREATE TABLE notes (
    match_id TEXT NOT NULL REFERENCES matches (id),
    user_id INTEGER NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (match_id, user_id)
) WITHOUT ROWID;

-- Results and ratings -------------------------------------------------------------------------------------------------

-- Matches that have ended with a result, in the order in which they did.
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

-- What came of a match for whoever sat at the table; user 0 is a computer. The ratings are those that somebody has from
-- then on: on the server, and everywhere.
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

-- Ratings as they stand, of people and, apart from them, of computers by their level: on a server, and everywhere (0).
-- `sure` is what they are ranked by.
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
