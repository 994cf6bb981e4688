"""Reading what the bot answered."""

from typing import Any

from simcord import InteractionResult, ResponseMessage


def answer(result: InteractionResult) -> ResponseMessage:
    """The private answer that somebody got."""
    assert result.acknowledged
    shown = result.followups[-1] if result.followups else result.response
    assert shown is not None and shown.ephemeral, "the answer must be private"
    return shown


def said(result: InteractionResult) -> str:
    """A private answer's words."""
    return answer(result).content


def parts(shown: Any) -> list[dict[str, Any]]:
    """All components of a message."""
    return [part for row in shown.components for part in row["components"]]


def labels(shown: Any) -> list[str]:
    """The labels of its buttons."""
    return [part["label"] for part in parts(shown) if part["type"] == 2]


def menu(shown: Any, value: str) -> str:
    """The id of the menu that offers a value."""
    for part in parts(shown):
        if part["type"] == 3 and value in [option["value"] for option in part["options"]]:
            return str(part["custom_id"])
    raise AssertionError(f"no menu offers {value}")


def pages(shown: Any) -> dict[str, str]:
    """The buttons of a panel that lead to other choices: group or page to custom id."""
    ids = [part["custom_id"] for part in parts(shown) if part["custom_id"].startswith("m:")]
    return {custom_id.rpartition(":")[2]: custom_id for custom_id in ids}


def pick_of(shown: Any, key: str) -> str:
    """The id of the button of a choice, '' if this page does not have it."""
    ids = [part["custom_id"] for part in parts(shown) if part["custom_id"].startswith("p:")]
    return next((custom_id for custom_id in ids if custom_id.endswith(f":{key}")), "")
