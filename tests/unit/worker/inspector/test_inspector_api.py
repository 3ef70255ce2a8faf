"""The JSON API of the inspector, over HTTP."""

import asyncio
import base64
import io
import json
import re
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import jsonschema
import pytest
from yarl import URL

from winnow.models.engines.choice import ENGINES
from winnow.models.ngram import LanguageModels
from winnow.models.options import CleanerOptions
from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.inspector.answers import answer_to
from winnow.worker.inspector.asked import MAX_BLOCKS
from winnow.worker.inspector.server import serve_work
from winnow.worker.inspector.work import MAX_SENTENCES, Inspector
from winnow.worker.web.frames import Answer
from winnow.worker.web.guard import RateLimit
from winnow.worker.web.limits import DEFAULT_WEB_LIMITS, WebLimits

EXPLAIN = "/api/explain"
PAGE = Path(__file__).resolve().parents[4] / "docs" / "inspector.md"
Post = Callable[..., Awaitable[tuple[int, dict[str, Any]]]]


@pytest.fixture(scope="module")
def inspector() -> Inspector:
    return Inspector(CleanerOptions(), LanguageModels.shipped())


class InThread:
    """Works in this process: its processes have tests of their own."""

    def __init__(self, inspector: Inspector) -> None:
        self._inspector = inspector

    async def answer(self, path: str, body: bytes) -> Answer:
        return await asyncio.to_thread(answer_to, self._inspector, path, body)


@asynccontextmanager
async def serve(
    inspector: Inspector, names: Collection[str] = (), limits: WebLimits = DEFAULT_WEB_LIMITS
) -> AsyncIterator[int]:
    async with serve_work("127.0.0.1", 0, InThread(inspector), names, limits) as port:
        yield port


@asynccontextmanager
async def served(
    inspector: Inspector, limits: WebLimits = DEFAULT_WEB_LIMITS, **headers: str
) -> AsyncIterator[aiohttp.ClientSession]:
    async with serve(inspector, (), limits) as port:
        base = f"http://127.0.0.1:{port}"
        async with aiohttp.ClientSession(base, headers=headers) as client:
            yield client


@pytest.fixture
async def client(inspector: Inspector) -> AsyncIterator[aiohttp.ClientSession]:
    async with served(inspector) as client:
        yield client


@pytest.fixture
def post(client: aiohttp.ClientSession) -> Post:
    async def send(path: str, fields: object, **headers: str) -> tuple[int, dict[str, Any]]:
        async with client.post(path, json=fields, headers=headers) as answer:
            return answer.status, await answer.json()

    return send


async def described(client: aiohttp.ClientSession) -> dict[str, Any]:
    async with client.get("/openapi.json") as answer:
        document: dict[str, Any] = await answer.json()
        return document


async def test_explain_gives_the_verdict_of_each_block_of_a_sample(post: Post) -> None:
    status, reply = await post(EXPLAIN, {"sample": "article.html"})

    assert status == 200
    assert reply["document"]["title"] == "How the harbour town saved its lighthouse"
    assert {each["verdict"] for each in reply["blocks"]} == {"kept", "boilerplate"}
    assert "markup" not in reply


async def test_the_request_of_docs_inspector_md_is_answered(client: aiohttp.ClientSession) -> None:
    (block,) = re.findall(r"```sh\n(curl .*?)\n```", PAGE.read_text())
    _, _, url, _, header, _, body = shlex.split(block)
    name, value = header.split(": ")

    async with client.post(URL(url).path, data=body, headers={name: value}) as answer:
        reply = await answer.json()

    assert answer.status == 200
    assert reply["document"]["engine"] == "contrast"


async def test_why_says_what_weighed_in_one_block(
    post: Post, client: aiohttp.ClientSession
) -> None:
    status, reply = await post("/api/why", {"sample": "article.html", "block": 1})

    assert status == 200
    schema = {"$ref": "#/components/schemas/Why", **await described(client)}
    jsonschema.validate(reply, schema)
    assert reply["block"] == 1
    assert {each["kind"] for each in reply["influences"]} == {"word", "label", "block"}


