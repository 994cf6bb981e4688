"""Everything the engine can refuse, and why. Messages are shown to users, so texts hold them.

EngineError
├── UnknownGame     no game of that id
├── BadSettings     a setting, a value or a number of seats that the game does not have
├── IllegalAnswer   an answer to a question not asked, or with options not offered
├── NotFinished     a confirmation while the seat still has to decide
├── NothingToUndo   an undo without a draft
├── MatchOver       any action once the match has ended
├── UnreadableTurn  a typed text that does not describe a turn possible now
└── Malformed       a save or transcript that is damaged, foreign or newer than this program
"""


class EngineError(Exception):
    """The engine refuses a request; the message is meant for the person who made it."""


class UnknownGame(EngineError):
    """There is no game with that id."""


class BadSettings(EngineError):
    """A setting, a value or a number of seats that the game does not have."""


class IllegalAnswer(EngineError):
    """An answer to a question that was not asked, or with options that were not offered."""

    def __init__(
        self,
        message: str,
        why: tuple[str, dict[str, object]] | None = None,
    ) -> None:
        super().__init__(message)
        self.why = why
        """The game's refusal: a key of the [why] texts and its facts.

        Callers that know the players' names can word it better than `message` does.
        """


class NotFinished(EngineError):
    """A confirmation while the seat still has to decide, or has chosen nothing."""


class NothingToUndo(EngineError):
    """An undo without a draft."""


class MatchOver(EngineError):
    """The match has ended, so nothing more can be done in it."""


class UnreadableTurn(EngineError):
    """A typed text that does not describe a turn possible now."""


class Malformed(EngineError):
    """A save or transcript that is damaged, foreign, or newer than this program."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line
        """The line of the transcript that is wrong, counted from 1; 0 if no single line is."""
