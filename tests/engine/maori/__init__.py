"""Maori, tried a sentence at a time."""
