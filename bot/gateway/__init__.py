"""The connection to Discord: the client, its shards and its requests.

client.py  discord.py's client: login and connection, retried while Discord is out of reach; shards; departure
claim.py   the claim of this process to its shards: taken, kept, lost and regained
http.py    requests to Discord: a shared budget, timeouts, silence without a claim
tree.py    the tree of commands, with one place for their errors
"""
