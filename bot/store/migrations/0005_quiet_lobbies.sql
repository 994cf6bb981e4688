-- When somebody last did something in a lobby, in seconds since 1970: one that is left alone is closed some day.
ALTER TABLE match ADD COLUMN touched INTEGER NOT NULL DEFAULT 0;
UPDATE match SET touched = CAST(strftime('%s', 'now') AS INTEGER);
CREATE INDEX match_quiet ON match (touched) WHERE status = 'lobby';
