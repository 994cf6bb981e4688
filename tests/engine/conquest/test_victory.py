"""Points, declaring Victory, and the end."""

import pytest

from engine.conquest import GAME
from engine.conquest.events import (
    CardsRevealed,
    Ended,
    GoesOn,
    PointsCounted,
    Recounted,
    VictoryDeclared,
    VillageFelled,
)
from tests.engine.conquest.scenes import HIVA, SAMOA, TONGA, Play, Scene
from tests.engine.conquest.test_movement import chained


def points(scene: Scene, seat: int = TONGA) -> float:
    """Return a seat's points as the table counts them."""
    return scene.victory().state.nations[seat].points / 2


class TestPoints:
    def test_everyone_starts_at_two(self) -> None:
        assert points(Scene(3)) == 2

    def test_example_b_villages_and_groups_in_the_chain(self) -> None:
        """Six Villages, three groups in the chain; the lone group adds its Village only."""
        assert points(chained()) == 9

    def test_the_home_needs_an_open_canoe_of_its_own(self) -> None:
        assert points(Scene(3).pieces(TONGA, "f8", "1t")) == 2
        assert points(Scene(3).add_open_canoes(TONGA, "f8")) == 3

    def test_an_atoll_in_the_chain_is_half_a_point(self) -> None:
        assert points(Scene(3).land(g8="malden").add_open_canoes(TONGA, "f8", "g8")) == 3.5

    def test_an_atoll_outside_the_chain_is_nothing(self) -> None:
        assert points(Scene(3).land(g8="malden").add_open_canoes(TONGA, "g8")) == 2

    def test_kumara_is_two(self) -> None:
        assert points(Scene(3).nation(TONGA, kumara=True)) == 4

    def test_face_down_cards_are_not_counted(self) -> None:
        assert points(Scene(3).cards(TONGA, "tapa")) == 2
        assert points(Scene(3).cards(TONGA, "tapa", up=True)) == 4

    @pytest.mark.parametrize(
        ("card", "tile"),
        [
            ("hui", "hawaiki"),
            ("hui", "kuporu"),
            ("moai", "rapa-nui"),
            ("hula", "hawaii"),
            ("surfing", "tahiti"),
        ],
    )
    def test_cards_are_worth_one_more_with_their_island(self, card: str, tile: str) -> None:
        assert points(Scene(3).cards(TONGA, card, up=True)) == 3
        assert (
            points(Scene(3).cards(TONGA, card, up=True).land(g8=tile).village(TONGA, "g8", 1)) == 5
        )
        occupied = Scene(3).cards(TONGA, card, up=True).land(g8=tile).pieces(TONGA, "g8", "1b")
        assert points(occupied) == 3

    @pytest.mark.parametrize(("card", "home", "seat"), [("tattoo", "l6", 2), ("marae", "j7", 3)])
    def test_tattoo_and_marae_go_with_home_islands(self, card: str, home: str, seat: int) -> None:
        assert points(Scene(4).cards(seat, card, up=True), seat) == 4
        assert points(Scene(4).cards(TONGA, card, up=True)) == 3

    @pytest.mark.parametrize(
        ("card", "vp"), [("tapa", 2), ("cloak", 2), ("tapu", 0), ("forest", 0)]
    )
    def test_other_cards_have_their_printed_points(self, card: str, vp: int) -> None:
        assert points(Scene(3).cards(TONGA, card, up=True)) == 2 + vp

    def test_points_are_not_added_up_turn_by_turn(self) -> None:
        scene = Scene(3).nation(TONGA, points=40)
        assert points(scene) == 2


def rich(seats: int = 3) -> Scene:
    """Return example E: Hiva shows 22 points and has two face-down cards."""
    scene = Scene(seats).land(
        h8="hawaii", h10="rapa-nui", j9="tahiti", k8="kuporu", l7="tuamotu", m7="hawaiki"
    )
    scene.village(HIVA, "l6", 3, improved=1).village(HIVA, "l7", 2).village(HIVA, "m7", 3).village(
        HIVA, "k8", 2
    )
    scene.village(HIVA, "h10", 3, improved=1).add_open_canoes(HIVA, "l6", "l7", "m7", "k8")
    return scene.cards(HIVA, "tapa", "cloak", "haka", up=True).nation(SAMOA, points=38)


