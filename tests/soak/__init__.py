"""Many matches at once, played by scripted people against real bots that are killed at random: is
nothing lost?

`python -m tests.soak --matches 100 --processes 4 --database postgres --minutes 10 --kills 50`
plays, then proves from the database and from all that was posted that nothing was lost, doubled,
stuck or told to the wrong person.

- `ledger.py`: what people did and what came of it, and all that was shown, noted as it happens
- `people.py`: the scripted people; they see what people see, and press what is offered at random
- `fleet.py`: the bots and their database, and what kills them
- `faults.py`: what else goes wrong with them; `proxy.py` is the way to the database that is cut
- `proof.py`: what must hold at the end
- `report.py`: the table and the plot
"""
