"""What mkdocs calls when it builds the site (`make docs`)."""

import html
import posixpath
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_ROOT: Final = Path(__file__).resolve().parents[2]
# files of the project outside docs that pages link to
_PROJECT: Final = "project"
# pages that answer "how do I ...?"
_HOW_TO: Final = frozenset(
    f"{name}.md"
    for name in (
        *("archives", "cookbook", "deployment", "engines", "faq", "inspector", "messages"),
        *("quick-start", "reclean", "tutorial"),
    )
)
# tables, which have most words
_LAST_MANUALS: Final = frozenset({"calibration.md", "downstream-tables.md", "evaluation-tables.md"})
# words that people search for and pages do not use: the search finds the page by them
SYNONYMS: Final = {
    "api.md": "install, pip, Python package",
    "archives.md": "Common Crawl, WET, gzip, batch job, corpus, dataset, resume, continue",
    "compare.md": "benchmark, alternatives, versus, vs, Mozilla Readability, jusText, newspaper3k",
    "concepts.md": "boilerplate removal, content extraction, main content, how it works",
    "commands.md": "CLI, terminal, options, flags, arguments",
    "deployment.md": "Docker, Kubernetes, k8s, Helm, install, container image",
    "engines.md": "algorithm, parameters, precision, recall, configure",
    "evaluation.md": "accuracy, quality, F1, benchmark, CleanEval",
    "faq.md": "help, error, headless browser, single-page application, SPA, licence, throttle",
    "inspector.md": "debug, removed, missing text, wrongly dropped, explain",
    "language-models.md": "LM, n-gram, perplexity, train, ARPA, KenLM",
    "messages.md": "schema, topic, input format, output format, JSON schema",
    "metrics.md": "Prometheus, Grafana, monitoring, dashboard",
    "operations.md": "production, autoscaling, KEDA, upgrade, monitoring, out of memory, OOM",
    "reclean.md": "reprocess, rerun, re-run, reindex, backfill, clean again, migrate",
    "recipes.md": "integration, crawler, Elasticsearch, LangChain, LlamaIndex, RAG",
    "security.md": "vulnerability, CVE, sandbox, hostile pages, GDPR, privacy",
    "serve.md": "REST, API, HTTP server, curl, Node, Java, Go, microservice",
    "settings.md": "environment variables, configuration, config",
}
_MARKER: Final = re.compile(r"^<!-- (?:(?:generated|printed): [a-z-]+|end) -->\n", re.MULTILINE)
_LINK: Final = re.compile(r"(?<=\]\()((?:\.\./)+[^)#\s]+)")
_FORMULA: Final = re.compile(r'<(span|div) class="arithmatex">(.*?)</\1>', re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Take in the files outside of docs that pages link to."""
    if unknown := SYNONYMS.keys() - files.src_uris.keys():
        raise PluginError(f"synonyms of pages that do not exist: {', '.join(sorted(unknown))}")
    linked = {
        target
        for page in files.documentation_pages()
        for target in map(_outside(page.src_uri), _LINK.findall(page.content_string))
        if target
    }
    for target in sorted(linked):
        uri = f"{_PROJECT}/{target}"
        files.append(File.generated(config, uri, abs_src_path=str(_ROOT / target)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Lead links out of docs to the files taken in, and leave out the marks of generated parts.

    The search shows how-to pages first, and decision notes and files outside docs last.
    """
    if page.file.src_uri.startswith(("decisions/", f"{_PROJECT}/")):
        page.meta["search"] = {"boost": 0.0001}
    elif page.file.src_uri in _LAST_MANUALS:
        page.meta["search"] = {"boost": 0.01}
    elif page.file.src_uri in _HOW_TO:
        page.meta["search"] = {"boost": 3}
    outside = _outside(page.file.src_uri)
    folder = posixpath.dirname(page.file.src_uri)

    def led(found: re.Match[str]) -> str:
        target = outside(found[1])
        return posixpath.relpath(f"{_PROJECT}/{target}", folder or ".") if target else found[1]

    return _LINK.sub(led, _MARKER.sub("", markdown))


def on_page_content(content: str, page: Page, **_: object) -> str:
    """Turn formulas into MathML, which browsers draw without a script, and add hidden synonyms."""
    written = _FORMULA.sub(_as_mathml, content)
    synonyms = SYNONYMS.get(page.file.src_uri)
    if not synonyms:
        return written
    return written.replace("</h1>", f"</h1>\n<p hidden>See also: {synonyms}.</p>", 1)


def on_post_build(config: MkDocsConfig, **_: object) -> None:
    """Put the pages as they are written next to the site: llms.txt leads to them."""
    for page in Path(config.docs_dir).glob("*.md"):
        shutil.copyfile(page, Path(config.site_dir) / page.name)


def _outside(source: str) -> Callable[[str], str]:
    """Return a function that resolves links to files outside docs; empty for other links."""
    folder = posixpath.dirname(f"docs/{source}")

    def target(link: str) -> str:
        path = posixpath.normpath(posixpath.join(folder, link))
        return "" if path.startswith("docs/") else path

    return target


def _as_mathml(found: re.Match[str]) -> str:
    tex = html.unescape(found[2]).strip()
    is_block = found[1] == "div"
    inner = tex.removeprefix("\\[").removesuffix("\\]")
    inner = inner.removeprefix("\\(").removesuffix("\\)")
    mathml: str = convert(inner, display="block" if is_block else "inline")
    return mathml
