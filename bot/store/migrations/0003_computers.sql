-- How well a computer plays; '' for a person, and for a computer of an older database.
ALTER TABLE seat ADD COLUMN level TEXT NOT NULL DEFAULT '';

-- What the table has agreed on besides the game's settings, as JSON.
ALTER TABLE match ADD COLUMN terms TEXT NOT NULL DEFAULT '{}';
