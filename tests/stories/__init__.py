"""Stories: every text of one whole match of each game, in order, as people read it.

A match is played through the real bot: Ana presses the buttons of her panel, Bea types her moves.
`<game>.player.md` is everything that Ana reads, `<game>.spectator.md` everything that somebody
reads who only watches. The moves are fixed (`moves/<game>.txt`), so a story changes only when the
texts do. Read the difference like a story, then write the files anew:

    python -m tests.stories [game …]
"""
