"""Reef: a small game that has every hard case of the engine in it, and goes through the tests of
the real ones.
"""

from pathlib import Path

from engine.core.words import read_words
from tests.toy.game import Reef

TOY = Reef()
WORDS = read_words(Path(__file__).parent)
