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