async def test_why_of_an_engine_without_probabilities_is_refused(post: Post) -> None:
    asked = {"sample": "article.html", "block": 1, "options": {"engine": "contrast"}}

    status, reply = await post("/api/why", asked)

    assert status == 400
    assert "use hybrid" in reply["error"]


async def test_a_page_may_be_text_or_bytes_of_any_charset(post: Post) -> None:
    russian = (SAMPLES / "russian-windows-1251.html").read_bytes()
    text = russian.decode("windows-1251")

    _, of_bytes = await post(EXPLAIN, {"body": base64.b64encode(russian).decode(), "markup": True})
    _, of_text = await post(EXPLAIN, {"html": text})

    assert of_bytes["document"]["text"] == of_text["document"]["text"]
    assert of_bytes["markup"] == text


async def test_clean_gives_document_and_stats_as_the_stream_does(post: Post) -> None:
    options = {"engine": "perplexity", "threshold": 1e12, "format": "markdown"}
    asked = {"html": "<h1>Bees</h1><p>The bees find more flowers in the city.", "options": options}

    status, reply = await post("/api/clean", asked)

    assert status == 200
    assert reply["document"]["text"].startswith("# Bees\n\nThe bees")
    assert reply["stats"]["sentences_kept"] == 2


async def test_score_shows_the_contribution_of_each_token(post: Post) -> None:
    status, reply = await post("/api/score", {"text": "A qzxv text.", "explain": True})

    assert status == 200
    token = reply["explained"][0][1]
    assert (token["text"], token["order"]) == ("qzxv", 0)
    assert token["log2_prob"] < -10


@pytest.mark.parametrize(
    ("path", "asked", "name"),
    [
        (EXPLAIN, {"sample": "forum.html", "markup": True}, "Explanation"),
        (EXPLAIN, {"sample": "forum.html", "options": {"engine": "contrast"}}, "Explanation"),
        ("/api/clean", {"sample": "forum.html"}, "Cleaned"),
        ("/api/score", {"text": "A text.", "explain": True}, "Score"),
    ],
)
async def test_answers_are_as_the_openapi_document_says(
    post: Post, client: aiohttp.ClientSession, path: str, asked: dict[str, Any], name: str
) -> None:
    schemas = await described(client)
    _, reply = await post(path, asked)

    jsonschema.validate(reply, {"$ref": f"#/components/schemas/{name}", **schemas})


async def test_openapi_names_all_paths_and_languages(client: aiohttp.ClientSession) -> None:
    document = await described(client)
    async with client.get("/api/options") as answer:
        options = await answer.json()

    asked = document["components"]["schemas"]["ScoreRequest"]["properties"]
    assert asked["language"]["enum"] == options["languages"]
    for path, methods in document["paths"].items():
        for method in methods:
            async with client.request(method, path, json={}) as answer:
                assert answer.status in {200, 400}


async def test_options_equal_the_options_of_a_cleaner_without_a_memory(
    client: aiohttp.ClientSession,
) -> None:
    async with client.get("/api/options") as answer:
        reply = await answer.json()

    assert reply["engines"].keys() == ENGINES.keys()
    assert reply["engines"]["perplexity"]["is_logarithmic"]
    assert "comments" in reply["engines"]["hybrid"]["own_options"]
    assert "comments" in reply["engines"]["contrast"]["unknown"]
    assert reply["options"]["comments"] == {"default": "auto", "choices": ["auto", "keep", "drop"]}
    assert not {"seen", "spans"} & reply["options"].keys()


