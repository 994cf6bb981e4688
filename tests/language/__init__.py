"""A second language needs nothing but text files: tested with a made-up one."""
