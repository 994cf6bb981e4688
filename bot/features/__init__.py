"""What the bot can do, a module or a folder per feature.

catch_up         What somebody has missed, and notes to oneself
clock            Clocks: how much time players have, and what happens when it runs out
films            Matches as films
games            Somebody's matches at a glance
help             Help and rules
history          Past moments and finished matches
lobby            Lobbies: opened, joined, set up and started; solo matches too
plans            Plans: a turn written down before it comes
play             Playing: the private panel, typed moves, and looking at the board
privacy          What is kept of a person: exported and deleted
ratings          Results, statistics and ratings
reminders        Reminders: who is told about a decision, when and how often
results_feed     Results told in a channel of the server's choice
review           How a finished match was won
rewind           Turns taken back, and matches rewound by vote
seats            Seats that change hands during a match
server_settings  What a server has chosen
silence          Matches in which nothing happens: the table is asked what to do
standing_orders  Standing orders that answer after a while
thinning         Old positions of finished matches, thinned out
vacation         Vacations: days on which somebody's clocks wait
votes            Votes: what a table decides together
"""
