"""Pages of a real server on loopback, reached by names that a resolver of the tests knows."""

import asyncio
import gzip
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import brotli
import pytest
from aiohttp import web
from click.testing import CliRunner

from winnow.models.document import Page
from winnow.worker.batch.archives import web as archives_web
from winnow.worker.batch.archives.fetch_rules import FetchRules
from winnow.worker.batch.archives.web import fetch_page
from winnow.worker.batch.inputs import InputError, Url, argument_of
from winnow.worker.cli import main

PAGE = b"<p>The first meeting was held in the back room of the bakery.</p>"
PUBLIC = "93.184.215.14"
MAX_BYTES = 100_000
HTML = {"Content-Type": "text/html; charset=utf-8"}

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Server:
    """A server on loopback that answers for all hosts.

    Attributes:
        port: of loopback.
        answers: by path.
        asked: host and path of each request.
        names: addresses of hosts, one list a question; the last one stays.
    """

    port: int = 0
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    names: dict[str, list[list[str]]] = field(default_factory=dict)

    def says(self, path: str, body: bytes = PAGE, status: int = 200, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}

        async def answer(_: web.Request) -> web.Response:
            return web.Response(body=body, status=status, headers=HTML | named)

        self.answers[path] = answer

    def redirects(self, path: str, to: str) -> None:
        self.says(path, b"", 302, Location=to)

    async def resolve(self, host: str, _: int) -> list[str]:
        answers = self.names.get(host, [[PUBLIC]])
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def route(self, address: str, _: int) -> tuple[str, int]:
        """Lead what was found to be public to this server."""
        assert address == PUBLIC
        return "127.0.0.1", self.port

    @property
    def rules(self) -> FetchRules:
        return FetchRules(MAX_BYTES, resolve=self.resolve, route=self.route)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(f"{request.host}{request.path_qs}")
        answer = self.answers.get(request.path)
        return await answer(request) if answer else web.Response(status=404)


@pytest.fixture
def server() -> Iterator[Server]:
    served = Server()
    loop = asyncio.new_event_loop()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", served.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)

    async def start() -> None:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        served.port = runner.addresses[0][1]

    loop.run_until_complete(start())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield served
    asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def refused(url: str, rules: FetchRules) -> str:
    with pytest.raises(InputError) as caught:
        fetch_page(url, rules)
    assert caught.value.path == url
    return caught.value.why


def test_a_page_is_fetched_with_its_type_and_the_time(server: Server) -> None:
    server.says("/a")

    page = fetch_page("http://a.example/a?b=c", server.rules)

    assert page == Page("http://a.example/a?b=c", PAGE, HTML["Content-Type"], page.fetched_at)
    assert page.fetched_at.endswith("Z")
    assert server.asked == ["a.example/robots.txt", "a.example/a?b=c"]


def test_redirects_are_followed_and_the_page_has_the_last_url(server: Server) -> None:
    server.redirects("/a", "b")
    server.redirects("/b", "http://other.example/c")
    server.says("/c")

    assert fetch_page("http://a.example/a", server.rules).url == "http://other.example/c"
    assert server.asked == [
        "a.example/robots.txt", "a.example/a", "a.example/b", "other.example/robots.txt",
        "other.example/c",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "target",
    [
        "http://169.254.169.254/latest/meta-data/", "http://127.0.0.1/", "http://[::1]/",
        "http://[::ffff:169.254.169.254]/", "http://0x7f000001/", "http://inside.example/",
    ],
)  # fmt: skip
def test_a_redirect_to_an_address_that_is_not_public_is_refused(
    server: Server, target: str
) -> None:
    server.redirects("/a", target)
    server.names = {
        "169.254.169.254": [["169.254.169.254"]], "127.0.0.1": [["127.0.0.1"]], "::1": [["::1"]],
        "::ffff:a9fe:a9fe": [["::ffff:169.254.169.254"]], "0x7f000001": [["127.0.0.1"]],
        "::ffff:169.254.169.254": [["::ffff:169.254.169.254"]],  # as Python 3.13 writes it
        "inside.example": [[PUBLIC, "10.0.0.1"]],
    }  # fmt: skip

    assert "which is not public" in refused("http://a.example/a", server.rules)
    assert server.asked == ["a.example/robots.txt", "a.example/a"]


def test_a_name_is_resolved_once_for_each_connection_and_checked_each_time(server: Server) -> None:
    server.says("/a")
    server.redirects("/b", "/a")
    server.names = {"a.example": [[PUBLIC], ["127.0.0.1"]]}
    rules = replace(server.rules, is_polite=False)

    assert fetch_page("http://a.example/a", rules).body == PAGE  # one question, one connection
    server.names = {"a.example": [[PUBLIC], ["127.0.0.1"]]}
    assert "127.0.0.1, which is not public" in refused("http://a.example/b", rules)


def test_the_resolver_of_the_machine_does_not_lead_to_loopback(server: Server) -> None:
    rules = FetchRules(MAX_BYTES)

    assert "not public" in refused(f"http://localhost:{server.port}/", rules)
    assert server.asked == []


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://a.example/", "only http and https"),
        ("http:///a", "only http and https"),
        ("http://user:secret@a.example/", "user or password"),
        ("http://a.example:99999/", "cannot be fetched"),
    ],
)
def test_a_url_of_another_form_is_refused(server: Server, url: str, why: str) -> None:
    assert why in refused(url, server.rules)


