"""The protocol that every game follows, and what all games share.

game.py        what a game is; decision.py what it asks and is answered, event.py what it tells
steps.py       most of it for games whose turns are a stack of steps
table.py       the dice
match.py       a play of a game; position.py, record.py its parts: a state, commits and drafts
errors.py      all that can be refused
catalog.py     the games there are
save.py        a match as JSON, and saves of older versions; decoding.py must come before threads read them
story.py       a match told whole; transcript.py the same as a text, which notation.py reads
remark.py      what can be told of a match that has ended
secrecy.py     what a commit has given away
words.py       what is said, from text/; template.py the language in which it is written
escape.py      text that people typed, made safe to repeat
"""
