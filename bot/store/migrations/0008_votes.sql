-- The votes of a table, each as JSON. 'told' is 1 once it is decided and its message says so.
CREATE TABLE vote (
    match TEXT NOT NULL REFERENCES match (id),
    number INTEGER NOT NULL,
    told INTEGER NOT NULL,
    asked TEXT NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE INDEX vote_untold ON vote (match) WHERE told = 0;
