"""The store: what must outlive a crash. Knows no rules, no match in play and no Discord.

A query is a plain function over a database, and lies beside its callers: in the kernel or in a
feature. `store.read` and `store.write` run it whole, in one transaction.

opening.py      whichever store is asked for
base.py         what every store can do: run a query whole
sql.py          statements for both databases, and a database as a query sees it
sqlite.py       the store in one SQLite file
postgres.py     the store in a PostgreSQL database at a postgres_url.py; postgres_schema.py makes and migrates it
postgres_connection.py  how a connection is made, how long it waits, and what its errors mean
shard_locks.py  which process serves which shards of a database that several share
schema.py       the file opened, checked and brought to the newest schema by the files in schema/
file_watch.py   notices when the file is removed, replaced or written over under the bot, and saves what it can
tables.py       all tables as the migrations make them
moving.py       a whole database copied into another
backup.py       whole copies of a database in use
"""
