"""What the bot says. In come rooms and events, out goes text for people.

describe.py   a match in words: what happened, whose turn it is, how it ended
names.py      what people wrote, made harmless
"""
