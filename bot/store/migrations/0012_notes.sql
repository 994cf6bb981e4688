-- What people have noted for themselves in a match.
CREATE TABLE note (
    match TEXT NOT NULL REFERENCES match (id),
    user INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (match, user)
) WITHOUT ROWID;

-- Open tables of a server, and how many it has.
CREATE INDEX match_in_guild ON match (guild, open);
