-- When each shard of the bot was last seen at work, by how many shards there were then.
CREATE TABLE beat (
    shards INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (shards, shard)
) WITHOUT ROWID;
INSERT INTO beat SELECT 1, 0, at FROM heartbeat;
DROP TABLE heartbeat;

-- Whose servers the bot was away for: the first to the last of so many shards.
ALTER TABLE absence ADD COLUMN first_shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE absence ADD COLUMN last_shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE absence ADD COLUMN shards INTEGER NOT NULL DEFAULT 1;

-- Until when a process has a call in hand that any of them may make.
ALTER TABLE call ADD COLUMN taken INTEGER NOT NULL DEFAULT 0;
