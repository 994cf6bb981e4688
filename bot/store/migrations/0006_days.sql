-- What is to happen at a given time, in seconds since 1970. There is one row for each kind of thing, match ('' for none)
-- and user (0 for none). 'at' is when it is due, 'wake' when it is tried: later, if it has failed 'tries' times.
CREATE TABLE due (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    match TEXT NOT NULL,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,
    wake INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    facts TEXT NOT NULL,
    UNIQUE (kind, match, user)
);
CREATE INDEX due_wake ON due (wake);
CREATE INDEX due_of_match ON due (match);

-- When the bot was last seen at work; at most one row.
CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
);

-- When the bot was away: no player's time runs then.
CREATE TABLE absence (
    since INTEGER NOT NULL,
    until INTEGER NOT NULL
);
CREATE INDEX absence_until ON absence (until);

-- How much time the players of a match have left, as JSON; and what they had left at each commit, should it be gone back to.
ALTER TABLE match ADD COLUMN clocks TEXT NOT NULL DEFAULT '{}';
CREATE TABLE clock (
    match TEXT NOT NULL REFERENCES match (id),
    number INTEGER NOT NULL,
    clocks TEXT NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;

-- The votes of a table, each as JSON. 'told' is 1 once it is decided and its message says so.
CREATE TABLE vote (
    match TEXT NOT NULL REFERENCES match (id),
    number INTEGER NOT NULL,
    told INTEGER NOT NULL,
    asked TEXT NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE INDEX vote_untold ON vote (match) WHERE told = 0;

-- Who has come into whose chair since the match began, and from which commit on, as JSON.
ALTER TABLE match ADD COLUMN sat TEXT NOT NULL DEFAULT '[]';

-- When something last happened is told of matches too, and after two weeks of silence the table is asked.
UPDATE match SET touched = CAST(strftime('%s', 'now') AS INTEGER) WHERE status != 'lobby' AND open = 1;
INSERT INTO due (kind, match, user, at, wake, facts)
    SELECT 'silence', id, 0, touched + 1209600, touched + 1209600, '{}' FROM match WHERE status != 'lobby' AND open = 1;

-- How somebody is called to a decision that waits for them; with no match, to all that waits for them. 'wanted' is the
-- call to be made now, 'message' one that stands, 'over' is 1 when the decision is theirs no more.
CREATE TABLE call (
    match TEXT NOT NULL,
    user INTEGER NOT NULL,
    times INTEGER NOT NULL,
    wanted TEXT NOT NULL,
    since INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    over INTEGER NOT NULL,
    PRIMARY KEY (match, user)
) WITHOUT ROWID;
CREATE INDEX call_of_user ON call (user);
CREATE INDEX call_wanted ON call (since) WHERE wanted != '';

-- Whoever is waited for already is reminded once more a day from now, whoever is not then is not.
INSERT INTO call (match, user, times, wanted, since, channel, message, over)
    SELECT match, user, 1, '', 0, 0, 0, 0 FROM seat WHERE user != 0
    AND match IN (SELECT id FROM match WHERE status != 'lobby' AND open = 1);
INSERT INTO due (kind, match, user, at, wake, facts)
    SELECT 'remind', match, user, at, at, '{}'
    FROM (SELECT match, user, CAST(strftime('%s', 'now') AS INTEGER) + 86400 AS at FROM call);

-- Whoever has sat at a table needs no welcome.
INSERT OR IGNORE INTO player_setting SELECT DISTINCT user, 'welcomed', '1' FROM seat WHERE user != 0;

-- What seats have planned for their next turn, as JSON: a secret of each.
ALTER TABLE match ADD COLUMN plans TEXT NOT NULL DEFAULT '[]';

-- What people have noted for themselves in a match.
CREATE TABLE note (
    match TEXT NOT NULL REFERENCES match (id),
    user INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (match, user)
) WITHOUT ROWID;

-- Open tables of a server, and how many it has.
CREATE INDEX match_in_guild ON match (guild, open);
