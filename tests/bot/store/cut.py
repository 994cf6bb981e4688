"""A proxy that breaks the connection to PostgreSQL when a COMMIT is sent or answered."""

import asyncio
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType


class Cut:
    """A proxy between a store and its server; once armed, it cuts the next connection to commit."""

    def __init__(self, url: str, is_heard: bool) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="motu-cut-")
        self._server = Path(url.partition("host=")[2]) / ".s.PGSQL.5432"
        self._is_heard = is_heard
        self.url = f"{url.partition('host=')[0]}host={self._folder.name}"
        self.is_armed = False
        self.cuts = 0
        self._wires: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Cut":
        path = str(Path(self._folder.name) / ".s.PGSQL.5432")
        self._listening = await asyncio.start_unix_server(self._joins, path)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._listening.close()
        await asyncio.wait(self._wires)
        self._folder.cleanup()

    def _joins(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._wires.add(asyncio.create_task(self._joined(reader, writer)))

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_unix_connection(str(self._server))
        back = asyncio.create_task(self._back(from_server, writer))
        while data := await reader.read(65536):
            if self.is_armed and b"COMMIT" in data:
                self.is_armed = False
                self.cuts += 1
                back.cancel()
                await asyncio.wait([back])
                if self._is_heard:
                    to_server.write(data)
                    # The end of the pipeline, without which the server does not answer, may come a
                    # moment later.
                    with suppress(TimeoutError):
                        async with asyncio.timeout(0.2):
                            to_server.write(await reader.read(65536))
                    # Whatever the response says, the server has committed by then.
                    await from_server.read(1)
                break
            to_server.write(data)
        back.cancel()
        for end in (to_server, writer):
            end.close()
            with suppress(OSError):
                await end.wait_closed()

    async def _back(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()
