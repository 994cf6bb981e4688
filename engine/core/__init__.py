"""The protocol that every game follows, and what all games share.

game.py        the interface of a game; decision.py its questions, event.py what it reports
steps.py       a base for games whose turns are a stack of steps
table.py       dice and shuffles
match.py       a match; position.py, record.py its parts: a state, commits and drafts
errors.py      everything that can be refused
catalog.py     the list of games
save.py        matches as JSON, with migrations; decoding.py prepares this for threads
story.py       a whole match in words; transcript.py writes it as text, notation.py reads that
remark.py      facts worth telling about a finished match
secrecy.py     whether a turn has given anything away
typed.py       reads turns that players type; perspective.py what one seat sees, in words
words.py       all texts, from text/; template.py how they are written
escape.py      text that people typed, made safe to repeat
"""
