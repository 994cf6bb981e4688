"""What the bot can do, a module or a folder per feature.

catch_up         /catchup shows what a player has missed; /note keeps a private note
clock            what happens when a player's time runs out, and votes on time limits
films            films of matches
games            /games lists a person's matches and the tables they can join
help             /help and /rules
history          past moments of matches, and finished matches as files
lobby            opens, sets up and starts matches; also solo matches and rematches
plans            /plan prepares a turn that is played when it comes
play             the private panel, typed moves, and looking at the board
poster           /poster shows a finished match as one picture
privacy          exports or deletes everything stored about a person
ratings          results, statistics and ratings
reminders        notifies players of decisions they owe
results_feed     posts results to a channel that the server has chosen
review           /review tells how a finished match was won
rewind           takes back turns, and rewinds matches by vote
seats            seats that change hands during a match
server_settings  /settings of a server
silence          has the players of a silent match vote on what to do
standing_orders  answers by standing order, after a delay
status_card      a message that shows which matches of a server wait for whom
thinning         deletes most positions of ended matches
vacation         vacations, during which a player's clocks wait
votes            decisions that the players of a match take together
"""
