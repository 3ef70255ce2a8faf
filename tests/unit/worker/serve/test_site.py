"""Routes, refusals and metrics of `winnow serve`, without a socket."""

import json
import pickle
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from aiohttp import StreamReader, web
from aiohttp.test_utils import make_mocked_request
from prometheus_client import generate_latest

from winnow.models.errors import Reason
from winnow.models.options import OPTION_NAMES, CleanerOptions
from winnow.worker.serve.asked import Form, PageAsked
from winnow.worker.serve.metrics import SERVE_METRICS, ServeMetrics
from winnow.worker.serve.openapi import described
from winnow.worker.serve.server import serve_limits
from winnow.worker.serve.site import ServeSite
from winnow.worker.serve.work import STATUSES
from winnow.worker.web.frames import Answer, refusal

URL = "https://example.org/"
HTML = {"Content-Type": "text/html"}
NO_URL = "a document needs a URL: give it as ?url= or in the header Url"
PARAMETERS = ", ".join(["url", *(name for name in OPTION_NAMES if name != "seen")])


class Fake:
    """Notes what it is asked, and answers the same to all."""

    def __init__(self, answer: Answer) -> None:
        self.asked: list[tuple[str, Any]] = []
        self._answer = answer

    async def answer(self, path: str, body: bytes) -> Answer:
        self.asked.append((path, pickle.loads(body)))
        return self._answer

    async def answer_in_turn(self, path: str, body: bytes) -> Answer:
        return await self.answer(path, body)


class Served:
    """The site with a fake that works for it."""

    def __init__(self, answer: Answer = Answer(200, b"{}"), waiting: int = 4) -> None:  # noqa: B008
        self.work = Fake(answer)
        self.metrics = ServeMetrics()
        limits = serve_limits(CleanerOptions(), 1, 10.0, waiting, 0)
        self._site = ServeSite(self.work, CleanerOptions(), limits, self.metrics)

    async def send(
        self, method: str, path: str, headers: Mapping[str, str] = HTML, body: bytes = b"<p>Bees."
    ) -> web.StreamResponse:
        content = StreamReader(Mock(), 1 << 16)
        content.feed_data(body)
        content.feed_eof()
        request = make_mocked_request(
            method,
            path,
            {"Host": "localhost", **headers},
            payload=content,
            client_max_size=1 << 23,
        )
        return await self._site.respond(request)

    async def error(self, *asked: Any, **others: Any) -> tuple[int, str, str]:  # noqa: ANN401
        response = await self.send(*asked, **others)
        assert isinstance(response, web.Response)
        assert isinstance(response.body, bytes)
        fields = json.loads(response.body)
        return response.status, fields["error"], fields.get("reason", "")


async def test_a_page_goes_to_a_process_with_all_options() -> None:
    served = Served(Answer(200, b"# Bees\n"))

    response = await served.send(
        "POST", f"/clean?url={URL}&links=keep", {**HTML, "Accept": "text/markdown"}
    )

    assert response.status == 200
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    ((path, asked),) = served.work.asked
    assert path == "/clean"
    assert isinstance(asked, PageAsked)
    assert (asked.page.url, asked.page.body, asked.page.content_type) == (
        URL,
        b"<p>Bees.",
        "text/html",
    )
    assert (asked.form, asked.options.links, asked.options.format) == (
        Form.MARKDOWN,
        "keep",
        "markdown",
    )


