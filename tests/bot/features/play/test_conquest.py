"""Conquest of Paradise on the panel and as typed text."""

from random import Random

import pytest

from bot.features.play import advice, presses
from bot.features.play import panel as build
from bot.features.play.panel import SeatContext
from bot.kernel.room import Post, Update
from bot.model import Announcement, Terms
from bot.posts import turn_message
from bot.ui import describe
from bot.ui.parts import Button
from engine import Answer, Match, Seat, UnreadableTurn, begin
from engine.conquest import GAME
from engine.conquest.battle_events import BattleWon, Retreated
from engine.conquest.events import Listed
from engine.conquest.pieces import HandCard, Kinds, Roll
from engine.conquest.sea_events import StayedPut
from engine.core.typed import TypedTurn, read_turn, suggest_turns
from engine.core.words import words_of
from engine.players import think
from render import Scene as Drawn
from render import alt_text
from tests.bot.features.play.driver import controls
from tests.bot.tables import check_parts, room_of
from tests.contract.player import play
from tests.engine.conquest.scenes import SAMOA, TONGA, Scene
from tests.engine.conquest.wars import war
from tests.engine.perspectives import perspective_of

NAMES = ("Ana", "Bea", "Cem", "Dov")


@pytest.mark.parametrize("seed", [1, 2])
def test_every_question_of_a_war_fits_the_panel(seed: int) -> None:
    for act, (_, _, after) in enumerate(play(war(4, seed), Random(seed))):
        room = room_of(after, NAMES)
        for seat in map(Seat, range(4)):
            panel = build.build_panel(room, seat)
            check_parts(panel.parts)
            assert 0 < len(panel.text) <= 2000
            check_parts(build.build_offers(room, seat).parts)
        if act > 150:
            break


def parse_on(match: Match, seat: int, text: str) -> TypedTurn:
    """Return what a text means in this match."""
    return read_turn(perspective_of(match, Seat(seat), NAMES[: match.seats]), text)


def keys(plan: TypedTurn) -> list[str]:
    """Return the answers of a plan."""
    return ["+".join(given) for _, given in plan.answers]


def test_an_exploring_turn_is_typed() -> None:
    play_ = Scene(3).exploring(TONGA)
    assert parse_on(play_.match, TONGA, "G8!").is_confirmed
    play_.do(TONGA, "g8", draws=["island2"], picks=["tahiti"])
    assert keys(parse_on(play_.match, TONGA, "hide, H9!")) == ["hide", "h9"]
    assert keys(parse_on(play_.match, TONGA, "show, return!")) == ["show", "return"]


def test_a_whole_movement_with_transit_and_open_canoes_is_typed() -> None:
    """A Transit, part of a stack, a whole stack, and two canoes opened."""
    scene = Scene(3).sea("g8", "h8", "j8", "k8").land(l7="tuamotu").village(SAMOA, "l7", 1)
    scene.pieces(SAMOA, "f7", "2w 1t 3b").add_open_canoes(SAMOA, "f7").sea("g6", "h6", "k6")
    scene.pieces(SAMOA, "g6", "1t").pieces(SAMOA, "l7", "1t 1w")
    scene.add_open_canoes(SAMOA, "g7")
    plan = parse_on(
        scene.moving(SAMOA).match,
        SAMOA,
        "F7, G7-chain, 0w, 0t, 2b, F7, H8, 2w, 1t, 1b, L7, K8, all, open-G6, open-H8, done, later!",
    )
    assert plan.is_confirmed
    assert keys(plan)[:5] == ["f7", "g7-chain", "0w", "0t", "2b"]
    assert keys(plan)[-4:] == ["open-g6", "open-h8", "done", "later"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("f7 g7 2w1t open-g7", ["f7", "g7", "all", "open"]),
        ("F7, G7, 1T1W", ["f7", "g7", "1w1t"]),
        ("f7, g7, 1 War Canoe and 1 Transport Canoe", ["f7", "g7", "1w1t"]),
        ("f7 h7 1w, f7 g7 1t, fleet 1", ["f7", "h7", "1w", "f7", "g7", "1t", "fleet1"]),
    ],
)
def test_other_names_of_a_thing_are_understood(text: str, meant: list[str]) -> None:
    scene = (
        Scene(3).pieces(SAMOA, "f7", "2w 1t").nation(SAMOA, hand=(HandCard("doublehull", up=True),))
    )
    assert keys(parse_on(scene.moving(SAMOA).match, SAMOA, text)) == meant


