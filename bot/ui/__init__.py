"""The toolkit that every feature's Discord side shares.

feature.py      what a feature declares
client.py       what features may ask of the discord.py client
components.py   buttons and menus that somebody presses
parts.py        buttons, menus and embeds as they are sent, and Discord's limits on them
reply.py        interactions admitted, acknowledged and answered; the one place where errors become words
late_edits.py   edits of a private message that follow when more is known
long_jobs.py    work of a minute or so, with progress and a way to stop it
completion.py   suggestions while somebody types
commands.py     slash commands, declared by their names
which_match.py  which match an interaction means
describe.py     a match and its terms in words
names.py        names of people, made harmless
pictures.py     boards and sheets, drawn off the event loop
permissions.py  what the bot and its users may do in a channel
error_codes.py  Discord's error codes
rate.py         how fast the bot may talk to Discord
"""
