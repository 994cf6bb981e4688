"""Computer players and hints know only what their seat may: alike positions give alike thoughts."""

import pytest

from engine import GAMES, Answer, Match, Seat
from engine.core.secrecy import has_secrets
from tests.bench.secrets import compare, think_little, whole_thought
from tests.contract.kinds import kinds_of, positions
from tests.engine.conquest.scenes import SAMOA, TONGA, Scene


@pytest.fixture(autouse=True)
def _little_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets show in a short thought as well."""
    think_little(monkeypatch.setattr)


def assert_same_thoughts(one: Match, other: Match, seat: Seat) -> None:
    """Check that positions that look alike to a seat give the same thoughts, hints and reviews."""
    assert one.base != other.base
    assert one.view(seat) == other.view(seat)
    assert one.decisions(seat) == other.decisions(seat)
    assert whole_thought(one, seat) == whole_thought(other, seat)


def attacked(fleet: str) -> Match:
    """Return a match in which a defender gives orders, with four hidden pieces approaching."""
    scene = (
        Scene(2).sea("g8").village(SAMOA, "g9", 2).land(g9="rapa").pieces(SAMOA, "g9", "1w 2b 1t")
    )
    scene.cards(SAMOA, "tapu", "clubs").cards(TONGA, "mana")
    return scene.pieces(TONGA, "g8", fleet).moving(TONGA).do(TONGA, "g8,g9,all,done").match


@pytest.mark.parametrize("fleet", ["1w 3t", "2w 2b", "1w 1t 1c 1r", "3w 1b"])
def test_a_defender_does_not_know_the_approaching_fleet(fleet: str) -> None:
    assert_same_thoughts(attacked("4w"), attacked(fleet), SAMOA)


@pytest.mark.parametrize("game_id", GAMES)
def test_no_kind_of_decision_is_thought_about_with_secrets(game_id: str) -> None:
    """One position of each kind; `python -m tests.bench.secrets` compares a hundred."""
    compared = [compare(position) for position in positions(game_id, 1)]
    assert [one for one in compared if one.differing] == []
    assert {one.kind for one in compared} == set(kinds_of(game_id)), "a kind that no position asks"
    assert all(one.is_hidden for one in compared) == has_secrets(GAMES[game_id])


def with_orders(**orders: str) -> Match:
    """Return a match in which a seat explores, with a rival that has these standing orders."""
    scene = Scene(2).sea("g8", "h9").village(TONGA, "f8", 3).village(SAMOA, "f7", 3)
    scene.pieces(TONGA, "f8", "2w 2b 1t").pieces(SAMOA, "f7", "2w 2b 1t").cards(
        TONGA, "clubs", "mana"
    )
    return scene.nation(TONGA, **orders).having(order=(SAMOA, TONGA)).whole_turn().match


@pytest.mark.parametrize(
    ("field", "order"),
    [
        ("losses", "ask"),
        ("losses", "bands"),
        ("orders", "each"),
        ("orders", "all"),
        ("course", "far"),
        ("first", "me"),
        ("sure", "each"),
        ("finds", "hide"),
        ("victory", "declare"),
    ],
)
def test_nobody_knows_the_standing_orders_of_others(field: str, order: str) -> None:
    assert_same_thoughts(with_orders(), with_orders(**{field: order}), SAMOA)


@pytest.mark.parametrize("order", ["each", "hurt", "shown", "none"])
def test_nobody_knows_the_sealed_battle_orders_of_others(order: str) -> None:
    def sealed(mode: str) -> Match:
        match = attacked("4w")
        return match.pick(Answer(TONGA, "give_battle_orders", (mode,))).confirm(TONGA)

    assert_same_thoughts(sealed("all"), sealed(order), SAMOA)


def test_nobody_knows_what_others_build_ahead() -> None:
    def listed(*answers: str) -> Match:
        scene = Scene(2).sea("g8").pieces(TONGA, "f8", "1t").pieces(SAMOA, "f7", "1w 1b 1t")
        return (
            scene.moving(TONGA, SAMOA)
            .pick(TONGA, ",".join(("done", *answers)))
            .match.confirm(TONGA)
        )

    assert_same_thoughts(listed("done"), listed("b", "done"), SAMOA)


def test_nobody_knows_what_others_have_said_after_a_battle() -> None:
    def won(saved: str) -> Match:
        scene = Scene(2).sea("g8").land(g9="rapa", h9="kuporu", g10="niue")
        for spot in ("g9", "h9", "g10"):
            scene.village(SAMOA, spot, 1)
        scene.pieces(SAMOA, "g9", "2t").pieces(TONGA, "g8", "3w 2b")
        match = scene.moving(TONGA).do(TONGA, "g8,g9,all,done", 4).match
        return match.pick(Answer(TONGA, "save_villages", (saved,))).confirm(TONGA)

    assert_same_thoughts(won("none"), won("1w"), SAMOA)
