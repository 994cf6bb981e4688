"""Reading what a client sends: JSON, or a form with files."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

from bot.local.refusal import Json, Refusal
from bot.local.rules.form import Form
from bot.local.wire import FILE_LIMIT


@dataclass(frozen=True)
class Upload:
    """A file as it was sent."""

    filename: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Body:
    """A request's JSON and the files beside it, by number."""

    json: Any
    files: dict[int, Upload] = field(default_factory=dict)

    def object(self) -> Json:
        """The JSON, which has to be an object."""
        if not isinstance(self.json, dict):
            raise Refusal(50109)
        return self.json


async def read(request: web.Request) -> Body:
    """The body of a request; an absent one reads as an empty object."""
    if request.content_type.startswith("multipart/"):
        return await _read_form(request)
    raw = await request.read()
    return Body(_parse(raw) if raw else {})


def _parse(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        raise Refusal(50109) from None


async def _read_form(request: web.Request) -> Body:
    payload: Any = {}
    files: dict[int, Upload] = {}
    form = Form()
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        raw = bytes(await part.read())
        numbered = re.fullmatch(r"files\[(\d+)\]", part.name or "")
        if part.name == "payload_json":
            payload = _parse(raw)
        elif numbered is None:
            form.wrong((part.name or "?",), "UNKNOWN_FIELD", "A file's part is named files[n].")
        elif len(raw) > FILE_LIMIT:
            raise Refusal(40005)
        else:
            files[int(numbered[1])] = Upload(part.filename or "file", raw)
    form.check()
    return Body(payload, files)
