-- How somebody is called to a decision that waits for them; with no match, to all that waits for them. 'wanted' is the
-- call to be made now, 'message' one that stands, 'over' is 1 when the decision is theirs no more.
CREATE TABLE call (
    match TEXT NOT NULL,
    user INTEGER NOT NULL,
    times INTEGER NOT NULL,
    wanted TEXT NOT NULL,
    since INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    over INTEGER NOT NULL,
    PRIMARY KEY (match, user)
) WITHOUT ROWID;
CREATE INDEX call_of_user ON call (user);
CREATE INDEX call_wanted ON call (since) WHERE wanted != '';

-- Whoever has sat at a table needs no welcome.
INSERT OR IGNORE INTO player_setting SELECT DISTINCT user, 'welcomed', '1' FROM seat WHERE user != 0;