def test_requests_use_no_netrc_no_proxy_and_no_cookies(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("default login miller password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    sent: list[set[str]] = []

    async def keep(request: web.Request) -> web.Response:
        sent.append({name.lower() for name in request.headers})
        return web.Response(body=PAGE, headers=HTML)

    server.says("/a", b"", 302, Location="/b", Set_Cookie="crumb=1; Path=/")
    server.answers["/b"] = keep

    assert fetch_page("http://a.example/a", server.rules).body == PAGE
    assert len(sent) == 1
    assert not sent[0] & {"cookie", "authorization", "proxy-authorization", "referer"}


def test_a_redirect_to_another_scheme_is_refused(server: Server) -> None:
    server.redirects("/a", "file:///etc/passwd")

    assert "only http and https" in refused("http://a.example/a", server.rules)


def test_a_loop_of_redirects_ends(server: Server) -> None:
    server.redirects("/a", "/a")

    assert refused("http://a.example/a", server.rules) == "more than 5 redirects"
    assert len(server.asked) == 7


def endless(chunk: bytes, encoding: str = "") -> Answer:
    async def answer(request: web.Request) -> web.StreamResponse:
        named = {"Content-Encoding": encoding} if encoding else {}
        response = web.StreamResponse(headers=HTML | named)
        await response.prepare(request)
        while True:
            await response.write(chunk)

    return answer


def test_an_endless_body_is_read_up_to_the_limit(server: Server) -> None:
    server.answers["/a"] = endless(b"<p>" * 1000)

    assert refused("http://a.example/a", server.rules).startswith("is larger than 100000 bytes")


@pytest.mark.parametrize(
    ("encoding", "pack"), [("gzip", gzip.compress), ("br", brotli.compress)]
)  # fmt: skip
def test_packed_bodies_are_unpacked_up_to_the_limit(
    server: Server, encoding: str, pack: Callable[[bytes], bytes]
) -> None:
    server.says("/a", pack(PAGE), Content_Encoding=encoding)
    server.says("/bomb", pack(b"<p>" * 30_000_000), Content_Encoding=encoding)

    assert fetch_page("http://a.example/a", server.rules).body == PAGE
    if encoding == "gzip":
        server.says("/bomb", pack(b"<p>" * 10_000_000)[:90_000], Content_Encoding=encoding)
    assert f"{encoding} of more than 100000 bytes" in refused("http://a.example/bomb", server.rules)


def test_a_slow_server_is_waited_for_up_to_the_limit(server: Server) -> None:
    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers=HTML)
        await response.prepare(request)
        while True:
            await response.write(b"<")
            await asyncio.sleep(0.01)

    server.answers["/a"] = answer
    rules = replace(server.rules, seconds=0.3)

    assert refused("http://a.example/a", rules) == "not fetched within 0.3 s"


@pytest.mark.parametrize(
    ("status", "headers", "why"),
    [
        (404, HTML, "the server answers with status 404"),
        (304, HTML, "the server answers with status 304"),
        (200, {"Content-Type": "application/pdf"}, "is not HTML: content type 'application/pdf'"),
        (200, HTML | {"Content-Encoding": "gzip"}, "a body in gzip: cut short"),
    ],
)
def test_an_answer_that_is_not_a_page_is_named(
    server: Server, status: int, headers: dict[str, str], why: str
) -> None:
    async def answer(_: web.Request) -> web.Response:
        body = gzip.compress(PAGE)[:9] if headers.get("Content-Encoding") == "gzip" else PAGE
        return web.Response(body=body, status=status, headers=headers)

    server.answers["/a"] = answer

    assert why in refused("http://a.example/a", server.rules)


@pytest.mark.parametrize(
    ("robots", "status", "why"),
    [
        (b"User-agent: *\nDisallow: /a", 200, "robots.txt of a.example does not allow it"),
        (b"", 503, "http://a.example/robots.txt cannot be read: status 503"),
    ],
)
def test_robots_txt_decides_by_default(
    server: Server, robots: bytes, status: int, why: str
) -> None:
    server.says("/robots.txt", robots, status)
    server.says("/a")

    assert why in refused("http://a.example/a", server.rules)
    assert fetch_page("http://a.example/a", replace(server.rules, is_polite=False)).body == PAGE


def test_robots_txt_counts_for_the_page_that_a_redirect_leads_to(server: Server) -> None:
    server.says("/robots.txt", b"User-agent: winnow\nDisallow: /b")
    server.redirects("/a", "/b")

    assert "does not allow it" in refused("http://a.example/a", server.rules)
    assert "a.example/b" not in server.asked


def test_a_missing_server_is_named(server: Server) -> None:
    rules = replace(server.rules, route=lambda *_: ("127.0.0.1", 1), is_polite=False)

    assert refused("http://a.example/", rules).startswith("cannot be fetched: ")


def test_clean_accepts_urls_with_files(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.says("/a")
    given: list[FetchRules] = []

    def fetched(url: str, rules: FetchRules) -> Page:
        given.append(rules)
        known = replace(rules, resolve=server.resolve, route=server.route)
        return fetch_page(url, known)

    monkeypatch.setattr(archives_web, "fetch_page", fetched)
    urls = ["http://a.example/a", "http://a.example/none"]
    result = CliRunner().invoke(main, ["clean", *urls, "-o", str(tmp_path), "--ignore-robots"])

    assert result.exit_code == 1
    assert "winnow: http://a.example/none: the server answers with status 404" in result.stderr
    (text,) = tmp_path.iterdir()
    assert text.name.startswith("a.example_a-")
    assert text.read_text() == "The first meeting was held in the back room of the bakery.\n"
    assert [rules.is_polite for rules in given] == [False, False]


def test_an_argument_with_a_scheme_stays_as_it_was_typed(tmp_path: Path) -> None:
    assert argument_of("http://a.example//b/") == Url("http://a.example//b/")
    assert argument_of("a/b") == Path("a/b")