def test_a_full_label_wins_over_a_longer_one_that_starts_with_it() -> None:
    match = Scene(3).pieces(TONGA, "f8", "1t").exploring(TONGA).match
    assert keys(parse_on(match, TONGA, "stay at home!")) == ["pass"]
    assert keys(parse_on(match, TONGA, "stay at home, skip Movement too")) == ["rest"]


def test_commas_resolve_what_blanks_leave_ambiguous() -> None:
    match = Scene(3).pieces(SAMOA, "f7", "1t").pieces(SAMOA, "g7", "1t").moving(SAMOA).match
    with pytest.raises(
        UnreadableTurn,
        match=r"in several ways: `open-f7,g7` `open,f7,g7.*Put commas between your choices",
    ):
        parse_on(match, SAMOA, "open f7 g7")
    assert keys(parse_on(match, SAMOA, "open f7, g7")) == ["open-f7", "g7"]
    assert keys(parse_on(match, SAMOA, "open F7, done, later!")) == ["open-f7", "done", "later"]
    assert keys(parse_on(match, SAMOA, "open all: F7 G7, end Movement, build later!")) == [
        "open",
        "done",
        "later",
    ]


def test_a_build_list_is_typed() -> None:
    scene = (
        Scene(3)
        .land(m7="hawaiki", l7="tuamotu")
        .village(SAMOA, "l7", 1)
        .pieces(SAMOA, "m7", "1c")
        .add_open_canoes(SAMOA, "f7")
    )
    plan = parse_on(scene.building().match, SAMOA, "inward, b, F7, t, L7, done!")
    assert plan.is_confirmed
    assert keys(plan) == ["inward", "b", "t", "l7", "done"]


def test_a_refusal_lists_the_legal_moves() -> None:
    scene = Scene(3).sea("g8").pieces(SAMOA, "f7", "2w 1t")
    with pytest.raises(UnreadableTurn) as refused:
        parse_on(scene.moving(SAMOA).match, SAMOA, "F7, G7, 3w!")
    assert "Possible: All 3 pieces, 1 War Canoe, 1 Transport Canoe, 2 War Canoes" in str(
        refused.value
    )


def test_completion_offers_the_counts() -> None:
    scene = Scene(3).pieces(SAMOA, "f7", "2w 1t")
    found = suggest_turns(perspective_of(scene.moving(SAMOA).match, SAMOA, NAMES[:3]), "f7,g7,")
    assert [value for _, value in found][:4] == ["f7,g7,all", "f7,g7,1w", "f7,g7,1t", "f7,g7,2w"]


def test_a_standing_order_is_typed() -> None:
    plan = parse_on(Scene(3).exploring(TONGA).match, SAMOA, "set_card_order/none!")
    assert plan.is_offer


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("reveal_card/hui!", "`reveal_card/hui` isn't offered now: You have no face-down card"),
        (
            "Flip_Tile/h8",
            "`Flip_Tile/h8` isn't offered now: You have no marker on a face-down tile.",
        ),
        ("drop_rumor/f7", "`drop_rumor/f7` isn't offered now: You have no Rumor on the map"),
        ("nonsense/f7", "`nonsense/f7` isn't offered now. Possible: "),
    ],
)
def test_an_unavailable_offer_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(UnreadableTurn) as refused:
        parse_on(Scene(3).exploring(TONGA).match, TONGA, text)
    assert str(refused.value).startswith(why)


def test_the_choices_of_a_draft_are_put_into_words() -> None:
    """No raw key is shown, even while there is no event to tell."""
    play_ = Scene(3).sea("g8").pieces(TONGA, "f8", "2w 1t").moving(TONGA).pick(TONGA, "f8,g8")
    draft = build.build_panel(room_of(play_.match, NAMES[:3]), TONGA).chosen
    assert "- From F8, Tonga (3 pieces)\n- To G8" in draft
    scene = (
        Scene(3).sea("g8").pieces(TONGA, "f8", "2w").pieces(SAMOA, "g8", "2w").cards(TONGA, "haka")
    )
    play_ = scene.moving(TONGA).do(TONGA, "f8,g8,2w,done").pick(TONGA, "each")
    assert build.build_panel(room_of(play_.match, NAMES[:3]), TONGA).chosen.endswith(
        "- Ask me after every roll"
    )