class TestDeclaring:
    def declared(self) -> Play:
        scene = (
            rich()
            .cards(HIVA, "moai", "hula")
            .cards(TONGA, "forest")
            .cards(SAMOA, "clubs", "mana", "fort")
        )
        scene.having(order=(HIVA, SAMOA, TONGA))
        return scene.victory()

    def test_a_seat_that_could_have_enough_points_is_asked_to_declare(self) -> None:
        play = self.declared()
        assert play.state.nations[HIVA].points == 44
        assert play.waiting() == (HIVA,)
        assert play.keys(HIVA) == ["declare", "pass"]

    def test_a_seat_without_enough_points_can_only_pass(self) -> None:
        """Whether a seat is asked depends on what everybody sees: 22 and two cards could be 26."""
        play = rich().cards(HIVA, "tapu", "forest").having(order=(HIVA,)).victory()
        assert play.keys(HIVA) == ["pass"]

    def test_a_seat_that_could_not_win_is_not_asked(self) -> None:
        assert not rich().cards(HIVA, "tapu").victory().kind(HIVA)

    def test_example_e_declaring_shows_all_cards_with_points(self) -> None:
        play = self.declared().do(HIVA, "declare")
        assert play.events(CardsRevealed)[0].cards == ("moai", "hula")  # type: ignore[attr-defined]
        assert play.events(VictoryDeclared)[0].points == 25  # type: ignore[attr-defined]

    def test_example_e_everyone_else_with_a_hidden_card_is_asked_at_once(self) -> None:
        play = self.declared().do(HIVA, "declare")
        assert play.waiting() == (TONGA, SAMOA)
        assert play.keys(SAMOA) == ["pass"]
        assert play.keys(TONGA) == ["forest", "pass"]

    def test_example_e_a_declared_win_undone(self) -> None:
        play = self.declared().do(HIVA, "declare").do(SAMOA, "pass").do(TONGA, "forest,l6")
        assert play.events(VillageFelled, Recounted, GoesOn)
        assert play.match.outcome is None
        assert play.state.nations[HIVA].points == 48
        assert all(card.up for card in play.state.nations[HIVA].hand)

    def test_an_unanswered_declaration_ends_the_match(self) -> None:
        play = self.declared().do(HIVA, "declare").do(SAMOA, "pass").do(TONGA, "pass")
        outcome = play.match.outcome
        assert outcome is not None
        assert (outcome.reason, outcome.ranking[0]) == ("declared", (HIVA,))

    def test_at_the_end_all_cards_are_revealed_and_count(self) -> None:
        play = self.declared().do(HIVA, "declare").do(SAMOA, "pass").do(TONGA, "pass")
        outcome = play.match.outcome
        assert outcome is not None
        assert outcome.scores == (2, 5, 25)
        assert play.events(Ended)

    def test_passing_keeps_the_match_going(self) -> None:
        assert self.declared().do(HIVA, "pass").match.outcome is None

    def test_all_who_could_declare_are_asked_at_once_and_in_secret(self) -> None:
        """Samoa shows 19 and has three hidden cards: asked, though it has no more than `pass`."""
        scene = (
            rich()
            .cards(HIVA, "moai", "hula")
            .cards(TONGA, "forest")
            .cards(SAMOA, "clubs", "mana", "fort")
        )
        scene.village(SAMOA, "f7", 4, improved=1).village(SAMOA, "h8", 4, improved=1).village(
            SAMOA, "j9", 3
        )
        scene.village(SAMOA, "e7", 4, improved=1).pieces(SAMOA, "e7", "1b").nation(
            SAMOA, kumara=True
        )
        scene.cards(SAMOA, "navigation", "poi", up=True).having(order=(HIVA, SAMOA, TONGA))
        play = scene.victory()
        assert play.waiting() == (SAMOA, HIVA)
        assert play.keys(SAMOA) == ["pass"]
        play.do(HIVA, "declare")
        assert not play.last_events
        assert play.match.view(None).declared == -1  # type: ignore[attr-defined]
        play.do(SAMOA, "pass")
        assert [event.seat for event in play.events(VictoryDeclared)] == [HIVA]  # type: ignore[attr-defined]
        assert play.do(SAMOA, "pass").do(TONGA, "forest,l6").events(GoesOn)

    def test_two_may_declare_and_fell_each_others_villages(self) -> None:
        """A Deforestation of one that declares is played against the other."""
        scene = rich().cards(HIVA, "moai", "hula", "forest").cards(SAMOA, "clubs", "mana", "fort")
        scene.village(SAMOA, "f7", 4, improved=1).village(SAMOA, "h8", 4, improved=1).village(
            SAMOA, "j9", 3
        )
        scene.village(SAMOA, "e7", 4, improved=1).pieces(SAMOA, "e7", "1b").nation(
            SAMOA, kumara=True
        )
        scene.land(h9="norfolk", g8="rapa").village(SAMOA, "h9", 1).village(SAMOA, "g8", 1)
        scene.cards(SAMOA, "navigation", "poi", "chart", up=True).having(order=(HIVA, SAMOA, TONGA))
        play = scene.victory().do(HIVA, "declare").do(SAMOA, "declare")
        assert [event.seat for event in play.events(VictoryDeclared)] == [HIVA, SAMOA]  # type: ignore[attr-defined]
        assert play.keys(HIVA) == ["forest", "pass"]
        outcome = play.do(HIVA, "forest,g8").match.outcome
        assert outcome is not None
        assert outcome.reason == "declared"

    def ordered(self, *cards: str, order: str = "declare") -> Play:
        """Return a match in which Hiva, with this standing order, shows 22 of 25 points."""
        scene = rich().cards(HIVA, *cards).cards(SAMOA, "clubs").having(order=(HIVA, SAMOA, TONGA))
        return scene.nation(HIVA, victory=order).victory()

    def test_a_standing_order_declares_with_enough_points_and_else_passes(self) -> None:
        for cards, key in ((("moai", "hula"), "declare"), (("tapu", "fort"), "pass")):
            play = self.ordered(*cards)
            answer = GAME.standing_answer(play.state, HIVA)
            assert answer is not None
            assert answer.keys == (key,)
            play.do(HIVA, *answer.keys)
            assert bool(play.events(VictoryDeclared)) == (key == "declare")
        assert GAME.standing_answer(self.ordered("moai", "hula", order="askme").state, HIVA) is None
        assert GAME.standing_answer(play.state, HIVA) is None, "the question is answered"

    def test_an_order_that_cannot_declare_looks_like_a_pass(
        self,
    ) -> None:
        """Neither the order nor the cards show: not in who is asked and waited for, nor in
        views, offers and events.
        """

        def seen(play: Play) -> list[object]:
            shown: list[object] = [play.waiting()]
            for viewer in (None, TONGA, SAMOA):
                decisions = play.match.decisions(viewer) if viewer is not None else ()
                shown.append((play.match.view(viewer), play.seen(viewer), decisions))
            return shown

        looks = []
        for cards, order in (
            (("tapu", "fort"), "declare"),
            (("tapu", "fort"), "askme"),
            (("moai", "hula"), "askme"),
            (("moai", "hula"), "declare"),
        ):
            play = self.ordered(*cards, order=order)
            asked = seen(play)
            # With enough points it would declare: here its owner is faster, and says no.
            looks.append((asked, seen(play.do(HIVA, "pass"))))
        assert all(look == looks[0] for look in looks)

    def test_the_variable_game_end_moves_the_goal(self) -> None:
        assert Scene(3, goal="+3").state.rules.goal == 28
        assert Scene(2, goal="-3").state.rules.goal == 25


class TestEnd:
    def test_ruling_the_last_turn_ends_the_match(self) -> None:
        play = Scene(3, last_turn="12").having(turn=12).victory()
        outcome = play.match.outcome
        assert outcome is not None
        assert outcome.reason == "turn_limit"

    def test_ties_go_to_the_most_controlled_groups_then_to_the_most_cards(self) -> None:
        scene = (
            Scene(3, last_turn="12")
            .having(turn=12)
            .village(TONGA, "f8", 1)
            .land(g8="rapa")
            .village(TONGA, "g8", 1)
        )
        outcome = scene.victory().match.outcome
        assert outcome is not None
        assert outcome.ranking[0] == (TONGA,)
        cards = (
            Scene(2, last_turn="12").having(turn=12).cards(SAMOA, "tapu").victory().match.outcome
        )
        assert cards is not None
        assert cards.ranking == ((SAMOA,), (TONGA,))

    def test_ruling_a_full_tie_is_shared(self) -> None:
        outcome = Scene(2, last_turn="12").having(turn=12).victory().match.outcome
        assert outcome is not None
        assert outcome.ranking == ((TONGA, SAMOA),)

    def test_points_are_reported_in_every_victory_step(self) -> None:
        assert Scene(3).victory().events(PointsCounted)
