"""Questions and what may be answered to them."""

from itertools import combinations

import pytest

from engine import Answer, Decision, IllegalAnswer, Option, Seat


def question(*keys: str, at_least: int = 1, at_most: int = 1) -> Decision:
    """Return a question with these options."""
    return Decision(Seat(0), "pick_card", tuple(Option(key) for key in keys), at_least, at_most)


@pytest.mark.parametrize(("at_least", "at_most"), [(0, 0), (0, 2), (1, 1), (1, 3), (3, 3)])
def test_every_subset_between_the_bounds_is_legal_and_no_other(at_least: int, at_most: int) -> None:
    decision = question("a", "b", "c", at_least=at_least, at_most=at_most)
    for size in range(4):
        for keys in combinations("abc", size):
            if at_least <= size <= at_most:
                decision.check(keys)
            else:
                with pytest.raises(IllegalAnswer, match="Choose"):
                    decision.check(keys)


def test_the_order_of_the_keys_does_not_matter() -> None:
    question("a", "b", at_most=2).check(("b", "a"))


def test_an_unknown_key_is_named_in_the_refusal_but_not_at_length() -> None:
    with pytest.raises(IllegalAnswer, match="can't choose 'zzz'"):
        question("a").check(("zzz",))
    with pytest.raises(IllegalAnswer) as refusal:
        question("a").check(("z" * 6000,))
    assert len(str(refusal.value)) < 80


def test_the_same_key_twice_is_refused() -> None:
    with pytest.raises(IllegalAnswer, match="twice"):
        question("a", "b", at_most=2).check(("a", "a"))


def test_the_refusal_says_how_many_are_wanted() -> None:
    with pytest.raises(IllegalAnswer, match="Choose 1 to 2, not 0"):
        question("a", "b", at_most=2).check(())
    with pytest.raises(IllegalAnswer, match="Choose 2, not 1"):
        question("a", "b", "c", at_least=2, at_most=2).check(("a",))


def test_an_option_is_found_by_its_key() -> None:
    decision = Decision(
        Seat(0), "pick", (Option("a"), Option("b", spot="b3", facts=(("paid", 2),)))
    )
    assert decision.option("b").spot == "b3"
    with pytest.raises(IllegalAnswer):
        decision.option("c")


def test_there_is_an_only_answer_where_all_options_must_be_taken() -> None:
    assert question("a").only_answer() == Answer(Seat(0), "pick_card", ("a",), forced=True)
    assert question("a", "b", at_least=2, at_most=2).only_answer() is not None
    assert question("a", "b").only_answer() is None
    assert question("a", at_least=0).only_answer() is None
    assert question().only_answer() is None


def test_the_option_that_ends_is_found() -> None:
    decision = Decision(Seat(0), "dive", (Option("a"), Option("stop", ends=True)))
    assert decision.ending() == Option("stop", ends=True)
    assert question("a").ending() is None