@pytest.mark.parametrize(
    ("method", "path", "headers", "expected"),
    [
        ("POST", "/no-such", HTML, (404, "not found", "")),
        ("GET", "/clean", HTML, (405, "POST only", "")),
        ("POST", "/metrics", HTML, (405, "GET only", "")),
        ("POST", "/clean", HTML, (400, NO_URL, "no_url")),
        ("POST", f"/clean?url={URL}", {**HTML, "Accept": "image/png"},
         (406, "Accept must include one of application/json, text/markdown, text/plain", "")),
        ("POST", f"/explain?url={URL}", {**HTML, "Accept": "text/plain"},
         (406, "Accept must include one of application/json", "")),
        ("POST", "/clean", {"Content-Type": "application/x-ndjson", "Accept": "text/plain"},
         (406, "Accept must include one of application/x-ndjson", "")),
        ("POST", "/clean", {"Content-Type": "application/x-ndjson"}, (503, "busy: try again", "")),
        ("POST", f"/clean?url={URL}", {**HTML, "Content-Encoding": "gzip"},
         (415, "content must not be encoded", "")),
        ("POST", f"/clean?url={URL}", {**HTML, "Content-Length": "8388609"},
         (413, "a request has at most 8388608 bytes", "too_large")),
        ("POST", f"/clean?url={URL}", {**HTML, "Expect": "magic"},
         (417, "Expect must be 100-continue", "")),
        ("POST", f"/clean?url={URL}", {**HTML, "Origin": "https://example.com"},
         (403, "sent by another site", "")),
        ("POST", f"/clean?url={URL}", {**HTML, "Sec-Fetch-Site": "cross-site"},
         (403, "sent by another site", "")),
        ("POST", "/clean?linkz=keep&url=a://b", HTML,
         (400, f"unknown parameter 'linkz'; use {PARAMETERS}", "")),
    ],
)  # fmt: skip
async def test_invalid_requests_are_refused_before_any_work(
    method: str, path: str, headers: dict[str, str], expected: tuple[int, str, str]
) -> None:
    served = Served()

    assert await served.error(method, path, headers) == expected
    assert served.work.asked == []


async def test_a_curl_form_is_answered_with_how_to_send_a_page() -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}

    status, why, reason = await Served().error("POST", f"/clean?url={URL}", headers)

    assert (status, reason) == (415, "not_html")
    assert "-H 'Content-Type: text/html'" in why


async def test_requests_beyond_the_queue_are_refused() -> None:
    response = await Served(waiting=-1).send("POST", f"/clean?url={URL}")

    assert response.status == 503
    assert response.headers["Retry-After"] == "1"


async def test_why_a_page_gives_no_document_is_passed_on() -> None:
    served = Served(refusal(STATUSES[Reason.TIMEOUT], "stopped", Reason.TIMEOUT))

    assert await served.error("POST", f"/clean?url={URL}") == (504, "stopped", "timeout")


def test_each_reason_has_a_status() -> None:
    assert STATUSES.keys() == set(Reason)


async def test_requests_are_counted_by_path_and_status_alone() -> None:
    served = Served()
    for path in ("/clean", "/no-such", "/no-such/2"):
        await served.send("POST", path)

    counted = generate_latest(served.metrics.registry).decode()

    assert 'winnow_serve_requests_total{path="/clean",status="400"} 1.0' in counted
    assert 'winnow_serve_requests_total{path="other",status="404"} 2.0' in counted
    assert "winnow_serve_at_work 0.0" in counted
    for metric in SERVE_METRICS:
        assert f"# HELP {metric.name.removesuffix('_total')}" in counted


@pytest.mark.parametrize("path", ["/", "/livez", "/readyz", "/metrics", "/openapi.json"])
async def test_every_path_answers_get(path: str) -> None:
    assert (await Served().send("GET", path)).status == 200


def test_the_description_has_each_option_with_what_it_means() -> None:
    described_clean = json.loads(described())["paths"]["/clean"]["post"]
    by_name = {each["name"]: each for each in described_clean["parameters"]}

    assert ", ".join(n for n, each in by_name.items() if each["in"] == "query") == PARAMETERS
    assert all(each["description"] for each in by_name.values())
    assert by_name["comments"]["schema"] == {"enum": ["auto", "keep", "drop"], "default": "auto"}


def test_docs_serve_md_has_the_metrics_and_the_statuses() -> None:
    page = (Path(__file__).parents[4] / "docs" / "serve.md").read_text()

    for each in SERVE_METRICS:
        labels = ", ".join(f"`{label}`" for label in each.labels)
        assert f"| `{each.name}` | {each.kind} | {labels} | {each.meaning} |" in page
    refusals = page.partition("## Refusals")[2].partition("## ")[0]
    for reason, status in STATUSES.items():
        if reason not in {Reason.TOMBSTONE, Reason.UNREADABLE}:  # of records and files
            assert re.search(rf"^\| {int(status)} \|.*`{reason}`", refusals, re.MULTILINE), reason
