"""The connection to Discord: the client, its shards and its requests.

client.py  discord.py's client: requests, commands, login and connection, shards, departure
claim.py   the claim of this process to its shards: taken, kept, lost and regained
"""
