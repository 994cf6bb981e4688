"""Soak test: scripted people play many matches while real bots are killed at random.

`python -m tests.soak --matches 100 --processes 4 --database postgres --minutes 10 --kills 50`
plays, and then checks in the database and in everything posted that nothing was lost, doubled,
stuck, or shown to the wrong person.

ledger.py  records what people did, how each press ended, and what anybody was shown
people.py  scripted people, who see what people see and press random controls
fleet.py   starts, kills and watches the bots and their database
faults.py  other faults of the bots; proxy.py is the way to the database that is cut
proof.py   the checks at the end
report.py  the table and the plot
"""
