-- Computers have characters, which are rated one by one.

ALTER TABLE results ADD COLUMN character TEXT NOT NULL DEFAULT '';

-- All ratings are computed again from the results, so none has to be copied.
DROP TABLE ratings;

-- Current ratings of people, and in a separate pool of computers by level and character, on a
-- server or over all servers (0). Players are ranked by `sure`.
CREATE TABLE ratings (
    pool TEXT NOT NULL,
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    level TEXT NOT NULL,
    character TEXT NOT NULL,
    name TEXT NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    sure REAL NOT NULL,
    matches INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (pool, guild, game, user_id, level, character)
) WITHOUT ROWID;
CREATE INDEX ratings_in_order ON ratings (pool, guild, game, sure);