@pytest.mark.parametrize(
    ("asked", "status", "why"),
    [
        ({}, 400, "exactly one of html, body and sample"),
        ({"html": "a", "sample": "forum.html"}, 400, "exactly one of html, body and sample"),
        ({"sample": "../samples/forum.html"}, 400, "sample: not found"),
        ({"sample": "/etc/passwd"}, 400, "sample: not found"),
        ({"body": "%%%"}, 400, "not valid base64"),
        ({"html": "a", "url": "here"}, 400, "must be absolute"),
        ({"html": "a", "file": "x"}, 400, "unknown field `file`"),
        ({"html": 3}, 400, "Expected `str | null`"),
        ({"html": "a", "blocks": -1}, 400, "Expected `int` >= 0"),
        ({"html": "a", "blocks": 5001}, 400, "Expected `int` <= 5000"),
        ({"html": "a", "options": {"seen": 2}}, 400, "unknown seen"),
        ({"html": "a", "options": {"engine": "magic"}}, 400, "unknown engine 'magic'"),
        ({"html": "a", "options": {"threshold": "nan"}}, 400, "threshold must be finite"),
        ({"html": "a", "options": {"threshold": 2}}, 400, "must be a probability"),
        ({"body": base64.b64encode(b"%PDF-1.7").decode()}, 422, "PDF"),
        ({"html": ""}, 422, "no bytes but white space"),
        ({"html": "<b>" * 600}, 422, "more than 512"),
        ([1], 400, "Expected `object`"),
    ],
)
async def test_invalid_requests_are_refused_with_a_reason(
    post: Post, asked: object, status: int, why: str
) -> None:
    answered, reply = await post(EXPLAIN, asked)

    assert answered == status
    assert why in reply["error"]


async def test_bytes_that_are_not_json_are_refused(client: aiohttp.ClientSession) -> None:
    for body in (b"{", b"\xff\xfe", b"[" * 100_000, b'{"html":"\\ud800"}'):
        headers = {"Content-Type": "application/json"}
        async with client.post(EXPLAIN, data=body, headers=headers) as answer:
            assert answer.status == 400


async def test_only_json_is_taken_so_that_no_form_of_another_site_can_ask(
    client: aiohttp.ClientSession,
) -> None:
    async with client.post(EXPLAIN, data={"html": "a"}) as answer:
        assert answer.status == 415


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "a@127.0.0.1", "127.0.0.1/"],
)
async def test_a_foreign_host_header_is_refused(client: aiohttp.ClientSession, host: str) -> None:
    for path in ("/", "/api/samples", "/openapi.json"):
        async with client.get(path, headers={"Host": host}) as answer:
            assert answer.status in {400, 421}


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:6080", "[::1]:80", "10.1.2.3"])
async def test_localhost_and_addresses_are_ours(client: aiohttp.ClientSession, host: str) -> None:
    async with client.get("/", headers={"Host": host}) as answer:
        assert answer.status == 200


async def test_a_host_that_was_given_is_ours(inspector: Inspector) -> None:
    async with (
        serve(inspector, ["look.example"]) as port,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client,
        client.get("/", headers={"Host": "Look.example"}) as answer,
    ):
        assert answer.status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_a_post_of_another_site_is_refused(post: Post, headers: dict[str, str]) -> None:
    status, reply = await post(EXPLAIN, {"html": "a"}, **headers)

    assert (status, reply["error"]) == (403, "sent by another site")


async def test_methods_that_read_nothing_are_refused(client: aiohttp.ClientSession) -> None:
    for method, path in (("GET", EXPLAIN), ("PUT", EXPLAIN), ("POST", "/"), ("DELETE", "/")):
        async with client.request(method, path) as answer:
            assert answer.status == 405
            assert answer.headers["Allow"]


@pytest.mark.parametrize(
    "path",
    ["/../asked.py", "/%2e%2e/asked.py", "/static/", "/index.html/..", "//etc/passwd", "/\\.."],
)
async def test_paths_lead_only_to_files_of_the_page(inspector: Inspector, path: str) -> None:
    async with serve(inspector) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        status = await reader.readline()
        writer.close()
        assert status.split()[1] in {b"400", b"404"}


