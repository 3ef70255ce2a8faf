"""The labelling tool in a browser: by click, by keyboard alone, and after a reload."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.web.serving import serving

pytestmark = [pytest.mark.web, pytest.mark.timeout(180)]

SERIOUS = {"serious", "critical"}
PARAGRAPHS = (
    "The volunteers carried slates up the narrow stairs on every Saturday of the year.",
    "Nobody had counted the steps before, and nobody has counted them since that day.",
    "The lamp was lit again in October, and ships could see it from nine miles away.",
)
HTML = (
    "<title>Lamp</title><link rel=stylesheet href=http://outside.example/a.css>"
    "<script>parent.document.title = 'taken'</script><style>p { color: #123 }</style>"
    "<nav><a href=/>Home</a> <a href=/login>Log in</a></nav><h1>The lamp is lit</h1>"
    + "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
    + "<img src=http://outside.example/a.png><p>Share this with <b>friends</b></p>"
)
# the second paragraph is missing, and boilerplate is there
GOLDS = {"a": f"{PARAGRAPHS[0]}\n{PARAGRAPHS[2]}\nShare this with friends", "b": PARAGRAPHS[0]}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "patches.jsonl"


@pytest.fixture
def label(context: BrowserContext, tmp_path: Path, out: Path) -> Iterator[Page]:
    for name, gold in GOLDS.items():
        for path, text in ((f"html/{name}.html", HTML), (f"gold/{name}.txt", gold)):
            (tmp_path / "mine" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "mine" / path).write_text(text)
    with serving("label", str(tmp_path / "mine"), "-o", str(out)) as server:
        page = context.new_page()
        page.goto(server.origin)
        page.wait_for_selector("#blocks li")
        yield page


def saved(out: Path) -> dict[str, Any]:
    return {patch["id"]: patch for patch in map(json.loads, out.read_bytes().splitlines())}


def block(page: Page, text: str) -> Locator:
    return page.locator("#blocks li button", has_text=text)


def test_a_click_marks_a_block_and_is_saved(label: Page, out: Path) -> None:
    label.locator("#page").select_option(index=1)
    expect(label.locator("#name")).to_have_text("mine/a")
    missing = block(label, "Nobody had counted")
    expect(missing).to_have_attribute("aria-pressed", "false")
    expect(label.locator("#blocks li.differs", has_text="Nobody had counted")).to_be_visible()

    missing.click()

    expect(label.locator("#status")).to_have_text("saved")
    expect(missing).to_have_attribute("aria-pressed", "true")
    assert saved(out)["a"]["content"]
    label.locator("#blocks li", has_text="The lamp is lit").get_by_role("combobox").select_option(
        "standfirst"
    )
    expect(label.locator("#figures")).to_contain_text("2 changed")
    assert list(saved(out)["a"]["roles"]) == ["standfirst"]


def test_all_of_it_works_with_the_keyboard_alone_and_is_there_after_a_reload(
    label: Page, out: Path
) -> None:
    keys = label.keyboard
    expect(label.locator("#name")).to_have_text("mine/b")
    expect(label.locator("#blocks button").first).to_be_focused()
    keys.press("n")
    expect(label.locator("#name")).to_have_text("mine/a")
    expect(label.locator("#blocks button").first).to_be_focused()

    while "Nobody had counted" not in label.evaluate("document.activeElement.textContent"):
        keys.press("ArrowDown")
    keys.press("c")
    expect(block(label, "Nobody had counted")).to_have_attribute("aria-pressed", "true")
    expect(block(label, "The lamp was lit again")).to_be_focused()
    keys.press("j")
    keys.press("x")
    expect(block(label, "Share this")).to_have_attribute("aria-pressed", "false")
    keys.press("u")
    expect(label.locator("#status")).to_have_text("undone")
    expect(block(label, "Share this")).to_have_attribute("aria-pressed", "true")
    keys.press("r")
    expect(block(label, "Share this")).to_have_attribute("aria-pressed", "false")
    keys.press("3")
    expect(label.locator("#blocks li", has_text="Share this").locator("select")).to_have_value(
        "byline"
    )
    keys.press("e")
    keys.type("a paragraph is missing")
    keys.press("Escape")
    expect(label.locator("#status")).to_have_text("saved")
    expect(block(label, "Share this")).to_be_focused()

    label.reload()

    expect(label.locator("#name")).to_have_text("mine/a")
    expect(block(label, "Nobody had counted")).to_have_attribute("aria-pressed", "true")
    expect(block(label, "Share this")).to_have_attribute("aria-pressed", "false")
    expect(label.locator("#reason")).to_have_value("a paragraph is missing")
    expect(label.locator("#figures")).to_contain_text("3 changed")
    patch = saved(out)["a"]
    assert (len(patch["content"]), len(patch["boilerplate"]), len(patch["roles"])) == (1, 1, 1)
    assert patch["reason"] == "a paragraph is missing"
    assert b"slates" not in out.read_bytes()


def test_a_shown_page_runs_and_loads_nothing(label: Page) -> None:
    frame = label.frame_locator("#view")

    expect(frame.locator("h1")).to_have_text("The lamp is lit")
    expect(frame.locator("p").first).to_have_css("color", "rgb(17, 34, 51)")
    assert label.title() == "Winnow labels"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing_serious_and_nothing_sticks_out(
    label: Page, web_tools: Path, scheme: Literal["light", "dark"], width: int
) -> None:
    label.emulate_media(color_scheme=scheme)
    label.set_viewport_size({"width": width, "height": 900})
    label.locator("#page").select_option(index=1)
    block(label, "Nobody had counted").click()
    expect(label.locator("#status")).to_have_text("saved")
    label.screenshot(path=web_tools / f"label-{scheme}-{width}.png", full_page=True)

    assert label.evaluate("document.documentElement.scrollWidth") == width
    label.evaluate((web_tools / "node_modules/axe-core/axe.min.js").read_text())
    found = label.evaluate("axe.run({ iframes: false })")

    assert found["passes"]
    bad = [each for each in found["violations"] if each["impact"] in SERIOUS]
    assert json.dumps([(each["id"], each["nodes"][0]["html"]) for each in bad]) == "[]"
