-- Matches that have ended with a result, in the order in which they did. 'rated' is 1 once the ratings know of one.
CREATE TABLE finish (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    match TEXT NOT NULL UNIQUE REFERENCES match (id),
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    seats INTEGER NOT NULL,
    at INTEGER NOT NULL,
    rated INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX finish_unrated ON finish (number) WHERE rated = 0;
CREATE INDEX finish_here ON finish (guild, game);

-- What came of it for whoever sat at the table; user 0 is a computer. 'has_left' is 1 for somebody who left before the
-- end, 'came_late' for somebody who took a seat over, 'counts' if ratings may change by it. The rating that somebody has
-- from then on: on the server, and over all. Worked out anew by `motu ratings`.
CREATE TABLE result (
    number INTEGER NOT NULL REFERENCES finish (number),
    seat INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    level TEXT NOT NULL,
    place INTEGER NOT NULL,
    score REAL NOT NULL,
    kind TEXT NOT NULL,
    has_left INTEGER NOT NULL,
    came_late INTEGER NOT NULL,
    counts INTEGER NOT NULL,
    here_mu REAL,
    here_sigma REAL,
    mu REAL,
    sigma REAL,
    PRIMARY KEY (number, seat, user)
) WITHOUT ROWID;
CREATE INDEX result_of_user ON result (user, number) WHERE user != 0;

-- Ratings as they stand, of people and, apart from them, of computers by their level: on a server, and over all (0).
-- 'sure' is what they are ranked by.
CREATE TABLE rating (
    pool TEXT NOT NULL,
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    user INTEGER NOT NULL,
    level TEXT NOT NULL,
    name TEXT NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    sure REAL NOT NULL,
    matches INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (pool, guild, game, user, level)
) WITHOUT ROWID;
CREATE INDEX rating_board ON rating (pool, guild, game, sure);

-- The results of matches that have ended before are worked out when the bot has started.
INSERT INTO finish (match, guild, game, seats, at)
    SELECT id, guild, game, (SELECT count(*) FROM seat WHERE seat.match = match.id), touched
    FROM match WHERE status = 'finished' ORDER BY touched, opened;
