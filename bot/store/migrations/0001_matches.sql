-- A lobby or match. 'open' is 1 in the lobby, while running and while paused.
CREATE TABLE match (
    opened INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    status TEXT NOT NULL,
    open INTEGER NOT NULL,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    thread INTEGER NOT NULL,
    wants_thread INTEGER NOT NULL,
    host INTEGER NOT NULL,
    settings TEXT NOT NULL,
    commitment TEXT NOT NULL,
    paused_for TEXT NOT NULL,
    unattended INTEGER NOT NULL DEFAULT 0,
    version INTEGER NOT NULL
);
CREATE INDEX match_in_channel ON match (channel, open);
CREATE INDEX match_in_thread ON match (thread, open);
CREATE INDEX match_unattended ON match (unattended, open);

-- A chair; user 0 is a computer.
CREATE TABLE seat (
    match TEXT NOT NULL REFERENCES match (id),
    seat INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    open INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE INDEX seat_of_user ON seat (user, open);

CREATE TABLE match_commit (
    match TEXT NOT NULL REFERENCES match (id),
    number INTEGER NOT NULL,
    rules INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    answers BLOB NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;

-- What a commit told; number 0 is what the set-up told.
CREATE TABLE event (
    match TEXT NOT NULL REFERENCES match (id),
    number INTEGER NOT NULL,
    rules INTEGER NOT NULL,
    told BLOB NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;

CREATE TABLE snapshot (
    match TEXT NOT NULL REFERENCES match (id),
    number INTEGER NOT NULL,
    position BLOB NOT NULL,
    PRIMARY KEY (match, number)
);

CREATE TABLE draft (
    match TEXT NOT NULL REFERENCES match (id),
    seat INTEGER NOT NULL,
    answers BLOB NOT NULL,
    cut INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;

-- Discord messages that are edited later: the lobby's, and the one that carries the buttons of the turn.
CREATE TABLE message (
    match TEXT NOT NULL REFERENCES match (id),
    kind TEXT NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (match, kind)
) WITHOUT ROWID;

-- Public posts, due while 'posted' is 0.
CREATE TABLE announcement (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match TEXT NOT NULL REFERENCES match (id),
    since INTEGER NOT NULL,
    number INTEGER NOT NULL,
    posted INTEGER NOT NULL DEFAULT 0,
    UNIQUE (match, number)
);
CREATE INDEX announcement_due ON announcement (posted, match);

-- Interactions that were carried out, so that a repeat is known.
CREATE TABLE interaction (
    match TEXT NOT NULL REFERENCES match (id),
    id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    since INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (match, id)
) WITHOUT ROWID;
