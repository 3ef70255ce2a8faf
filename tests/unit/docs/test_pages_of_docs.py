"""Links between the documents lead somewhere, and old words do not come back."""

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[3]
LINK: Final = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
ANCHORED: Final = re.compile(r"\]\(([^)#:\s]*)#([^)\s]+)\)")
EXTERNAL: Final = re.compile(r"\]\((\w+://[^)\s]+)\)")
# No test fetches them: open a link before you add it to this list.
EXTERNAL_LINKS: Final = {
    "https://blog.commoncrawl.org/blog/december-2024-crawl-archive-now-available",
    "https://filesystem-spec.readthedocs.io/",
    "https://github.com/html5lib/html5lib-tests",
    "https://github.com/opendatalab/MinerU-HTML",
    "https://html.spec.whatwg.org/multipage/parsing.html",
    "https://keepachangelog.com",
    "https://semver.org",
}
TEXTS: Final = ("*.md", "*.py", "*.pyi", "*.rs", "*.yaml", "*.yml", "*.json", "*.toml", "Makefile")
# Retired words; the glossary has the words of the field.
OLD_WORDS: Final = re.compile(
    r"furniture|structure engine|StructureEngine|winnow structure", re.IGNORECASE
)
MAY_SAY_OLD_WORDS: Final = "tests/unit/docs/test_pages_of_docs.py"


def tracked(*patterns: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.mark.parametrize("name", tracked("*.md"))
def test_every_link_leads_to_a_file(name: str) -> None:
    page = ROOT / name

    dead = [
        target
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]

    assert dead == []


@pytest.mark.parametrize("name", tracked("*.md"))
def test_every_anchor_is_a_heading_of_its_page(name: str) -> None:
    page = ROOT / name

    dead = [
        (target, anchor)
        for target, anchor in ANCHORED.findall(page.read_text(encoding="utf-8"))
        if (target or name).endswith(".md")
        and anchor not in anchors(page.parent / (target or page.name))
    ]

    assert dead == []


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page, as GitHub and the documentation site make them."""
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    kept = (re.sub(r"[^\w\s-]", "", title.lower()).strip() for title in titles)
    return {re.sub(r"\s", "-", title) for title in kept} | set(re.findall(r'id="([^"]+)"', text))


def test_pages_elsewhere_that_are_linked_are_listed() -> None:
    linked = {
        url
        for name in tracked("*.md")
        for url in EXTERNAL.findall((ROOT / name).read_text(encoding="utf-8"))
    }

    assert linked == EXTERNAL_LINKS


def test_retired_words_are_not_used() -> None:
    said = [
        f"{name}:{number}: {line.strip()[:80]}"
        for name in tracked(*TEXTS)
        if name != MAY_SAY_OLD_WORDS
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1)
        if OLD_WORDS.search(re.sub(r"decisions/[\w.-]+", "", line))
    ]

    assert said == []
