"""The protocol that every game follows, and what all games share.

game.py        the interface of a game; decision.py its questions, event.py what it reports
steps.py       a base for games whose turns are a stack of steps
table.py       dice and shuffles
match.py       a match; position.py, record.py its parts: a state, commits and drafts
errors.py      everything that can be refused
catalog.py     the list of games
save.py        matches as JSON, with migrations; decoding.py prepares msgspec for threads
story.py       a whole match in words; transcript.py writes it as text, notation.py parses that text
remark.py      remarkable facts about a finished match
secrecy.py     whether a turn has revealed anything, and so whether it can be taken back
typed.py       reads turns that players type; perspective.py puts what one seat sees into words
words.py       all texts, from text/; template.py their template language
escape.py      makes text that people typed safe to repeat

Saved matches hold the fields of Commit, Answer and save.Envelope, and transcripts the notation:
neither is ever renamed. Everything else may change as long as the tests pass.
"""
