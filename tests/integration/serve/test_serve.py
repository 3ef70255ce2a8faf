"""`winnow serve` on loopback: real requests, clients that are slow or gone, stops."""

import asyncio
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.services.processes import children_of
from winnow.worker.batch.inputs import SAMPLES

pytestmark = [pytest.mark.integration, pytest.mark.timeout(180)]

ROOT = Path(__file__).parents[3]
URL = "https://example.org/lighthouse"
ARTICLE = (SAMPLES / "article.html").read_bytes()
HTML = {"Content-Type": "text/html; charset=utf-8", "Url": URL}
LINES = {"Content-Type": "application/x-ndjson"}


@dataclass
class Serve:
    """A running `winnow serve`."""

    process: subprocess.Popen[str]
    port: int

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def children(self) -> list[int]:
        return children_of(self.process.pid)

    def hang(self) -> None:
        """Stop all processes: what they are asked is never done."""
        for pid in self.children():
            os.kill(pid, signal.SIGSTOP)

    def go_on(self) -> None:
        for pid in self.children():
            os.kill(pid, signal.SIGCONT)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)


@contextmanager
def serving(*arguments: str) -> Iterator[Serve]:
    command = [sys.executable, "-m", "winnow", "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        said = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, said
        yield Serve(process, int(found[1]))
        process.kill()


@pytest.fixture(scope="module")
def serve() -> Iterator[Serve]:
    with serving("--processes", "2", "--page-seconds", "20") as serve:
        yield serve


@pytest.fixture
async def client(serve: Serve) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(serve.origin) as client:
        yield client


def head(path: str, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: text/html", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def message(number: int, html: str = "<p>The bees find more flowers in the city.") -> bytes:
    return json.dumps({"url": f"https://example.org/{number}", "html": html}).encode() + b"\n"


async def post(
    client: aiohttp.ClientSession, path: str, body: bytes, **headers: str
) -> tuple[int, str, bytes]:
    async with client.post(path, data=io.BytesIO(body), headers={**HTML, **headers}) as answer:
        return answer.status, answer.headers["Content-Type"], await answer.read()


async def test_a_page_is_answered_as_the_stream_publishes_it(client: aiohttp.ClientSession) -> None:
    status, content_type, body = await post(client, "/clean", ARTICLE)

    document = json.loads(body)
    assert (status, content_type) == (200, "application/json")
    assert document["url"] == URL
    assert document["title"] == "How the harbour town saved its lighthouse"
    assert "believed that anything could be done about it" in document["text"]


async def test_accept_chooses_markdown_or_text(client: aiohttp.ClientSession) -> None:
    _, content_type, markdown = await post(client, "/clean", ARTICLE, Accept="text/markdown")
    _, _, text = await post(client, "/clean", ARTICLE, Accept="text/plain")

    assert content_type == "text/markdown; charset=utf-8"
    assert markdown.startswith(b"# How the harbour town saved its lighthouse\n")
    assert text.startswith(b"How the harbour town saved its lighthouse\n")


async def test_the_content_type_gives_the_charset(client: aiohttp.ClientSession) -> None:
    page = "<p>Вечером рыбаки вернулись в гавань и продали весь улов на рынке.".encode("koi8-r")
    headers = {"Content-Type": "text/html; charset=koi8-r", "Accept": "text/plain"}

    _, _, text = await post(client, "/clean?engine=contrast", page, **headers)

    assert "рыбаки вернулись в гавань" in text.decode()


@pytest.mark.parametrize(
    ("path", "body", "headers", "expected"),
    [
        ("/clean", b"%PDF-1.7", {"Content-Type": "application/pdf"}, (415, "not_html")),
        ("/clean", b"<p>\x00\x01\x02" * 99, {}, (415, "binary")),
        ("/clean", b" ", {}, (400, "empty")),
        ("/clean", b"<b>" * 5000, {}, (422, "too_deep")),
        ("/clean", b"a" * (8 << 20) + b"a", {}, (413, "too_large")),
        ("/clean?engine=magic", ARTICLE, {}, (400, None)),
        ("/clean?engine=contrast&comments=drop", ARTICLE, {}, (400, None)),
        ("/explain", b"<b>" * 5000, {}, (422, "too_deep")),
    ],
)
async def test_a_page_without_a_document_has_the_reason_of_its_dead_letter(
    client: aiohttp.ClientSession, path: str, body: bytes, headers: dict[str, str],
    expected: tuple[int, str | None],
) -> None:  # fmt: skip
    status, _, answer = await post(client, path, body, **headers)

    fields = json.loads(answer)
    assert (status, fields.get("reason")) == expected
    assert fields["error"]


async def test_explain_gives_the_verdict_of_each_block(
    client: aiohttp.ClientSession,
) -> None:
    status, _, answer = await post(client, "/explain", ARTICLE)

    assert status == 200
    assert {each["verdict"] for each in json.loads(answer)["blocks"]} == {"kept", "boilerplate"}


async def test_a_batch_is_answered_line_by_line_and_in_order(client: aiohttp.ClientSession) -> None:
    gone = b'{"url": "https://example.org/gone", "status": 404}\n'
    body = b"".join(
        [*map(message, range(20)), b"\n", gone, b"nonsense\n", message(20, "<b>" * 999)]
    )

    async with client.post("/clean", data=body, headers=LINES) as answer:
        lines = [json.loads(line) for line in (await answer.read()).splitlines()]

    assert answer.headers["Content-Type"] == "application/x-ndjson"
    assert [each["url"].rpartition("/")[2] for each in lines] == [
        *map(str, range(20)), "gone", "", "20",
    ]  # fmt: skip
    assert lines[0]["text"] == "The bees find more flowers in the city."
    assert lines[20] == {"url": "https://example.org/gone", "outcome": "deleted", "status": 404}
    assert [each["error"] for each in lines[21:]] == ["undecodable", "too_deep"]


async def test_a_line_is_answered_before_the_next_one_is_sent(
    client: aiohttp.ClientSession,
) -> None:
    lines: asyncio.Queue[bytes] = asyncio.Queue()

    async def body() -> AsyncIterator[bytes]:
        while line := await lines.get():
            yield line

    lines.put_nowait(message(0))
    async with client.post("/clean", data=body(), headers=LINES) as answer:
        for number in range(3):
            document = json.loads(await answer.content.readline())
            assert document["url"] == f"https://example.org/{number}"
            lines.put_nowait(message(number + 1) if number < 2 else b"")
        assert await answer.read() == b""


async def test_options_of_a_batch_that_do_not_go_together_are_refused_before_it_begins(
    client: aiohttp.ClientSession,
) -> None:
    path = "/clean?engine=contrast&comments=drop"
    async with client.post(path, data=message(0), headers=LINES) as answer:
        assert answer.status == 400
        assert "does not have the option comments" in (await answer.json())["error"]


async def test_a_batch_may_be_sent_whole_before_it_is_read(serve: Serve) -> None:
    pages = [message(number, f"<p>{'The bees find flowers. ' * 200}") for number in range(400)]
    body = b"".join(pages)
    reader, writer = await serve.connect()
    fields = (f"Content-Length: {len(body)}", "Connection: close")
    writer.write(head("/clean", *fields).replace(b"text/html", b"application/x-ndjson") + body)
    await writer.drain()

    answer = await reader.read()

    assert answer.count(b'"url":"https://example.org/') == 400
    writer.close()


async def test_fifty_requests_at_once_are_all_answered(client: aiohttp.ClientSession) -> None:
    answers = await asyncio.gather(*(post(client, "/clean", ARTICLE) for _ in range(50)))

    assert {status for status, _, _ in answers} == {200}
    assert len({body for _, _, body in answers}) == 1


async def test_a_client_that_expects_100_continue_gets_it(serve: Serve) -> None:
    reader, writer = await serve.connect()
    fields = (f"Content-Length: {len(ARTICLE)}", f"Url: {URL}", "Expect: 100-continue")
    writer.write(head("/clean", *fields))

    assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    writer.write(ARTICLE)
    assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
    writer.close()


async def test_slow_or_unfinished_bodies_do_not_block_other_clients(
    serve: Serve, client: aiohttp.ClientSession
) -> None:
    slow = [await serve.connect() for _ in range(100)]
    for _, writer in slow:
        writer.write(head("/clean", "Content-Length: 1000") + b"<p>")
    for _, writer in slow[:50]:
        await writer.drain()
        writer.close()

    status, _, _ = await post(client, "/clean", ARTICLE)

    assert status == 200
    for _, writer in slow[50:]:
        writer.close()


async def test_a_batch_ends_when_its_client_disconnects(serve: Serve) -> None:
    for _ in range(8):  # twice as many as there may be at a time
        reader, writer = await serve.connect()
        lines = head("/clean", "Transfer-Encoding: chunked").replace(
            b"text/html", b"application/x-ndjson"
        )
        line = message(0)
        writer.write(lines + f"{len(line):x}\r\n".encode() + line + b"\r\n")
        assert b"200" in await reader.readline()
        writer.transport.abort()
        await asyncio.sleep(0.1)

    async with (
        aiohttp.ClientSession(serve.origin) as client,
        client.post("/clean", data=message(0), headers=LINES) as answer,
    ):
        assert answer.status == 200
        assert len(await answer.read()) > 100


async def test_probes_and_metrics_are_answered(client: aiohttp.ClientSession) -> None:
    await post(client, "/clean", ARTICLE)
    async with client.get("/readyz") as ready, client.get("/metrics") as metrics:
        assert (ready.status, await ready.json()) == (200, {"ok": True})
        counted = await metrics.text()
    assert 'winnow_serve_requests_total{path="/clean",status="200"}' in counted


async def test_a_page_that_takes_too_long_is_given_up_alone() -> None:
    with serving("--processes", "1", "--page-seconds", "2") as serve:
        async with aiohttp.ClientSession(serve.origin) as client:
            serve.hang()
            status, _, answer = await post(client, "/clean", ARTICLE)
            after, _, _ = await post(client, "/clean", ARTICLE)
            serve.hang()
            async with client.post("/clean", data=message(0), headers=LINES) as refused:
                assert refused.status == 504  # its options could not be looked at
            lines = await _answers_of_a_batch_that_hangs(serve, client)

    assert (status, json.loads(answer)["reason"]) == (504, "timeout")
    assert after == 200
    assert [each.get("error") for each in lines] == [None, "timeout", None]
    assert lines[1]["url"] == "https://example.org/1"


async def _answers_of_a_batch_that_hangs(
    serve: Serve, client: aiohttp.ClientSession
) -> list[dict[str, Any]]:
    lines: asyncio.Queue[bytes] = asyncio.Queue()

    async def body() -> AsyncIterator[bytes]:
        while line := await lines.get():
            yield line

    lines.put_nowait(message(0))
    async with client.post("/clean", data=body(), headers=LINES) as answer:
        read = [await answer.content.readline()]
        serve.hang()
        lines.put_nowait(message(1))
        read.append(await answer.content.readline())
        lines.put_nowait(message(2))
        read.append(await answer.content.readline())
        lines.put_nowait(b"")
    return [json.loads(line) for line in read]


async def test_a_stop_answers_requests_in_flight_and_accepts_no_new_ones() -> None:
    with serving("--processes", "1", "--page-seconds", "20") as serve:
        async with aiohttp.ClientSession(serve.origin) as client:
            serve.hang()
            asked = [asyncio.create_task(post(client, "/clean", ARTICLE)) for _ in range(3)]
            await asyncio.sleep(0.5)
            serve.process.send_signal(signal.SIGTERM)
            await asyncio.sleep(0.5)
            with pytest.raises(aiohttp.ClientConnectionError):
                await post(client, "/clean", ARTICLE)
            serve.go_on()

            answers = await asyncio.gather(*asked)

        code = await asyncio.to_thread(serve.process.wait, 20)
    assert [status for status, _, _ in answers] == [200] * 3
    assert code == 0


async def test_a_stop_does_not_wait_for_ever() -> None:
    with serving("--processes", "1", "--page-seconds", "1") as serve:
        reader, writer = await serve.connect()
        lines = head("/clean", "Transfer-Encoding: chunked").replace(
            b"text/html", b"application/x-ndjson"
        )
        writer.write(lines + b"1\r\n{\r\n")
        assert b"200" in await reader.readline()
        serve.process.send_signal(signal.SIGTERM)

        code = await asyncio.to_thread(serve.process.wait, 20)
        rest = await reader.read()
        writer.close()

    assert code == 0
    assert not rest.endswith(b"0\r\n\r\n")  # the answer does not look complete


def test_unusable_arguments_of_serve_end_with_one_line(tmp_path: Path) -> None:
    for arguments, why in (
        (("--option", "seen=2"), "winnow: serve does not remember sites"),
        (("--engine", "contrast", "--option", "comments=drop"), "does not have the option"),
        (("--model", str(tmp_path / "none")), "none"),
        (("--host", "192.0.2.1"), "192.0.2.1:"),
    ):
        command = [sys.executable, "-m", "winnow", "serve", "--port", "0", *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert why in done.stderr
        assert "Traceback" not in done.stderr


PAGE = ROOT / "docs" / "serve.md"
COMMANDS = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)[1:]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_docs_serve_md_are_answered(serve: Serve, command: str) -> None:
    command = command.replace("http://127.0.0.1:6070", serve.origin).replace(" -s ", " -sf ")

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command], cwd=ROOT, capture_output=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert len(done.stdout) > 100
