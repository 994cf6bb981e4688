-- How much time the players of a match have left, as JSON; and what they had left at each commit, should it be gone back to.
ALTER TABLE match ADD COLUMN clocks TEXT NOT NULL DEFAULT '{}';
CREATE TABLE clock (
    match TEXT NOT NULL REFERENCES match (id),
    number INTEGER NOT NULL,
    clocks TEXT NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
