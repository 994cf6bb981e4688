"""The reference pictures of the fallback sheet."""

from render import Scene, draw
from render.sample import NAMES
from tests.render.positions import atoll

REFERENCES = {"atoll": lambda: draw(atoll(), Scene(NAMES[:3], ("a1",)))}
