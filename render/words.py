"""The words of pictures: a renderer's texts on top of its game's, so names are written once."""

from pathlib import Path

from engine.core.words import ENGINE, Words, read_words

RENDER = Path(__file__).parent


def words_of(game_id: str = "") -> Words:
    """Return the words of a game's pictures; without a game, those that all pictures share."""
    if not game_id:
        return read_words(RENDER)
    return read_words(ENGINE / game_id, RENDER, RENDER / game_id)
