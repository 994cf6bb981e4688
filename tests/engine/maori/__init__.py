"""Maori, tested sentence by sentence of the rulebooks."""
