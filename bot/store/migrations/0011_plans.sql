-- What seats have planned for their next turn, as JSON: a secret of each.
ALTER TABLE match ADD COLUMN plans TEXT NOT NULL DEFAULT '[]';
