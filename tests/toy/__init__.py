"""Reef, a small game with every hard case of the engine; it passes the real games' tests."""

from pathlib import Path

from engine.core.words import read_words
from tests.toy.game import Reef

TOY = Reef()
WORDS = read_words(Path(__file__).parent)
