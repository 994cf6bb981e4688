"""Buttons and menus: from plain values to what discord.py sends, and back from a press.

In come rows of Buttons and Menus from the panel and the posts; out go discord.py's views. A press comes in as a custom
id and goes out as an item that the app hands on.

parts.py   Button, Menu and Discord's limits on them: plain values
ids.py     what stands in a custom id: all that a component knows when it is pressed
items.py   discord.py's classes, one for each kind of id
"""