async def test_a_body_above_the_limit_is_refused_before_it_is_read(inspector: Inspector) -> None:
    async with served(inspector, WebLimits(body_bytes=1000)) as client:
        async with client.post(EXPLAIN, json={"html": "x" * 2000}) as answer:
            assert answer.status == 413

        async def chunks() -> AsyncIterator[bytes]:
            for _ in range(50):
                yield b" " * 100

        headers = {"Content-Type": "application/json"}
        async with client.post(EXPLAIN, data=chunks(), headers=headers) as answer:
            assert answer.status == 413


async def test_a_body_of_fifty_megabytes_is_refused_unread(inspector: Inspector) -> None:
    async with serve(inspector) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b"POST /api/explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 50000000\r\n\r\n{"
        )
        status = await reader.readline()
        writer.close()
        assert status.split()[1] == b"413"


async def test_a_client_that_does_not_send_its_body_gets_an_error(inspector: Inspector) -> None:
    async with serve(inspector, (), WebLimits(body_s=0.05)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b"POST /api/explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 10\r\n\r\n{"
        )
        answer = await reader.read()
        writer.close()
        assert answer.split()[1] == b"408"


async def test_thousands_of_connections_do_not_block_another(inspector: Inspector) -> None:
    async with serve(inspector) as port:
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(1000)]
        async with (
            aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client,
            client.get("/api/samples") as answer,
        ):
            assert answer.status == 200
        for _, writer in idle:
            writer.close()


async def test_a_client_with_too_many_requests_gets_a_retry_time(
    inspector: Inspector,
) -> None:
    async with served(inspector, WebLimits(rate=0.001, burst=2)) as client:
        answers = [await client.post(EXPLAIN, json={"html": "a"}) for _ in range(3)]

    assert [each.status for each in answers] == [200, 200, 429]
    assert int(answers[-1].headers["Retry-After"]) >= 900


async def test_requests_beyond_the_queue_are_refused(inspector: Inspector) -> None:
    async with (
        served(inspector, WebLimits(processes=1, waiting=-1)) as client,
        client.post(EXPLAIN, json={"html": "a"}) as answer,
    ):
        assert answer.status == 503
        assert answer.headers["Retry-After"] == "1"


def test_a_bucket_fills_with_time() -> None:
    now = 0.0
    limit = RateLimit(2.0, 1.0, lambda: now)

    assert limit.wait_s("a") == 0
    assert limit.wait_s("a") == 0.5
    assert limit.wait_s("b") == 0
    now = 0.5
    assert limit.wait_s("a") == 0


async def test_blocks_beyond_the_limit_are_left_out(post: Post) -> None:
    status, reply = await post(EXPLAIN, {"html": "<p>a" * (MAX_BLOCKS + 7)})

    assert (status, len(reply["blocks"]), reply["blocks_left_out"]) == (200, MAX_BLOCKS, 7)


@pytest.mark.timeout(60)
async def test_the_first_blocks_of_a_huge_page_are_explained_and_a_million_refused(
    inspector: Inspector,
) -> None:
    async def post(client: aiohttp.ClientSession, blocks: int) -> tuple[int, dict[str, Any]]:
        body = io.BytesIO(json.dumps({"html": "<p>a" * blocks}).encode())
        headers = {"Content-Type": "application/json"}
        async with client.post(EXPLAIN, data=body, headers=headers) as answer:
            return answer.status, await answer.json()

    most = 499_990  # an element and a text each
    async with served(inspector, WebLimits(work_s=50)) as client:
        status, reply = await post(client, most)
        assert (status, reply.get("error")) == (200, None)
        assert len(reply["blocks"]) == MAX_BLOCKS
        assert reply["blocks_left_out"] == most - MAX_BLOCKS

        status, reply = await post(client, 1_000_000)
        assert (status, reply["reason"]) == (422, "too_many_nodes")