def test_counts_and_pools_are_worded_well() -> None:
    moving = Scene(3).sea("g8").pieces(TONGA, "f8", "2w 1t").moving(TONGA).pick(TONGA, "f8,g8")
    panel = build.build_panel(room_of(moving.match, NAMES[:3]), TONGA)
    labels = [button.label for row in panel.parts if isinstance(row, tuple) for button in row]
    assert labels[:4] == ["All 3 pieces", "1 War Canoe", "1 Transport Canoe", "2 War Canoes"]
    building = Scene(3).land(n8="pitcairn").village(TONGA, "n8", 1).building()
    told = build.build_panel(room_of(building.match, NAMES[:3]), TONGA).text
    assert "Build Points left: 3 of 3. Home and its chain 2, Pitcairn Islands (N8) 1." in told


def test_turning_inward_is_listed_without_a_place() -> None:
    play_ = Scene(3).building().pick(TONGA, "inward")
    assert build.build_panel(room_of(play_.match, NAMES[:3]), TONGA).chosen.endswith(
        "- On your list: Turning Inward."
    )


def test_a_paused_battle_shows_its_rolls_so_far() -> None:
    scene = (
        Scene(3)
        .sea("g8")
        .pieces(TONGA, "f8", "2w 1b")
        .pieces(SAMOA, "g8", "2w")
        .nation(TONGA, losses="ask")
    )
    play_ = scene.moving(TONGA).do(TONGA, "f8,g8,all,done", 2)
    words, view = words_of("conquest"), play_.match.view(None)
    assert "Battle at G8, rolls so far: 2." in words.status(view, NAMES[:3])


def test_a_complete_draft_names_the_explorer_s_next_hex() -> None:
    """No event names the hex before its marker is drawn."""
    play_ = (
        Scene(3)
        .exploring(TONGA)
        .do(TONGA, "g8", draws=["island2"], picks=["tahiti"])
        .pick(TONGA, "show,h9")
    )
    draft = build.build_panel(room_of(play_.match, NAMES[:3]), TONGA).chosen
    assert draft.endswith("- Ana turned up Tahiti at G8.\n- Explore H9")
    play_ = (
        Scene(3)
        .exploring(TONGA)
        .do(TONGA, "g8", draws=["island2"], picks=["tahiti"])
        .pick(TONGA, "show")
    )
    draft = build.build_panel(room_of(play_.match, NAMES[:3]), TONGA).chosen
    assert draft.endswith("- Ana turned up Tahiti at G8.")


def test_the_pieces_chosen_for_the_start_stay_in_sight() -> None:
    match = begin(GAME, 2, {"start": "variable"}, "start")
    for key in ("c", "t", "t", "done"):
        match = match.pick(Answer(Seat(0), "add_start_piece", (key,)))
    draft = build.build_panel(room_of(match, NAMES[:2]), Seat(0)).chosen
    assert draft.endswith(
        "- Colony (cost 2)\n- Transport Canoe (cost 1)\n- Transport Canoe (cost 1)\n- Done"
    )


def test_offers_are_completed_and_refused_in_full_sentences() -> None:
    room = room_of(Scene(3).cards(TONGA, "poi").exploring(TONGA).match, NAMES[:3])
    found = suggest_turns(SeatContext.of(room, TONGA), "reveal")
    assert found[0] == (
        "Reveal a card: Poi: 1 point; your Explorer returns at 6 Knots and is lost at 7",
        "reveal_card/poi",
    )
    with pytest.raises(UnreadableTurn) as refused:
        read_turn(SeatContext.of(room, TONGA), "reveal_card/zzz!")
    assert str(refused.value).startswith("`zzz` isn't possible now. ")
    assert str(refused.value).endswith("\nPossible: Poi.")


def test_a_post_with_a_picture_does_not_repeat_the_points() -> None:
    play_ = Scene(2).building().do(TONGA, "done").do(SAMOA, "done")
    room = room_of(play_.match, NAMES[:2])
    text = turn_message.message(
        Post(Announcement(1, "abcd2345", 0, 1), room, play_.seen(None), (TONGA,))
    ).content
    assert "Points:" not in text
    assert "Turn 10: Ana got the Turn Order Marker." in text


