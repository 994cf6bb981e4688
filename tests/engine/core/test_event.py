"""Events reach exactly those who may know them."""

from engine import Event, Seat, visible
from tests.toy.events import BidSealed, CardDrawn


class Whispered(Event, frozen=True):
    """Known to one seat, unknown to have happened to the others."""

    seat: Seat

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        return (self.seat,)


def test_a_public_event_is_seen_by_all() -> None:
    event = BidSealed(Seat(0))
    assert visible([event], None) == visible([event], Seat(1)) == (event,)


def test_outside_the_audience_only_the_redacted_event_is_seen() -> None:
    event = CardDrawn(Seat(1), "haka")
    assert visible([event], Seat(1)) == (event,)
    assert visible([event], Seat(0)) == visible([event], None) == (CardDrawn(Seat(1), ""),)


def test_an_event_without_a_redacted_form_is_not_seen_at_all() -> None:
    assert visible([Whispered(Seat(0)), BidSealed(Seat(0))], Seat(1)) == (BidSealed(Seat(0)),)
    assert visible([Whispered(Seat(0))], None) == ()
    assert visible([Whispered(Seat(0))], Seat(0)) == (Whispered(Seat(0)),)


def test_redacting_twice_changes_nothing() -> None:
    seen = visible([CardDrawn(Seat(1), "haka")], None)
    assert visible(seen, Seat(1)) == seen


def test_an_event_has_a_name_and_facts() -> None:
    assert BidSealed(Seat(2)).lines() == (("BidSealed", {"seat": 2}),)
    assert CardDrawn(Seat(2), "").lines() == (("CardDrawn", {"seat": 2, "card": ""}),)
