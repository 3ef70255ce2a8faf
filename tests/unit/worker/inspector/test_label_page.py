"""The page of `winnow label`: what it answers, refuses, and lets a shown page do."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from winnow.lab.label.pages import LabelledBlocks
from winnow.lab.label.session import Session
from winnow.worker.inspector.labels import LABEL_LIMITS, label_site
from winnow.worker.inspector.site import serve_site

BODY = (
    b"<script>alert(1)</script><meta http-equiv=refresh content=0><p>Bees<p>Home<style>p{}</style>"
)
PAGE = LabelledBlocks(
    set_name="mine",
    page_id="1",
    url="",
    body=BODY,
    gold="Bees",
    f1=0.5,
    texts=("Bees", "Home"),
    shares=(1.0, 0.0),
    kept=(True, True),
    roles=("other", "other"),
)

Client = aiohttp.ClientSession


@asynccontextmanager
async def served(pages: Sequence[LabelledBlocks], path: Path) -> AsyncIterator[Client]:
    site = label_site(Session(pages, path))
    async with (
        serve_site("127.0.0.1", 0, site, (), LABEL_LIMITS) as port,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client,
    ):
        yield client


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "patches.jsonl"


@pytest.fixture
async def client(path: Path) -> AsyncIterator[Client]:
    async with served([PAGE, replace(PAGE, page_id="2")], path) as client:
        yield client


def saved(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


async def post(client: Client, path: str, fields: object) -> dict[str, Any]:
    answer = await client.post(path, json=fields)
    reply: dict[str, Any] = await answer.json()
    return reply | {"status": answer.status}


async def test_the_api_lists_pages_and_blocks(client: Client) -> None:
    pages = await post(client, "/api/pages", {})
    page = await post(client, "/api/page", {"page": 1})

    assert [each["name"] for each in pages["pages"]] == ["mine/1", "mine/2"]
    assert page["blocks"] == [
        {"text": "Bees", "gold": "whole", "content": True, "kept": True, "role": "other"}
        | {"changed": False},
        {"text": "Home", "gold": "none", "content": False, "kept": True, "role": "other"}
        | {"changed": False},
    ]


async def test_a_change_is_saved_and_undone(client: Client, path: Path) -> None:
    page = await post(client, "/api/mark", {"page": 0, "block": 1, "content": True})
    assert page["blocks"][1]["content"] is True
    assert b'"content":[1]' in saved(path)
    assert (await post(client, "/api/mark", {"page": 0, "block": 1, "role": "byline"}))[
        "changes"
    ] == 2
    assert (await post(client, "/api/reason", {"page": 0, "reason": "so"}))["reason"] == "so"

    for _ in range(3):
        page = await post(client, "/api/undo", {})

    assert page["blocks"][1]["content"] is False
    assert (await post(client, "/api/undo", {}))["at"] is None
    assert (await post(client, "/api/redo", {}))["changes"] == 1


@pytest.mark.parametrize(
    ("route", "fields", "status"),
    [
        ("/api/page", {"page": 2}, 400),
        ("/api/page", {"page": -1}, 400),
        ("/api/page", {"page": 1 << 70}, 400),
        ("/api/page", {}, 400),
        ("/api/mark", {"page": 2, "block": 0, "content": True}, 400),
        ("/api/mark", {"page": 0, "block": 2, "content": True}, 400),
        ("/api/mark", {"page": 0, "block": -1, "content": True}, 400),
        ("/api/mark", {"page": 0, "block": 0, "content": 1}, 400),
        ("/api/mark", {"page": 0, "block": 0, "role": "advert"}, 400),
        ("/api/mark", {"page": 0, "block": 0}, 400),
        ("/api/mark", {"page": 0, "block": 0, "content": True, "role": "byline"}, 400),
        ("/api/mark", [], 400),
        ("/api/reason", {"page": 0, "reason": "a" * 2001}, 400),
        ("/api/reason", {"page": 0, "reason": 1}, 400),
        ("/api/reason", {"page": 2, "reason": ""}, 400),
        ("/api/reason", {"page": 0, "reason": "a" * 70_000}, 413),
        ("/api/undo", {"page": 0}, 400),
        ("/api/explain", {"html": "<p>Bees"}, 404),
        ("/label.js", {}, 405),
    ],
)
async def test_a_request_without_a_change_is_refused(
    client: Client, path: Path, route: str, fields: object, status: int
) -> None:
    reply = await post(client, route, fields)

    assert reply["status"] == status
    assert reply["error"]
    assert saved(path) == b""


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example:6081"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
    ],
)
async def test_requests_of_another_site_are_refused(
    client: Client, path: Path, headers: dict[str, str], status: int
) -> None:
    given = {"Content-Type": "application/json"} | headers

    sent = '{"page": 0, "block": 1, "content": true}'

    answer = await client.post("/api/mark", data=sent, headers=given)

    assert answer.status == status
    assert saved(path) == b""


async def shown(client: Client, at: int) -> aiohttp.ClientResponse:
    """Send what the form of the page's frame sends."""
    form = aiohttp.FormData(default_to_multipart=True)
    form.add_field("page", f'{{"page": {at}}}')
    origin = {"Origin": str(client._base_url).removesuffix("/")}
    return await client.post("/api/view", data=form, headers=origin)


async def test_a_page_is_shown_without_anything_that_runs(client: Client) -> None:
    answer = await shown(client, 0)

    assert "<script" not in await answer.text()
    assert "http-equiv" not in await answer.text()
    assert "<style>p{}</style>" in await answer.text()
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("sandbox; default-src 'none'; style-src 'unsafe-inline'")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_missing_page_is_not_shown(client: Client) -> None:
    answer = await shown(client, 2)

    assert (answer.status, "cannot be shown" in await answer.text()) == (400, True)


async def test_a_page_that_is_text_is_shown_as_text(path: Path) -> None:
    async with served([replace(PAGE, body=b"a < b & c")], path) as client:
        text = await (await shown(client, 0)).text()

    assert "a &lt; b &amp; c" in text or "a < b &amp; c" in text


@pytest.mark.parametrize(
    "name", ["/", "/label.js", "/label.css", "/api.js", "/base.css", "/dom.js", "/icon.svg"]
)
async def test_it_brings_its_own_files(client: Client, name: str) -> None:
    answer = await client.get(name)

    assert answer.status == 200
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")


async def test_a_full_disk_is_reported(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("winnow.lab.label.session.replace_file", full)

    reply = await post(client, "/api/mark", {"page": 0, "block": 1, "content": True})

    assert (reply["status"], reply["error"]) == (507, "not saved: No space left on device")