async def test_answers_that_nobody_reads_hold_no_place(inspector: Inspector) -> None:
    asked = json.dumps({"html": "<p>Bees find more flowers in the city." * 5000}).encode()
    head = (
        "POST /api/explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(asked)}\r\n\r\n"
    )
    limits = WebLimits(processes=1, waiting=0)
    async with serve(inspector, (), limits) as port:
        unread = []
        for _ in range(3):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
            writer.write(head.encode() + asked)
            assert await reader.read(1) == b"H"
            unread.append(writer)
        async with (
            aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client,
            client.post("/api/clean", json={"html": "<p>Bees."}) as answer,
        ):
            assert answer.status == 200
        for writer in unread:
            writer.transport.abort()


async def test_a_shorter_list_of_blocks_may_be_requested(post: Post) -> None:
    _, whole = await post(EXPLAIN, {"sample": "article.html"})

    _, reply = await post(EXPLAIN, {"sample": "article.html", "blocks": 3})

    assert reply["blocks"] == whole["blocks"][:3]
    assert reply["blocks_left_out"] == len(whole["blocks"]) - 3
    assert reply["document"] == whole["document"]
    assert reply["perplexities"] == whole["perplexities"]


async def test_sentences_beyond_the_limit_are_left_out(post: Post) -> None:
    sentences = MAX_SENTENCES + 7
    status, reply = await post(EXPLAIN, {"html": f"<p>{'Bees fly. ' * sentences}"})

    assert (status, reply["sentences_left_out"]) == (200, 7)
    assert len(reply["blocks"][0]["sentences"]) == MAX_SENTENCES


HOSTILE = (
    '<script>alert(1)</script><meta http-equiv=refresh content="0;url=http://evil.example">'
    '<iframe src=http://evil.example></iframe><link rel=preconnect href=http://evil.example>'
    '<base href=http://evil.example><svg><script>alert(2)</script></svg>'
    '<object data=http://evil.example></object><p>Bees find flowers.'
)  # fmt: skip


async def viewed(
    client: aiohttp.ClientSession, page: object, **headers: str
) -> tuple[int, str, str]:
    form = aiohttp.FormData({"page": json.dumps(page)}, default_to_multipart=True)
    async with client.post("/api/view", data=form, headers=headers) as answer:
        return answer.status, answer.headers["Content-Security-Policy"], await answer.text()


async def test_a_view_is_sandboxed_and_holds_nothing_that_starts(
    client: aiohttp.ClientSession,
) -> None:
    origin = str(client._base_url).rstrip("/")

    status, policy, markup = await viewed(client, {"html": HOSTILE}, Origin=origin)

    assert status == 200
    assert policy.startswith("sandbox; default-src 'none'")
    assert "Bees find flowers." in markup
    assert "evil.example" not in markup
    assert "alert" not in markup


async def test_a_view_of_text_is_text(client: aiohttp.ClientSession) -> None:
    origin = str(client._base_url).rstrip("/")
    body = base64.b64encode(b"Bees & <flowers>").decode()

    _, _, markup = await viewed(client, {"body": body, "content_type": "text/plain"}, Origin=origin)

    assert "Bees &amp; &lt;flowers>" in markup


async def test_a_view_is_served_only_to_our_page(client: aiohttp.ClientSession) -> None:
    assert (await viewed(client, {"html": "a"}))[0] == 415
    assert (await viewed(client, {"html": "a"}, Origin="http://evil.example"))[0] == 403


async def test_a_page_that_cannot_be_viewed_is_a_page_that_says_so(
    client: aiohttp.ClientSession,
) -> None:
    origin = str(client._base_url).rstrip("/")

    status, policy, markup = await viewed(client, {"html": ""}, Origin=origin)

    assert status == 422
    assert policy.startswith("sandbox")
    assert "cannot be shown" in markup


async def test_every_answer_forbids_what_it_does_not_need(client: aiohttp.ClientSession) -> None:
    for path in ("/", "/api/samples", "/no-such", "/openapi.json"):
        async with client.get(path) as answer:
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
            assert "Access-Control-Allow-Origin" not in answer.headers
