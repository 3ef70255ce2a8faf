"""The quick part: the page works, and a hostile page is harmless."""

import re
import socket
import threading
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Error, Page, Route, expect

ARTICLE = "How the harbour town saved its lighthouse"
PROSE = "The first meeting was held in the back room of the bakery, and eleven people came."


def paste(page: Page, html: str, title: str) -> None:
    """Paste a page, and wait until it is shown."""
    if not page.locator("#html").is_visible():
        page.get_by_text("Paste HTML or text", exact=True).click()
    page.locator("#html").fill(html)
    expect(page.locator("h1")).to_have_text(title)


def test_a_sample_is_shown_with_its_blocks_its_result_and_as_it_looks(page: Page) -> None:
    expect(page.locator("h1")).to_have_text(ARTICLE)
    expect(page.locator("#kept")).to_have_text("10 of 33 blocks and 18 of 42 sentences kept")
    expect(page.locator(".block.dropped", has_text="We value your privacy")).to_have_count(1)
    expect(page.locator("#result")).to_contain_text("switched off, few people in the harbour town")
    expect(page.frame_locator("#view").locator("h1")).to_have_text(ARTICLE)
    expect(page.locator("#facts")).to_contain_text(re.compile(r"Page type\s*article 1\.00"))


def test_pasted_html_is_decided_at_once(page: Page) -> None:
    paste(page, f"<title>The roof</title><ul><li><a href=/>Home</a></ul><p>{PROSE}", "The roof")

    expect(page.locator(".block.kept .text")).to_have_text([PROSE])
    expect(page.frame_locator("#view").locator("p")).to_have_text(PROSE)


def test_a_table_is_one_box_with_one_reason(page: Page) -> None:
    rows = "<tr><th>Tree<th>Age<tr><td>Ash<td>49<tr><td>Birch<td>60"
    paste(page, f"<title>Trees</title><p>{PROSE}<table>{rows}</table><p>{PROSE}", "Trees")

    expect(page.locator(".block")).to_have_count(8)
    expect(page.locator(".block.in-unit")).to_have_count(6)
    expect(page.locator(".block.in-unit.first, .block.in-unit.last")).to_have_count(2)
    expect(page.locator(".block .reason:visible")).to_have_text(
        [re.compile("table of 3 rows: (kept|dropped) as a whole")]
    )


def test_text_pasted_while_a_sample_loads_stays(page: Page) -> None:
    page.get_by_text("Paste HTML or text", exact=True).click()
    late = threading.Event()

    def answer_late(route: Route) -> None:
        answer = route.fetch()
        page.locator("#html").fill("<title>Pasted</title><p>Pasted meanwhile.")
        late.set()
        route.fulfill(response=answer)

    page.route("**/api/explain", answer_late, times=1)
    page.locator("#sample").select_option("forum.html")

    expect(page.locator("h1")).to_have_text("Pasted")
    page.wait_for_timeout(300)
    assert late.is_set()
    expect(page.locator("#html")).to_have_value("<title>Pasted</title><p>Pasted meanwhile.")


def test_the_first_blocks_are_drawn_and_more_on_demand(page: Page) -> None:
    many = "".join(f"<p>{at}: {PROSE}</p>" for at in range(250))
    paste(page, f"<title>Many</title>{many}", "Many")

    expect(page.locator(".block")).to_have_count(100)
    expect(page.locator("#kept")).to_contain_text("of 250 blocks")
    page.get_by_role("button", name="Show 100 of 150 more blocks").click()
    expect(page.locator(".block > button").nth(100)).to_be_focused()
    page.locator("#blocks").evaluate("(list) => { list.scrollTop = list.scrollHeight; }")
    page.locator(".block > button").nth(199).focus()  # while the scroll asks for more
    page.keyboard.press("ArrowDown")
    expect(page.locator(".block > button").nth(200)).to_be_focused()
    expect(page.locator(".block")).to_have_count(250)
    expect(page.locator("#more")).to_be_hidden()
    expect(page.locator("#left-out")).to_be_hidden()


def test_blocks_that_are_never_shown_are_counted(page: Page) -> None:
    paste(page, f"<title>Most</title>{'<p>Bees.' * 5007}", "Most")

    page.evaluate("import('./blocks.js').then((blocks) => blocks.limit(150))")
    page.get_by_role("button", name="Show 100 of 4,907 more blocks").click()

    expect(page.locator(".block")).to_have_count(150)
    expect(page.locator("#left-out")).to_have_text(re.compile("^4,857 more blocks"))
    expect(page.locator("#more")).to_be_hidden()


HOSTILE = f"""<title>Using &lt;script&gt; tags</title>
<script>top.document.title = 'taken'; alert(1)</script>
<meta http-equiv=refresh content="0;url=http://evil.example/refresh">
<base href=http://evil.example/><link rel=stylesheet href=http://evil.example/style.css>
<link rel=preconnect href=http://evil.example><style>@import 'http://evil.example/import.css';
body {{ background: url(http://evil.example/background.png) }}</style>
<iframe src=http://evil.example/frame></iframe><object data=http://evil.example/object></object>
<svg><script>alert(2)</script><image href=http://evil.example/image.svg /></svg>
<img src=http://evil.example/picture.png onerror=alert(3)><video src=http://evil.example/v autoplay>
</video><form action=http://evil.example/form><button id=send>Send</button></form>
<a id=out href=http://evil.example/link target=_top>Out</a>
<p>{PROSE} &lt;script&gt;alert(4)&lt;/script&gt;
&lt;img src=http://evil.example/text onerror=alert(5)&gt;
"""


def test_a_hostile_page_runs_nothing_loads_nothing_and_leads_nowhere(page: Page) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    url = page.url.split("#", maxsplit=1)[0]

    paste(page, HOSTILE, "Using <script> tags")
    for tab in ("Rendered", "Markdown", "JSON", "Text"):
        page.get_by_role("tab", name=tab).click()
        expect(page.locator("#result")).to_contain_text("alert(4)")
    view = page.frame_locator("#view")
    view.locator("#send").click()
    view.locator("#out").click()
    page.wait_for_timeout(300)

    assert dialogs == []
    assert page.title() == "Winnow inspector"
    assert page.url.split("#", maxsplit=1)[0] == url
    assert len(page.context.pages) == 1


def test_a_refused_page_is_reported(page: Page) -> None:
    page.locator("#sample").select_option("mislabelled-pdf.html")

    expect(page.locator("#status")).to_have_text("not_html: PDF")
    expect(page.locator("h1")).to_have_text("No document")
    expect(page.locator("#result")).to_have_text("not_html: PDF")
    expect(page.locator(".block")).to_have_count(0)
    expect(page.locator("#histogram-figure")).to_be_hidden()
    expect(page.frame_locator("#view").locator("body")).to_contain_text("cannot be shown")


def test_a_link_of_nonsense_opens_the_page(page: Page, origin: str) -> None:
    names = ("threshold", "engine", "option.comments", "option.x", "html", "tab", "compare")
    page.goto(f"{origin}/#{'&'.join(f'{name}=%ff<script>' for name in names)}")
    page.reload()

    expect(page.locator("#status")).to_contain_text("of which the kernel")


def test_the_browser_reaches_the_outside_when_allowed(
    browser: Browser, outside: socket.socket
) -> None:
    with browser.new_context() as context, pytest.raises(Error):
        context.new_page().goto("http://evil.example/", timeout=2000)

    outside.accept()[0].close()
    with suppress(BlockingIOError):
        while True:
            outside.accept()[0].close()
