-- 'untold' is 1 while the lobby's message and the thread's name do not yet say how a match has ended. 'seating' are the
-- users of the match that this one is a rematch of, in the order in which they shall sit, as a JSON list.
ALTER TABLE match ADD COLUMN untold INTEGER NOT NULL DEFAULT 0;
ALTER TABLE match ADD COLUMN seating TEXT NOT NULL DEFAULT '[]';
CREATE INDEX match_untold ON match (id) WHERE untold = 1;
