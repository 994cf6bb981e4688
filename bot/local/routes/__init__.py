"""The REST routes, by topic. Each module lists its own in `ROUTES`: method, path, handler."""
