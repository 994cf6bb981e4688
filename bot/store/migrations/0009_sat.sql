-- Who has come into whose chair since the match began, and from which commit on, as JSON.
ALTER TABLE match ADD COLUMN sat TEXT NOT NULL DEFAULT '[]';

-- When something last happened is told of matches too, and after two weeks of silence the table is asked.
UPDATE match SET touched = CAST(strftime('%s', 'now') AS INTEGER) WHERE status != 'lobby' AND open = 1;
INSERT INTO due (kind, match, user, at, wake, facts)
    SELECT 'silence', id, 0, touched + 1209600, touched + 1209600, '{}' FROM match WHERE status != 'lobby' AND open = 1;
