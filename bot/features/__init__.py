"""What the bot can do, a module or a folder per feature.

Each can be removed from FEATURES (bot/feature_list.py), and the bot works without it.

catch_up         /catchup shows what a player has missed; /note keeps a private note
clock            what happens when a player's time runs out, and votes on time limits
films            /replay and the film of a match's end: animated replays
games            /games lists a person's matches and those they can join
help             /help and /rules
history          shows past moments of matches, and exports finished matches as files
lobby            opens, sets up and starts matches; also solo matches and rematches
plans            /plan prepares a turn that is played as soon as it is the player's turn
play             the private panel, typed moves, and looking at the board
poster           /poster shows a finished match as one picture
privacy          exports or deletes everything stored about a person
ratings          results, statistics and ratings
reminders        reminds players of pending decisions
results_feed     posts results to a channel that the server has chosen
review           /review explains how a finished match was won
rewind           takes back turns, and rewinds matches by vote
seats            /replace: seats that change hands during a match
server_settings  /settings of a server
silence          lets the players of a silent match vote on what to do
standing_orders  answers by standing order, after a delay
status_card      a message that shows whose turn it is in the matches of a server
thinning         deletes most positions of ended matches
vacation         vacations, during which a player's clocks wait
votes            decisions that the players of a match take together
"""
