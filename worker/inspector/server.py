"""The inspector over HTTP: its page, and requests that child processes answer."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from winnow.worker.inspector.parts import InspectorParts
from winnow.worker.inspector.site import Site, Work, files_of, json_file, serve_site
from winnow.worker.web.limits import DEFAULT_WEB_LIMITS, WebLimits
from winnow.worker.web.processes import working

_FOLDER: Final = Path(__file__).parent
_MADE_AT_START: Final = ("/api/samples", "/api/options", "/api/sources")
_WORK: Final = frozenset(
    {
        "/api/explain",
        "/api/why",
        "/api/clean",
        "/api/score",
        "/api/lookup",
        "/api/recent",
        "/api/view",
    }
)


@asynccontextmanager
async def serve_inspector(
    host: str,
    port: int,
    parts: InspectorParts,
    names: Collection[str] = (),
    limits: WebLimits = DEFAULT_WEB_LIMITS,
) -> AsyncIterator[int]:
    """Serve until the block ends; yields the port (a free one for port 0).

    Args:
        host: name or address to bind.
        port: port to bind.
        parts: parts of the inspectors, which answer in separate processes.
        names: host names to accept, in addition to `localhost` and addresses.
        limits: limits of clients.

    Raises:
        AddressInUseError: host or port cannot be bound.
        CannotServe: models or options cannot be used.
    """
    async with (
        working(parts, limits) as processes,
        serve_work(host, port, processes, names, limits) as bound,
    ):
        yield bound


@asynccontextmanager
async def serve_work(
    host: str, port: int, work: Work, names: Collection[str], limits: WebLimits
) -> AsyncIterator[int]:
    """Serve the answers of `work`; otherwise like `serve_inspector`.

    Raises:
        AddressInUseError: host or port cannot be bound.
    """
    made = {path: (await work.answer(path, b"")).body for path in _MADE_AT_START}
    made["/openapi.json"] = (_FOLDER / "openapi.json").read_bytes()
    files = files_of(_FOLDER / "static")
    files |= {path: json_file(content) for path, content in made.items()}
    async with serve_site(host, port, Site(files, _WORK, work), names, limits) as bound:
        yield bound
