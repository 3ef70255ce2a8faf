"""The page of the labelling tool and its JSON API, on loopback alone."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from winnow.lab.label.pages import ROLES, LabelledBlocks
from winnow.lab.label.session import WHOLE, Session
from winnow.models.document import Page
from winnow.models.page import prepare
from winnow.models.page.view import VIEW_POLICY, view_of

HOST: Final = "127.0.0.1"
_STATIC: Final = Path(__file__).with_name("static")
_TYPES: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
# The page runs what it brings along, and nothing else; no text of another page is ever markup.
_PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-DNS-Prefetch-Control": "off",
    "Cache-Control": "no-store",
}
_MOST_BYTES: Final = 1 << 16

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def application(session: Session) -> web.Application:
    """Return what answers for a session."""
    app = web.Application(client_max_size=_MOST_BYTES, middlewares=[_guarded])
    site = _Site(session)
    app.add_routes(
        [
            web.get("/", _file(_STATIC / "index.html", _PAGE_POLICY)),
            web.get("/label.js", _file(_STATIC / "label.js")),
            web.get("/label.css", _file(_STATIC / "label.css")),
            web.get("/api/pages", site.overview),
            web.get("/api/pages/{page:[0-9]{1,8}}", site.page),
            web.get("/api/pages/{page:[0-9]{1,8}}/view", site.view),
            web.post("/api/pages/{page:[0-9]{1,8}}/reason", site.give_reason),
            web.post("/api/pages/{page:[0-9]{1,8}}/blocks/{block:[0-9]{1,8}}", site.mark),
            web.post("/api/undo", site.undo),
            web.post("/api/redo", site.redo),
        ]
    )
    return app


class _Site:
    def __init__(self, session: Session) -> None:
        self._session: Final = session

    async def overview(self, _: web.Request) -> web.Response:
        """Answer with all pages, the worst first."""
        return _json({"roles": ROLES, "pages": [self._summary(at) for at in self._places()]})

    async def page(self, request: web.Request) -> web.Response:
        """Answer with a page and its blocks."""
        return self._answer(self._at(request))

    async def view(self, request: web.Request) -> web.Response:
        """Answer with the page as it looks, without what would start or load something."""
        page = self._session.pages[self._at(request)]
        return web.Response(
            body=view_of(prepare(Page("", page.body, "text/html"))),
            headers={"Content-Security-Policy": VIEW_POLICY},
            content_type="text/html",
            charset="utf-8",
        )

    async def mark(self, request: web.Request) -> web.Response:
        """Take content or role of a block."""
        at = self._at(request)
        block = _number(request, "block", len(self._session.pages[at].texts))
        match await _body(request):
            case {"content": bool(is_content)}:
                self._session.mark(at, block, is_content=is_content)
            case {"role": str(role)} if role in ROLES:
                self._session.name_role(at, block, role)
            case _:
                raise web.HTTPBadRequest(text="neither content nor a role")
        return self._answer(at)

    async def give_reason(self, request: web.Request) -> web.Response:
        """Take why a page is changed."""
        at = self._at(request)
        match await _body(request):
            case {"reason": str(reason)}:
                try:
                    self._session.give_reason(at, reason)
                except ValueError as error:
                    raise web.HTTPBadRequest(text=str(error)) from error
            case _:
                raise web.HTTPBadRequest(text="no reason")
        return self._answer(at)

    async def undo(self, _: web.Request) -> web.Response:
        """Take the last change back and answer with its page."""
        return self._stepped(self._session.undo())

    async def redo(self, _: web.Request) -> web.Response:
        """Do again what was taken back last and answer with its page."""
        return self._stepped(self._session.redo())

    def _places(self) -> range:
        return range(len(self._session.pages))

    def _at(self, request: web.Request) -> int:
        return _number(request, "page", len(self._session.pages))

    def _stepped(self, at: int | None) -> web.Response:
        return _json({"at": None}) if at is None else self._answer(at)

    def _summary(self, at: int) -> dict[str, Any]:
        page, marks = self._session.pages[at], self._session.marks(at)
        return {
            "at": at,
            "name": page.name,
            "url": page.url,
            "f1": page.f1,
            "changes": len(marks.content) + len(marks.roles),
            "reason": marks.reason,
        }

    def _answer(self, at: int) -> web.Response:
        page, marks = self._session.pages[at], self._session.marks(at)
        blocks = [
            {
                "text": page.texts[block],
                "gold": _gold(page, block),
                "content": marks.content.get(block, page.shares[block] >= 1 / 2),
                "kept": page.kept[block],
                "role": marks.roles.get(block, page.roles[block]),
                "changed": block in marks.content or block in marks.roles,
            }
            for block in range(len(page.texts))
        ]
        return _json({**self._summary(at), "blocks": blocks})


@web.middleware
async def _guarded(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Answer our own page alone, with headers that keep it to itself."""
    try:
        _refuse_others(request)
        response = await handler(request)
    except web.HTTPException as error:
        response = _json({"error": error.text or error.reason}, error.status)
    except OSError as error:
        response = _json({"error": f"not saved: {error.strerror}"}, 507)
    response.headers.update(_HEADERS)
    response.headers.setdefault(
        "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"
    )
    return response


def _refuse_others(request: web.Request) -> None:
    """Refuse what another site made a browser send: by its own name for our address, or a post."""
    name, _, _ = request.headers.get("Host", "").rpartition(":")
    if name not in {HOST, "localhost"}:
        raise web.HTTPMisdirectedRequest(text="wrong host: use the address that was printed")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        raise web.HTTPForbidden(text="sent by another site")
    if request.method == "POST":
        origin = request.headers.get("Origin")
        if origin is not None and origin != f"http://{request.headers['Host']}":
            raise web.HTTPForbidden(text="sent by another site")
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType(text="content type must be application/json")


def _gold(page: LabelledBlocks, block: int) -> str:
    share = page.shares[block]
    return "whole" if share >= WHOLE else "part" if share > 1 - WHOLE else "none"


def _number(request: web.Request, name: str, count: int) -> int:
    number = int(request.match_info[name])
    if number >= count:
        raise web.HTTPNotFound(text=f"no such {name}")
    return number


async def _body(request: web.Request) -> object:
    try:
        return json.loads(await request.read())
    except ValueError as error:
        raise web.HTTPBadRequest(text="no JSON") from error


def _json(value: object, status: int = 200) -> web.Response:
    return web.json_response(value, status=status)


def _file(path: Path, policy: str = "default-src 'none'; frame-ancestors 'none'") -> _Handler:
    content = path.read_bytes()

    async def answer(_: web.Request) -> web.Response:
        return web.Response(
            body=content,
            content_type=_TYPES[path.suffix],
            charset="utf-8",
            headers={"Content-Security-Policy": policy},
        )

    return answer
