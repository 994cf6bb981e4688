"""The store: everything that must survive a crash. It knows no rules, no matches and no Discord.

A query is a plain function of a database, and is written beside its callers: in the kernel or in a
feature. `store.read` and `store.write` run it as one transaction.

opening.py      where a database is, a file or an address, and the store that is opened there
base.py         the interface of a store: run a query in a transaction
sql.py          statements for both databases, and a database as a query sees it
schema.py       the migrations in schema/, and which databases are refused
sqlite.py       the store in one SQLite file
sqlite_file.py  the file: opened by one bot at a time, checked, migrated, copied, watched
backup.py       whole copies of a file in use
postgres.py     the store in a PostgreSQL database
postgres_connection.py  how a connection is made, how long it waits, and what its errors mean
shard_locks.py  which process serves which shards of a database that several share
moving.py       copies a whole database into another
"""
