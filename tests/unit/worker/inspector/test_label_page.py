"""The API of the labelling tool: what it answers, refuses, and lets a shown page do."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from winnow.lab.label.pages import LabelledBlocks
from winnow.lab.label.server import application
from winnow.lab.label.session import Session

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

Client = TestClient[Any, Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "patches.jsonl"


@pytest.fixture
async def client(path: Path) -> AsyncIterator[Client]:
    server = TestServer(application(Session([PAGE, replace(PAGE, page_id="2")], path)))
    async with TestClient(server) as client:
        yield client


def saved(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


async def post(client: Client, path: str, fields: object) -> dict[str, Any]:
    answer = await client.post(path, json=fields)
    told: dict[str, Any] = await answer.json()
    return told | {"status": answer.status}


async def test_it_tells_pages_and_blocks(client: Client) -> None:
    pages = await (await client.get("/api/pages")).json()
    page = await (await client.get("/api/pages/1")).json()

    assert [each["name"] for each in pages["pages"]] == ["mine/1", "mine/2"]
    assert page["blocks"] == [
        {"text": "Bees", "gold": "whole", "content": True, "kept": True, "role": "other"}
        | {"changed": False},
        {"text": "Home", "gold": "none", "content": False, "kept": True, "role": "other"}
        | {"changed": False},
    ]


async def test_a_change_is_told_and_taken_back(client: Client, path: Path) -> None:
    page = await post(client, "/api/pages/0/blocks/1", {"content": True})
    assert page["blocks"][1]["content"] is True
    assert b'"content":[1]' in saved(path)
    assert (await post(client, "/api/pages/0/blocks/1", {"role": "byline"}))["changes"] == 2
    assert (await post(client, "/api/pages/0/reason", {"reason": "so"}))["reason"] == "so"

    for _ in range(3):
        page = await post(client, "/api/undo", {})

    assert page["blocks"][1]["content"] is False
    assert (await post(client, "/api/undo", {}))["at"] is None
    assert (await post(client, "/api/redo", {}))["changes"] == 1


@pytest.mark.parametrize(
    ("route", "fields", "status"),
    [
        ("/api/pages/2/blocks/0", {"content": True}, 404),
        ("/api/pages/0/blocks/2", {"content": True}, 404),
        ("/api/pages/0/blocks/-1", {"content": True}, 404),
        ("/api/pages/0/blocks/0", {"content": 1}, 400),
        ("/api/pages/0/blocks/0", {"role": "advert"}, 400),
        ("/api/pages/0/blocks/0", [], 400),
        ("/api/pages/0/reason", {"reason": "a" * 2001}, 400),
        ("/api/pages/0/reason", {"reason": 1}, 400),
        ("/api/pages/0/reason", {"reason": "a" * 70_000}, 413),
        ("/api/pages", {}, 405),
    ],
)
async def test_what_says_nothing_is_refused(
    client: Client, route: str, fields: object, status: int
) -> None:
    told = await post(client, route, fields)

    assert told["status"] == status
    assert told["error"]


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
async def test_what_another_site_sends_is_refused(
    client: Client, path: Path, headers: dict[str, str], status: int
) -> None:
    given = {"Content-Type": "application/json"} | headers

    answer = await client.post("/api/pages/0/blocks/1", data='{"content": true}', headers=given)

    assert answer.status == status
    assert saved(path) == b""


async def test_a_page_is_shown_without_what_would_start(client: Client) -> None:
    answer = await client.get("/api/pages/0/view")

    assert "<script" not in await answer.text()
    assert "http-equiv" not in await answer.text()
    assert "<style>p{}</style>" in await answer.text()
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("sandbox; default-src 'none'; style-src 'unsafe-inline'")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_page_that_is_text_is_shown_as_text(path: Path) -> None:
    page = replace(PAGE, body=b"a < b & c")
    async with TestClient(TestServer(application(Session([page], path)))) as client:
        shown = await (await client.get("/api/pages/0/view")).text()

    assert "a &lt; b &amp; c" in shown or "a < b &amp; c" in shown


@pytest.mark.parametrize("name", ["/", "/label.js", "/label.css"])
async def test_it_brings_its_own_files(client: Client, name: str) -> None:
    answer = await client.get(name)

    assert answer.status == 200
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")


async def test_a_full_disk_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("winnow.lab.label.session.replace_file", full)

    told = await post(client, "/api/pages/0/blocks/1", {"content": True})

    assert (told["status"], told["error"]) == (507, "not saved: No space left on device")
