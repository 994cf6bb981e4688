"""What has to happen once before several threads decode saves."""

from msgspec import Struct
from msgspec.json import Decoder


def work_out_types() -> None:
    """Let msgspec see what every Struct holds.

    It would do so when a class is decoded for the first time, and a second thread that decodes the
    same class in that moment brings the whole process down (seen in msgspec 0.22). All of them take
    11 ms, and a second time 1 ms.
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
            # Never decoded, and holds what could not be.
            continue
