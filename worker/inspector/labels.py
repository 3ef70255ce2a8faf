"""The page to correct gold texts: its files, and the answers to its requests."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import orjson

from winnow.lab.label.pages import ROLES, LabelledBlocks
from winnow.lab.label.session import WHOLE, Session
from winnow.models.document import Page
from winnow.models.page.view import view_of
from winnow.worker.inspector.asked import decoded
from winnow.worker.inspector.site import Site, files_of
from winnow.worker.web.frames import Answer, BadRequest, refusal
from winnow.worker.web.limits import WebLimits

# a request holds a mark or a reason, never a page
LABEL_LIMITS: Final = WebLimits(body_bytes=1 << 16)
_STATIC: Final = Path(__file__).with_name("static")
_SHARED: Final = ("/api.js", "/base.css", "/dom.js", "/icon.svg")

_Number = Annotated[int, msgspec.Meta(ge=0)]


class _Nothing(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A request without members."""


class _PageAsked(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A page, by its number in the session."""

    page: _Number


class _Marked(_PageAsked, forbid_unknown_fields=True, frozen=True):
    """A block of a page: whether it is content, or its role."""

    block: _Number
    content: bool | None = None
    role: str | None = None


class _Explained(_PageAsked, forbid_unknown_fields=True, frozen=True):
    """The reason for changed labels of a page."""

    reason: str


def label_site(session: Session) -> Site:
    """Return the page with a new session; it shares scripts with the inspector's page."""
    shared = files_of(_STATIC)
    files = {path: shared[path] for path in _SHARED} | files_of(_STATIC / "label")
    labelling = Labelling(session)
    return Site(files, labelling.paths, labelling)


class Labelling:
    """Answers the page's requests to a session."""

    def __init__(self, session: Session) -> None:
        """Keep the session."""
        self._session: Final = session
        self.paths: Final[Mapping[str, Callable[[bytes], bytes]]] = {
            "/api/pages": self._pages,
            "/api/page": lambda body: self._shown(self._at(decoded(body, _PageAsked))),
            "/api/view": self._view,
            "/api/mark": self._mark,
            "/api/reason": self._reason,
            "/api/undo": lambda body: self._stepped(body, session.undo),
            "/api/redo": lambda body: self._stepped(body, session.redo),
        }

    async def answer(self, path: str, body: bytes) -> Answer:
        """Return the answer; a change is saved to the file before."""
        try:
            return Answer(HTTPStatus.OK, self.paths[path](body))
        except BadRequest as error:
            return refusal(HTTPStatus.BAD_REQUEST, str(error))
        except OSError as error:
            return refusal(HTTPStatus.INSUFFICIENT_STORAGE, f"not saved: {error.strerror}")

    def _pages(self, body: bytes) -> bytes:
        decoded(body, _Nothing)
        pages = [self._summary(at) for at in range(len(self._session.pages))]
        return orjson.dumps({"roles": ROLES, "pages": pages})

    def _view(self, body: bytes) -> bytes:
        """Return the page for viewing, without scripts and anything that loads."""
        page = self._session.pages[self._at(decoded(body, _PageAsked))]
        return view_of(Page("", page.body, "text/html"))

    def _mark(self, body: bytes) -> bytes:
        asked = decoded(body, _Marked)
        at = self._at(asked)
        if asked.block >= len(self._session.pages[at].texts):
            raise BadRequest("block: the page has no such block")
        match asked:
            case _Marked(content=bool(is_content), role=None):
                self._session.mark(at, asked.block, is_content=is_content)
            case _Marked(content=None, role=str(role)) if role in ROLES:
                self._session.name_role(at, asked.block, role)
            case _:
                raise BadRequest(f"give content, or one of the roles {', '.join(ROLES)}")
        return self._shown(at)

    def _reason(self, body: bytes) -> bytes:
        asked = decoded(body, _Explained)
        at = self._at(asked)
        try:
            self._session.give_reason(at, asked.reason)
        except ValueError as error:
            raise BadRequest(str(error)) from error
        return self._shown(at)

    def _stepped(self, body: bytes, step: Callable[[], int | None]) -> bytes:
        decoded(body, _Nothing)
        at = step()
        return orjson.dumps({"at": None}) if at is None else self._shown(at)

    def _at(self, asked: _PageAsked) -> int:
        if asked.page >= len(self._session.pages):
            raise BadRequest("page: there is no such page")
        return asked.page

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

    def _shown(self, at: int) -> bytes:
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
        return orjson.dumps({**self._summary(at), "blocks": blocks})


def _gold(page: LabelledBlocks, block: int) -> str:
    share = page.shares[block]
    return "whole" if share >= WHOLE else "part" if share > 1 - WHOLE else "none"
