"""A property that is worked out once."""

from msgspec import Struct
from msgspec.structs import replace

from engine.core.once import Once

asked: list[int] = []


class Value(Struct, frozen=True, dict=True):
    """Something frozen."""

    number: int

    @Once
    def double(self) -> int:
        """Twice the number."""
        asked.append(self.number)
        return 2 * self.number


def test_it_is_worked_out_when_first_asked_for_and_never_again() -> None:
    asked.clear()
    value = Value(3)
    assert asked == []
    assert (value.double, value.double, asked) == (6, 6, [3])


def test_a_changed_copy_works_it_out_anew() -> None:
    value = Value(3)
    assert value.double == 6
    assert replace(value, number=4).double == 8
