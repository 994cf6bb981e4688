"""Buttons and menus as discord.py sends them, made from plain values."""

from collections.abc import Collection, Iterable
from typing import Any

import discord
from discord import ui

from bot.ui.parts import Menu, Row


def custom_ids(message: discord.Message) -> set[str]:
    """Return the ids of a message's buttons and menus."""
    parts = [part for row in message.components for part in getattr(row, "children", ())]
    return {part.custom_id for part in parts if getattr(part, "custom_id", None)}


def carries(message: discord.Message, wanted: Collection[str]) -> bool:
    """Whether a message has one of these buttons or menus."""
    return not custom_ids(message).isdisjoint(wanted)


def view_of(rows: Iterable[Row]) -> ui.View:
    """Return rows of buttons and menus as discord.py sends them."""
    view = ui.View(timeout=None)
    for number, row in enumerate(rows):
        if isinstance(row, Menu):
            view.add_item(_select(row, number))
            continue
        for part in row:
            style = discord.ButtonStyle[part.look]
            view.add_item(
                ui.Button(label=part.label, style=style, custom_id=part.id, disabled=part.disabled, row=number)
            )
    # discord.py keeps a view in memory until it is stopped. Presses are served by the items' patterns instead.
    view.stop()
    return view


def _select(menu: Menu, row: int) -> "ui.Select[Any]":
    options = [
        discord.SelectOption(
            label=line.label, value=line.value, description=line.description or None, default=line.chosen
        )
        for line in menu.choices
    ]
    return ui.Select(
        custom_id=menu.id,
        placeholder=menu.placeholder,
        options=options,
        min_values=menu.at_least,
        max_values=menu.at_most,
        row=row,
    )