def test_a_long_battle_is_shortened_to_its_outcome() -> None:
    room = room_of(Scene(2).building().match, ("Ana", "Bea of Tahiti"))
    rolls = (*(Roll(2, 0, "panic", kind) for kind in "wwwbbb"), Roll(5, 1, "panic", "w"))
    events = (
        BattleWon("g8", SAMOA, (TONGA, SAMOA), rolls),
        Retreated(TONGA, "f8", Kinds(w=3, b=3)),
    )
    text = turn_message.message(
        Post(Announcement(1, "abcd2345", 0, 1), room, events, (TONGA,))
    ).content
    assert text.endswith(
        "… Ana had 3 War Canoes and 3 Warrior Bands panic. Bea of Tahiti had 1 War Canoe panic "
        "and won the Battle at G8. "
        "Ana retreated to Tonga (F8) with 3 War Canoes and 3 Warrior Bands."
    )


def test_a_post_names_the_hidden_tile_but_not_the_markers() -> None:
    play_ = (
        Scene(2)
        .exploring(TONGA)
        .do(TONGA, "g8", draws=["island2"], picks=["tahiti"])
        .do(TONGA, "hide,return")
    )
    room = room_of(play_.match, NAMES[:2])
    text = turn_message.message(
        Post(Announcement(1, "abcd2345", 0, 1), room, play_.seen(None), (TONGA,))
    ).content
    assert "Ana kept the tile at G8 hidden and returned" in text and "Markers" not in text


def test_standing_orders_are_listed_when_the_panel_is_opened_only() -> None:
    room = room_of(Scene(3).moving(TONGA).match, NAMES[:3])
    assert "Battle losses" in build.build_panel(room, SAMOA).text
    assert "Battle losses" not in build.build_panel(room, SAMOA, notice="Done.").text


def test_pieces_typed_too_early_are_refused_with_an_explanation() -> None:
    match = Scene(3).sea("g8").pieces(TONGA, "f8", "1w").moving(TONGA).match
    with pytest.raises(
        UnreadableTurn, match=r"`1w` isn't possible now. Choose where from first, then where to\."
    ):
        parse_on(match, TONGA, "1w")


def test_a_player_who_resigned_does_not_see_the_computer_s_build_list() -> None:
    match = Scene(3).building().match
    listed = Listed(TONGA, "w", ("f8",))
    sailed = StayedPut(SAMOA)
    before = presses.outcome_text(
        Update(room_of(match, NAMES[:3]), TONGA, meanwhile=(listed, sailed))
    )
    assert "War Canoe" in before and "Bea moved nothing." in before
    after = presses.outcome_text(
        Update(room_of(match.resign(TONGA), NAMES[:3]), TONGA, meanwhile=(listed, sailed))
    )
    assert "War Canoe" not in after and "Bea moved nothing." in after


def test_hints_and_coach_recommend_an_offer_with_a_button(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(GAME), "lesson_over", lambda self, state: False)
    room = room_of(
        Scene(3).cards(TONGA, "poi").exploring(TONGA).match, NAMES[:3], terms=Terms(lesson=True)
    )
    thought = think(GAME, room.playing().base, TONGA, "own", "strong")

    coached = advice.build_lesson(room, TONGA, (), thought=thought)
    for made in (advice.build_hint(room, TONGA, thought), coached):
        assert "**Hint: first reveal Poi** (also under More…)." in made.text
        control, pressed = controls(made.parts)[0]
        assert isinstance(pressed, Button) and pressed.label == "First: reveal Poi"
        asked = build.build_offers(room, TONGA, control.kind, control.keys, control.page)
        assert asked == build.build_offers(room, TONGA, "reveal_card", ("poi",))
        assert "reveal it now?" in asked.text


def test_an_offer_has_its_own_question() -> None:
    match = (
        Scene(3).cards(TONGA, "poi").pieces(TONGA, "f8", "1r").building().do(TONGA, "done").match
    )
    room = room_of(match, NAMES[:3])

    def sure(kind: str, key: str) -> str:
        return build.build_offers(room, TONGA, kind, (key,)).text.partition("\n")[2]

    assert sure("reveal_card", "poi").endswith(
        ": reveal it now? Everyone will see it, and you can't undo it."
    )
    assert sure("drop_rumor", "f8") == (
        "F8, Tonga: remove it now? Everyone will see that it was a Rumor. You can build it "
        "again later."
    )
    assert (
        sure("reopen_build", "reopen")
        == "Reopen it: do it now? Everyone will see that your list is open again."
    )
    assert sure("set_loss_order", "ask").endswith(": do it now? Nobody else will know.")


