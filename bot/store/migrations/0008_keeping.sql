-- 'thinned' is 1 once a match has ended and of its snapshots only the first, the last and every 20th are kept.
ALTER TABLE match ADD COLUMN thinned INTEGER NOT NULL DEFAULT 0;
CREATE INDEX match_to_thin ON match (touched) WHERE open = 0 AND thinned = 0;

-- What is looked for at a start, however many matches have ended.
CREATE INDEX match_open ON match (status) WHERE open = 1;
CREATE INDEX match_cannot_post ON match (id) WHERE paused_for != '';
