"""Forms (modals) as a client shows them, and how a person fills them in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.local import choosing, objects
from bot.local.components import MENUS, Kind, displayed_text, walk
from bot.local.errors import Impossible, Json
from bot.local.form_limits import MAX_TEXT
from bot.local.model import Channel, Upload, User
from bot.local.posting import Posting

ONE_LINE = 1
"""The style of a text input without line breaks."""

FIELDS = (
    Kind.TEXT_INPUT,
    *MENUS,
    Kind.FILE_UPLOAD,
    Kind.RADIO_GROUP,
    Kind.CHECKBOX_GROUP,
    Kind.CHECKBOX,
)


@dataclass(frozen=True)
class Field:
    """A field of a form with its label."""

    part: Json
    label: str
    description: str = ""

    @property
    def kind(self) -> int:
        """The type of the component."""
        kind: int = self.part["type"]
        return kind

    @property
    def custom_id(self) -> str:
        """The id by which the bot knows the field."""
        custom_id: str = self.part["custom_id"]
        return custom_id

    @property
    def is_required(self) -> bool:
        """Whether the form cannot be submitted while the field is empty."""
        return self.kind != Kind.CHECKBOX and bool(self.part.get("required", True))

    @property
    def prefilled(self) -> Any:
        """What the field contains when the form opens: a text, a list of values, or a boolean."""
        match self.kind:
            case Kind.TEXT_INPUT:
                return self.part.get("value") or ""
            case Kind.CHECKBOX:
                return bool(self.part.get("default"))
            case Kind.FILE_UPLOAD:
                return []
            case _:
                return choosing.default_values(self.part)

    @property
    def count(self) -> tuple[int, int]:
        """The least and the most values that a menu, a group or an upload takes."""
        if self.kind == Kind.RADIO_GROUP:
            return 1, 1
        least, most = self.part.get("min_values"), self.part.get("max_values")
        if most is None:
            most = len(self.part["options"]) if self.kind == Kind.CHECKBOX_GROUP else 1
        return (1 if least is None else least), most


class Form:
    """A form that the bot has opened for a person."""

    def __init__(self, data: Json) -> None:
        self.title: str = data["title"]
        self.custom_id: str = data["custom_id"]
        self.parts: list[Json] = data["components"]
        """The labels with their fields, and the texts between them."""

    def __repr__(self) -> str:
        return f"<Form {self.title!r}: {', '.join(self.labels)}>"

    @property
    def fields(self) -> list[Field]:
        """The fields, in reading order."""
        found: list[Field] = []
        for part in self.parts:
            for inside in walk([part]):
                if inside["type"] in FIELDS:
                    # Fields in old-style rows are labelled by themselves.
                    label = part.get("label") or inside.get("label") or ""
                    found.append(Field(inside, label, part.get("description") or ""))
        return found

    @property
    def labels(self) -> list[str]:
        """The labels of the fields."""
        return [field.label for field in self.fields]

    @property
    def values(self) -> dict[str, Any]:
        """What the fields contain when the form opens, by label."""
        return {field.label: field.prefilled for field in self.fields}

    @property
    def text(self) -> str:
        """The title, the labels with their descriptions, and the texts between them."""
        words = [self.title, displayed_text(self.parts)]
        for field in self.fields:
            words += [field.label, field.description, field.part.get("placeholder") or ""]
        return "\n".join(word for word in words if word)

    def field(self, which: str) -> Field:
        """Return the field with a label or custom id."""
        for field in self.fields:
            if which in (field.label, field.custom_id):
                return field
        raise Impossible("no_field", field=which, has=self.labels)


class Filling:
    """A form while a person fills it in; the client checks each value."""

    def __init__(self, posting: Posting, form: Form, user: User, place: Channel) -> None:
        self.posting, self.form, self.user, self.place = posting, form, user, place
        self._picked: list[choosing.Option] = []
        self._attachments: dict[str, Json] = {}

    def submit(self, given: Mapping[str, Any]) -> Json:
        """Return the data of the interaction that submits the form.

        `given` has values by label or custom id: a text, an option, several of them, people,
        channels, files (`Upload`) or a boolean. Other fields keep what they contain.
        """
        values = {self.form.field(which).custom_id: value for which, value in given.items()}
        answers: dict[str, Json] = {}
        uploads: dict[str, list[Upload]] = {}
        for field in self.form.fields:
            value = values.get(field.custom_id, field.prefilled)
            if field.kind == Kind.FILE_UPLOAD:
                uploads[field.custom_id] = self._check_files(field, value)
            else:
                answers[field.custom_id] = self._answer(field, value)
        # Nothing is uploaded unless every field is all right.
        for custom_id, files in uploads.items():
            answers[custom_id] = {"values": [self._upload(file) for file in files]}
        data: Json = {
            "custom_id": self.form.custom_id,
            "components": [_describe(part, answers) for part in self.form.parts],
        }
        resolved = choosing.resolve(self.posting.state, self.user, self.place, self._picked)
        if self._attachments:
            resolved["attachments"] = self._attachments
        if resolved:
            data["resolved"] = resolved
        return data

    def _answer(self, field: Field, value: Any) -> Json:
        """Return what a field sends, if the client accepts its value."""
        match field.kind:
            case Kind.TEXT_INPUT:
                return {"value": _check_text(field, value)}
            case Kind.CHECKBOX:
                if not isinstance(value, bool):
                    raise Impossible("wrong_value", field=field.label)
                return {"value": value}
        wanted = [] if value is None else value
        options = choosing.offered(self.posting.state, self.user, self.place, field.part)
        picked = choosing.pick(field.label, options, wanted)
        _check_count(field, len(picked))
        self._picked += picked
        chosen = [option.value for option in picked]
        if field.kind == Kind.RADIO_GROUP:
            return {"value": chosen[0] if chosen else None}
        return {"values": chosen}

    def _check_files(self, field: Field, value: Any) -> list[Upload]:
        """Return the files of a field, if the client accepts them."""
        files = value if isinstance(value, list) else [value]
        if not all(isinstance(file, Upload) for file in files):
            raise Impossible("wrong_value", field=field.label)
        _check_count(field, len(files))
        for file in files:
            if len(file.data) > objects.FILE_LIMIT:
                raise Impossible("file_too_large", field=field.label)
        return files

    def _upload(self, file: Upload) -> str:
        """Upload a file, and return its id."""
        attachment = self.posting.upload_client_file(self.place, file)
        self._attachments[attachment["id"]] = attachment
        return str(attachment["id"])


def _check_count(field: Field, count: int) -> None:
    """Refuse too few or too many values for a field."""
    if count == 0:
        if field.is_required:
            raise Impossible("field_missing", field=field.label)
        return
    choosing.check_count(count, *field.count)


def _check_text(field: Field, value: Any) -> str:
    """Return the text of a text input, if its length is allowed."""
    if not isinstance(value, str):
        raise Impossible("wrong_value", field=field.label)
    # Discord's clients take a required text of nothing but whitespace for a missing one.
    if field.is_required and not value.strip():
        raise Impossible("field_missing", field=field.label)
    least = field.part.get("min_length") or 0
    most = field.part.get("max_length") or MAX_TEXT
    if value and not least <= len(value) <= most:
        raise Impossible("field_length", field=field.label, low=least, high=most)
    if field.part["style"] == ONE_LINE and "\n" in value:
        raise Impossible("one_line", field=field.label)
    return value


def _describe(part: Json, answers: Mapping[str, Json]) -> Json:
    """Return a component of a form as its submission describes it."""
    found: Json = {"type": part["type"], "id": part["id"]}
    if "custom_id" in part:
        found |= {"custom_id": part["custom_id"], **answers[part["custom_id"]]}
    if "component" in part:
        found["component"] = _describe(part["component"], answers)
    if "components" in part:
        found["components"] = [_describe(inside, answers) for inside in part["components"]]
    return found
