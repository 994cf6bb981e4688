"""The closed list of refusals, and the public names of the engine."""

import inspect
import re

import engine
from engine.core import errors


def tree() -> set[str]:
    """Return the names in the tree of the docstring."""
    assert errors.__doc__
    return set(
        re.findall(r"^(?:[├└]── )?([A-Z]\w+)", errors.__doc__.split("\n\n", 1)[1], re.MULTILINE)
    )


def test_the_tree_in_the_docstring_is_the_tree_in_the_code() -> None:
    classes = {name for name, _ in inspect.getmembers(errors, inspect.isclass)}
    assert classes == tree()


def test_every_refusal_is_an_engine_error_with_a_reason() -> None:
    for name in tree() - {"EngineError"}:
        refusal = getattr(errors, name)
        assert refusal.__bases__ == (errors.EngineError,)
        assert refusal.__doc__


def test_all_refusals_are_public_names_of_the_engine() -> None:
    assert tree() <= set(engine.__all__)


def test_the_public_names_are_those_that_can_be_imported() -> None:
    public = {
        name
        for name, value in vars(engine).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert public == set(engine.__all__)
    assert len(engine.__all__) == len(set(engine.__all__))


def test_common_names_can_be_imported_from_the_engine() -> None:
    from engine import GAMES, Answer, begin

    assert callable(begin)
    assert "blue_lagoon" in GAMES
    assert Answer(engine.Seat(0), "kind", ("key",)).keys == ("key",)


def test_every_public_class_and_function_says_what_it_is_for() -> None:
    for name in engine.__all__:
        value = getattr(engine, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
