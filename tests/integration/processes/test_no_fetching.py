"""A worker process fetches nothing: no page of any engine makes it open a connection."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from winnow.models.engines.choice import ENGINES

# programs that start while other tests run
pytestmark = pytest.mark.timeout(300)

ROOT: Final = Path(__file__).resolve().parents[3]
# what fetches for `winnow clean` and `publish`
FETCHES: Final = {
    f"winnow.worker.batch.archives.{name}" for name in ("web", "fetch_rules", "remote")
}
CLIENTS: Final = {"aiohttp", "fsspec", "ftplib", "http", "httpx", "requests", "socket", "urllib3"}
PAGE: Final = """
<html><head><base href="http://base.example/"><title>Year</title>
<meta http-equiv=refresh content="0; url=http://next.example/">
<link rel=canonical href="http://other.example/"><link rel=stylesheet href="http://css.example/a">
<script src="http://js.example/a.js"></script>
<script type="application/ld+json">{"@context": "http://schema.example/", "@type": "Article",
"url": "http://ld.example/"}</script></head>
<body><p>The council met at nine on Monday, and the <a href="http://link.example/">chair</a> spoke.
<img src="http://image.example/a.png"><iframe src="http://frame.example/"></iframe>
<object data="http://object.example/"></object></body></html>
"""
# cleans the page, asks for an address itself, and prints what was asked and which modules there are
PROGRAM: Final = """
import json, socket, sys
connected = []
sys.addaudithook(
    lambda event, given: connected.append(event)
    if event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname"} else None
)
import winnow.worker.service.child
from winnow.models.document import Page
from pathlib import Path
from winnow.worker.cleaning import build_cleaner
from winnow.worker.settings import Settings
engine, page, options = sys.argv[1:]
cleaner = build_cleaner(Settings(engine=engine, options=Path(options)))
(document,) = cleaner.clean_batch([Page("http://a.example/", page.encode(), "text/html")])
socket.getaddrinfo("127.0.0.1", 9, flags=socket.AI_NUMERICHOST)
print(json.dumps([connected, sorted(sys.modules), document.url]))
"""
OPTIONS: Final = {
    "format": "markdown", "links": "keep", "images": "keep", "quality": True, "sources": True,
}  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
def test_a_worker_process_that_cleans_opens_no_connection(engine: str, tmp_path: Path) -> None:
    options = tmp_path / "options.json"
    options.write_text(json.dumps(OPTIONS))
    command = [sys.executable, "-c", PROGRAM, engine, PAGE, str(options)]

    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)

    connected, modules, url = json.loads(done.stdout)
    assert connected == ["socket.getaddrinfo"]  # of the program itself
    assert url == "http://a.example/"
    assert "winnow.streams.app" in modules
    assert not FETCHES & set(modules)


def imported_by(path: Path) -> set[str]:
    """Return the top-level names of all modules that a file imports anywhere."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(str(node.module).partition(".")[0])
    return found


@pytest.mark.parametrize("folder", ["models", "streams"])
def test_cleaning_and_publishing_modules_import_no_web_client(folder: str) -> None:
    files = [*(ROOT / folder).rglob("*.py")]

    assert len(files) > 10
    assert [(file.name, CLIENTS & imported_by(file)) for file in files] == [
        (file.name, set()) for file in files
    ]


def test_the_kernel_has_no_sockets() -> None:
    """Python's audit of connections does not see connections of Rust."""
    sources = [*(ROOT / "models" / "kernel" / "src").rglob("*.rs")]

    assert len(sources) > 50
    assert [each.name for each in sources if "std::net" in each.read_text(encoding="utf-8")] == []
