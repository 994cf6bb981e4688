"""The toolkit that every feature's Discord side shares.

feature.py          what a feature declares
client.py           what features may ask of the discord.py client
admission.py        which interactions are handled
components.py       buttons and menus that somebody presses
commands.py         where slash commands are offered
reply.py            private answers, and the one place where errors become words
late_edits.py       edits of a private message that follow when more is known
long_jobs.py        work of a minute or so, with progress and a way to stop it
completion.py       suggestions while somebody types
which_match.py      which match an interaction means
parts.py            buttons and menus as plain values, and Discord's limits on them
views.py            the same as discord.py sends them
games_buttons.py    custom ids of the buttons under /games
plan_buttons.py     custom ids of the buttons under a plan
describe.py         a match in words
pace_words.py       a table's terms about time in words
names.py            names of people, made harmless
people.py           people as matches keep them
hidden_players.py   players who are named only at their own tables
embeds.py           embeds in the bot's colour
pictures.py         boards and sheets, drawn off the event loop
warm_up.py          boards drawn before anybody asks for one
hosting.py          whether a match may be played in a place
permissions.py      what the bot may do in a channel
results_channel.py  the channel in which a server wants results posted
error_codes.py      Discord's error codes
rate.py             how fast the bot may talk to Discord
"""
