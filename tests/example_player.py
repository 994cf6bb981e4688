"""A computer player in a few lines: it chooses by lot. Run it with
`motu play maori --player "python tests/example_player.py"`.
"""

import json
import random
import sys

for line in sys.stdin:
    question = json.loads(line)
    decision = question["decision"]
    keys = [option["key"] for option in decision["options"]]
    chosen = random.sample(keys, decision["at_least"]) if decision["at_least"] else keys[:1]
    print(json.dumps({"number": question["number"], "keys": chosen}), flush=True)
