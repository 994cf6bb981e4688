"""The toolkit that every feature's Discord side shares.

Receive
  client.py       MotuClient and MotuInteraction; `service` finds what a feature offers
  feature.py      Feature: what a feature declares
  commands.py     slash commands, and what is offered while somebody types one
  components.py   Item: buttons and menus that somebody presses; edits that follow later
  which_match.py  which match, game or seat somebody means
  permissions.py  what the bot and its users may do in a channel
Answer
  reply.py        interactions admitted, acknowledged and answered; errors become words here
  long_jobs.py    work of a minute or so, with progress and a way to stop it
  rate.py         how fast the bot may send to Discord
  error_codes.py  Discord's error codes
Say
  parts.py        buttons, menus and embeds as they are sent, and Discord's limits on them
  describe.py     a match and its terms in words
  names.py        names of people, made harmless
  pictures.py     boards and sheets, drawn off the event loop
"""
