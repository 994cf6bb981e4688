"""The value axis of a chart: round numbers at equal steps that enclose all values."""

from msgspec import Struct

STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
MAX_STEPS = 5
"""Steps that the values themselves may span; rounding outwards can add one at either end."""


class Axis(Struct, frozen=True):
    """An axis from `low` to `high` with a tick every `step`."""

    low: float
    high: float
    step: float

    def ticks(self) -> list[float]:
        """Return the values at which a line is drawn across the chart, lowest first."""
        steps = round((self.high - self.low) / self.step)
        return [self.low + number * self.step for number in range(steps + 1)]

    def fraction(self, value: float) -> float:
        """Return how far up the axis a value lies: 0 at its low end, 1 at its high end."""
        return (value - self.low) / (self.high - self.low)


def choose_axis(lowest: float, highest: float) -> Axis:
    """Choose the finest axis that covers these values in a few steps."""
    span = highest - lowest
    step = next((step for step in STEPS if span / step <= MAX_STEPS), STEPS[-1])
    low = step * (lowest // step)
    # -(-a // b) rounds up. A chart whose values are all equal still needs one step.
    high = max(step * -(-highest // step), low + step)
    return Axis(low, high, step)
