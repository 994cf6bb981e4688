"""Remarks about a finished match of Blue Lagoon. Numbers and weights may be changed freely."""

from collections.abc import Iterator, Sequence

from engine.blue_lagoon.events import Scored
from engine.blue_lagoon.scoring import LINK_POINTS, MANY_ISLANDS_POINTS, STATUETTE_POINTS
from engine.core.event import Event
from engine.core.game import Outcome
from engine.core.remark import Remark, behind, most


def remarks(events: Sequence[Event], outcome: Outcome) -> Iterator[Remark]:
    """Yield the longest link, a comeback, presence on every island, and statuettes."""
    phases = [event for event in events if isinstance(event, Scored)]
    links = [
        max((scored.rows[seat].links for scored in phases), default=0)
        for seat in range(len(outcome.scores))
    ]
    if max(links):
        longest = most([points // LINK_POINTS for points in links])
        yield Remark("link", (longest["number"] - 3) / 5, longest)
    for scored in phases:
        everywhere = tuple(
            seat for seat, row in enumerate(scored.rows) if row.islands == MANY_ISLANDS_POINTS
        )
        if everywhere:
            yield Remark("everywhere", 0.5, {"seats": everywhere, "phase": scored.phase})
        statuettes = most([row.statuettes // STATUETTE_POINTS for row in scored.rows])
        if statuettes["number"] > 2:
            facts = {**statuettes, "phase": scored.phase}
            yield Remark("statuettes", statuettes["number"] / 8, facts)
    if len(phases) > 1:
        for winner, gap in behind([row.total for row in phases[0].rows], outcome):
            yield Remark("behind", gap / 25, {"seat": winner, "points": gap})
