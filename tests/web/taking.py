"""Pictures of what a browser shows, for the documentation."""

import base64
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Browser, Page, ViewportSize

from tests.web.serving import ROOT

_PICTURES: Final = ROOT / "docs" / "pictures"
_MAX_BYTES: Final = 150_000
_QUALITY: Final = 75


def take(
    browser: Browser,
    name: str,
    show: Callable[[Page], object],
    size: tuple[int, int],
    *,
    dark: bool = False,
) -> None:
    """Write docs/pictures/NAME.webp of a size; `show` opens the page."""
    width, height = size
    viewport: ViewportSize = {"width": width, "height": height}
    scheme: Literal["light", "dark"] = "dark" if dark else "light"
    with browser.new_context(viewport=viewport, color_scheme=scheme) as context:
        page = context.new_page()
        show(page)
        page.wait_for_timeout(1000)  # frames are drawn when they like
        tools = context.new_cdp_session(page)
        asked = {"format": "webp", "quality": _QUALITY}
        taken = base64.b64decode(tools.send("Page.captureScreenshot", asked)["data"])
    if len(taken) > _MAX_BYTES:
        sys.exit(f"{name}.webp: {len(taken):,} bytes; a picture has at most {_MAX_BYTES:,}")
    (_PICTURES / f"{name}.webp").write_bytes(taken)
    print(f"{len(taken):>8,}  docs/pictures/{name}.webp")  # noqa: T201 - what was done


def file_of(path: Path) -> Callable[[Page], object]:
    """Return what opens a file."""
    return lambda page: page.goto(path.as_uri())
