-- Computers have characters, which are rated one by one.

ALTER TABLE results ADD COLUMN character TEXT NOT NULL DEFAULT '';

-- All ratings are computed again from the results, so none has to be copied.
DROP TABLE ratings;

-- Current ratings of people, and in a separate pool of computers by level and character, on a
-- server or over all servers (0). Players are ranked by `sure`.
CREATE TABLE ratings (
    pool TEXT NOT NULL,
    guild BIGINT NOT NULL,
    game TEXT NOT NULL,
    user_id BIGINT NOT NULL,
    level TEXT NOT NULL,
    character TEXT NOT NULL,
    name TEXT NOT NULL,
    mu DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL,
    sure DOUBLE PRECISION NOT NULL,
    matches BIGINT NOT NULL,
    wins BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (pool, guild, game, user_id, level, character)
);
CREATE INDEX ratings_in_order ON ratings (pool, guild, game, sure);
