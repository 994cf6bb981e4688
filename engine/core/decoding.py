"""Prepares msgspec for decoding saves in several threads. Called once, when the program starts."""

from msgspec import Struct
from msgspec.json import Decoder


def prepare_decoders() -> None:
    """Make msgspec work out the field types of every Struct.

    Otherwise it does so when a class is first decoded. If a second thread decodes the same class at
    that moment, the whole process crashes (seen with msgspec 0.22). This takes 11 ms, and 1 ms if
    it is done again.
    """
    known: set[type] = set()
    found: list[type] = Struct.__subclasses__()
    while found:
        kind = found.pop()
        if kind in known:
            continue
        known.add(kind)
        found += kind.__subclasses__()
        try:
            Decoder(kind)
        except TypeError:
            # This class has fields that cannot be decoded, so nothing ever decodes it.
            continue