def test_the_final_post_says_how_a_tie_was_broken() -> None:
    scene = (
        Scene(2, last_turn="12").having(turn=12).cards(TONGA, "tapu").cards(SAMOA, "haka", "forest")
    )
    scene.land(g8="rapa").village(TONGA, "f8", 2).village(TONGA, "g8", 1)
    room = room_of(scene.victory().match, NAMES[:2])
    assert describe.ranking_lines(room) == [
        "The match is over: the last turn was played.",
        "1. **Ana**: 3 points (2 groups, 1 card)",
        "2. **Bea**: 3 points (1 group, 2 cards)",
    ]


def test_players_asked_the_same_question_are_mentioned_together() -> None:
    building = Scene(3).building()
    assert (
        describe.whose_turn(room_of(building.match, NAMES[:3]))
        == "Waiting for **Ana**, **Bea** and **Cem**: build in secret."
    )
    building.do(SAMOA, "done")
    assert (
        describe.whose_turn(room_of(building.match, NAMES[:3]))
        == "Waiting for **Ana** and **Cem**: build in secret."
    )
    building.do(TONGA, "done")
    assert (
        describe.whose_turn(room_of(building.match, NAMES[:3]))
        == "**Cem**'s turn: build in secret."
    )
    scene = Scene(3).sea("g8").land(g9="rapa").village(SAMOA, "g9", 1).village(SAMOA, "g7", 1)
    fought = (
        scene.pieces(TONGA, "f8", "1w 1t")
        .pieces(SAMOA, "g8", "1t")
        .moving(TONGA)
        .do(TONGA, "f8,g8,all,done")
    )
    assert (
        describe.whose_turn(room_of(fought.match, NAMES[:3]))
        == "**Ana**'s turn: turn a canoe face up or not. **Bea**'s turn: choose where to retreat."
    )


def test_the_picture_of_a_complete_draft_says_what_remains() -> None:
    """In the draft nobody is to move any more: what is awaited is the player's own confirm."""
    play_ = Scene(3).exploring(TONGA).pick(TONGA, "g8")
    panel = build.build_panel(room_of(play_.match, NAMES[:3]), TONGA)
    said = alt_text(play_.match.view(TONGA), Drawn(NAMES[:3], panel.rings, panel.question))
    assert (
        "Nothing is final yet: confirm your turn, or undo." in said
        and "Nobody is to move" not in said
    )
    assert build.build_panel(room_of(play_.match, NAMES[:3]), SAMOA).question == ""


def test_a_question_that_can_only_be_ended_has_one_button() -> None:
    room = room_of(Scene(3).pieces(TONGA, "f8", "1b").moving(TONGA).match, NAMES[:3])
    labels = [button.label for row in build.build_panel(room, TONGA).parts for button in row]  # type: ignore[union-attr]
    assert len([label for label in labels if "end movement" in label.casefold()]) == 1


def test_a_recurring_question_can_be_answered_by_a_standing_order() -> None:
    assert set(GAME.standing.values()) < {
        offer.kind for offer in begin(GAME, 2, seed=1).offers(Seat(0))
    }
    seen = set()
    for before, _, after in play(war(3, 3), Random(3)):
        room = room_of(after, NAMES[:3])
        for seat in map(Seat, range(3)):
            made, question = build.build_panel(room, seat), after.question(seat)
            labels = [part.label for row in made.parts if isinstance(row, tuple) for part in row]
            if question and question.kind in GAME.standing:
                seen.add(question.kind)
                assert "Always answer…" in labels
                offered = build.build_offers(room, seat, GAME.standing[question.kind])
                assert "now:" in offered.text and offered.parts
            elif question is None and not after.draft(seat).answers and after.outcome is None:
                assert "Battle losses (now:" in made.text, "before anything is asked"
        if len(seen) > 3 or before.number > 120:
            break
    assert len(seen) > 1
