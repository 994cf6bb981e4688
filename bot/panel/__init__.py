"""The private panel: how one person answers, by buttons and menus or by a typed line. The same for every game.

In come the presses of its controls and the text of `/play`; out go calls of the service and the panel after them.

build.py         a seat's question as words, buttons and menus: pure
pages.py         many choices on five rows of buttons, by group and page: pure
typed.py         the text of `/play` read, completed or refused: pure
option_names.py  what a choice may be called in such a text: pure
hint.py          the turn that a strong player would make, in words; lesson.py has what a coach says to a first match
late_edits.py    what follows in a panel when it has been thought out, unless its person has pressed on
presses.py       a panel opened, pressed and shown again on Discord
"""
