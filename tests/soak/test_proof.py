"""The proof finds every answer that contradicts the database."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.text import say
from tests.soak.ledger import Press
from tests.soak.proof import Proof, _compare_answers

COMMITTED = [("match", 1, 4, 5)]
DRAFTED = [("match", 1, 4, 4)]
NOT_KEPT = list[tuple[str, int, int, int]]()
DONE, UNSHOWN = say("panel.done"), say("refusal.not_shown", id="abc")
STALE = say("panel.too_late")
BUSY = say("refusal.busy")
FAILED = say("refusal.failed", id="abc")
LOST = say("database.fails", why="disk I/O error")
OPEN = [
    say(key, why="why")
    for key in ("database.unreachable", "database.read_only", "database.in_doubt")
]
OPEN.append(say("database.server_fails", why="why"))


def told(kept: list[tuple[str, int, int, int]], *said: str) -> Proof:
    """Return what the proof finds for a press whose answer was edited from one text to the next."""
    nobody: Any = None
    press = Press(1, 2, "match", "confirm", 0, 0.0, nobody, said=list(said))
    ledger: Any = SimpleNamespace(presses=[press])
    proof = Proof()
    _compare_answers(ledger, kept, proof)
    assert proof.looked_at["private answers compared"] == len(list(filter(None, said)))
    return proof


@pytest.mark.parametrize("said", [STALE, BUSY, FAILED, LOST])
@pytest.mark.parametrize("kept", [COMMITTED, DRAFTED])
def test_a_committed_press_is_never_denied(
    said: str, kept: list[tuple[str, int, int, int]]
) -> None:
    for words in ((said,), ("", said), (said, DONE), (OPEN[0], said)):
        (fault,) = [fault for fault in told(kept, *words).faults if "it was carried out" in fault]
        assert "confirm of match" in fault
    assert told(NOT_KEPT, said).faults == []


def test_an_uncommitted_press_is_never_claimed() -> None:
    assert len(told(NOT_KEPT, DONE, OPEN[0]).faults) == len(told(DRAFTED, DONE).faults) == 1
    assert told(COMMITTED, DONE).faults == []


@pytest.mark.parametrize("saved", [UNSHOWN, say("database.was_saved")])
def test_an_unsaved_draft_is_never_reported_as_saved(saved: str) -> None:
    assert len(told(NOT_KEPT, OPEN[0], saved).faults) == 1
    for kept in (COMMITTED, DRAFTED):
        assert told(kept, OPEN[0], saved).faults == []


@pytest.mark.parametrize("said", OPEN)
def test_answers_in_doubt_are_counted(said: str) -> None:
    proof = told(COMMITTED, said)
    assert proof.faults == [] and proof.looked_at["of these presses carried out"] == 1
    assert told(NOT_KEPT, said).looked_at["of these presses carried out"] == 0
    assert told(COMMITTED, said, DONE).looked_at["last words that left it open"] == 0
