"""The local table in a real browser."""
