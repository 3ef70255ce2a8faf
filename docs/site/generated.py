"""Write the parts of the documentation that are made from the code: `make generated`.

    python -m docs.site.generated

A page has the lines `<!-- generated: NAME -->` and `<!-- end -->` around its part. `llms.txt` lists
all pages of the site. A test holds both to the code.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import cleandoc, getsource
from pathlib import Path
from typing import Final

import click
import yaml

from docs.site.compare import PARTS as COMPARED
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page
from winnow.models.engines.choice import ENGINES
from winnow.models.errors import Reason
from winnow.models.explanation import ExplainedBlock
from winnow.models.options import OPTION_NAMES, CleanerOptions
from winnow.streams.operator.index_template import FieldKind, document_schema, fields
from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.cli.main import COMMANDS, main
from winnow.worker.service.metrics import ALL_METRICS
from winnow.worker.settings_help import help_lines

_DOCS: Final = Path(__file__).resolve().parents[1]
_DASHBOARD: Final = _DOCS.parent / "helm" / "winnow" / "dashboards" / "winnow.json"
_PART: Final = re.compile(
    r"^<!-- generated: ([a-z-]+) -->$(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL
)
LLMS: Final = _DOCS / "llms.txt"
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_SAMPLE: Final = "forum.html"
# kind -> type in OpenSearch (Elasticsearch), Solr's default configset, and Vespa
_FIELD_TYPES: Final[Mapping[FieldKind, tuple[str, str, str]]] = {
    FieldKind.KEYWORD: ("`keyword`", "`string`", "`string`, `attribute`"),
    FieldKind.TEXT: ("`text`", "`text_general`, or `text_de` and so on", "`string`, `index`"),
    FieldKind.DATE: ("`date`", "`pdate`", "`string`, or `long` of seconds"),
    FieldKind.INTEGER: ("`integer`", "`pint`", "`int`, `attribute`"),
    FieldKind.NUMBER: ("`float`", "`pfloat`", "`float`, `attribute`"),
    FieldKind.BOOLEAN: ("`boolean`", "`boolean`", "`bool`, `attribute`"),
    FieldKind.OPEN: ("`flat_object` (`flattened`)", "`string`, stored", "`string`, `summary`"),
    FieldKind.STORED: ("not searched", "`string`, stored", "`string`, `summary`"),
}
_SHOWN_CHARS: Final = 90


def with_generated(markdown: str) -> str:
    """Put the generated parts of a page where it asks for them.

    Raises:
        KeyError: it asks for one that there is not.
    """

    def part(found: re.Match[str]) -> str:
        return f"<!-- generated: {found[1]} -->\n\n{PARTS[found[1]]()}\n\n<!-- end -->"

    return _PART.sub(part, markdown)


def pages() -> list[Path]:
    """Return the pages that have generated parts, the README among them."""
    found = [_DOCS.parent / "README.md", *sorted(_DOCS.rglob("*.md"))]
    return [path for path in found if _PART.search(path.read_text(encoding="utf-8"))]


def settings() -> str:
    """Return the table of settings."""
    rows = ((f"`{it.variable}`", it.meaning, _code(it.default)) for it in help_lines())
    return _table(("setting", "meaning", "default"), rows)


def metrics() -> str:
    """Return the table of metrics."""
    rows = (
        (f"`{it.name}`", it.kind, ", ".join(map(_code, it.labels)), it.meaning)
        for it in ALL_METRICS
    )
    return _table(("metric", "kind", "labels", "meaning"), rows)


def dashboard() -> str:
    """Return the table of the panels of the dashboard, by row."""
    rows: list[tuple[str, str, str]] = []
    row = ""
    for panel in json.loads(_DASHBOARD.read_text(encoding="utf-8"))["panels"]:
        if panel["type"] == "row":
            row = panel["title"]
        else:
            rows.append((row, panel["title"], panel["description"]))
    return _table(("row", "panel", "what it shows"), rows)


def options() -> str:
    """Return the table of cleaning options, as the class describes them."""
    defaults = CleanerOptions()
    described = _attributes(CleanerOptions.__doc__ or "")
    rows = (
        (_code(name), described[name], _code(_shown(getattr(defaults, name))))
        for name in OPTION_NAMES
    )
    return _table(("option", "meaning", "default"), rows)


def engines() -> str:
    """Return the names of the engines, the default first."""
    default = CleanerOptions().engine
    names = sorted(ENGINES, key=lambda name: name != default)
    return ", ".join(map(_code, names))


def reasons() -> str:
    """Return the table of reasons of dead letters, with the comments of their class."""
    said = dict(re.findall(r'^    [A-Z_]+ = "(\w+)"  # (.+)$', getsource(Reason), re.MULTILINE))
    rows = ((_code(reason.value), said[reason.value]) for reason in Reason)
    return _table(("reason", "meaning"), rows)


def commands() -> str:
    """Return the help of every command and subcommand."""
    context = click.Context(main, info_name="winnow")
    return "\n\n".join(_help_of(context, each.name, 2) for each in COMMANDS)


def example() -> str:
    """Return the blocks of a sample page with what became of them."""
    body = (SAMPLES / _SAMPLE).read_bytes()
    page = Page("https://example.org/forum", body, "text/html; charset=utf-8")
    blocks = Cleaner(CleanerOptions()).explain(page).blocks
    return _table(("verdict", "block"), map(_example_row, blocks))


def index_fields() -> str:
    """Return the table of the types of members in search engines, members of one kind in a row."""
    members: dict[FieldKind, list[str]] = {}
    for path, kind in fields(document_schema()):
        shown = path if not path.startswith("quality.") else "quality.*"
        if shown not in members.setdefault(kind, []):
            members[kind].append(shown)
    rows = ((", ".join(map(_code, paths)), *_FIELD_TYPES[kind]) for kind, paths in members.items())
    return _table(("members", "OpenSearch (Elasticsearch)", "Solr", "Vespa"), rows)


PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "index-fields": index_fields,
    "settings": settings,
    "metrics": metrics,
    "dashboard": dashboard,
    "options": options,
    "engines": engines,
    "reasons": reasons,
    "commands": commands,
    "example": example,
    **COMPARED,
}


def _example_row(explained: ExplainedBlock) -> tuple[str, str]:
    text = " ".join(explained.block.text.split())
    shown = _escaped(text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS].rstrip()} ...")
    likely = "" if explained.probability is None else f" {explained.probability:.3f}"
    if explained.kept:
        return f"kept{likely}", shown
    return f"dropped{likely}", f"<del>{shown}</del>"


def _help_of(parent: click.Context, name: str, level: int) -> str:
    assert isinstance(parent.command, click.Group)
    command = parent.command.get_command(parent, name)
    assert command is not None
    path = f"{parent.command_path} {name}"
    # click keeps the help option of the first context in the process that asked for it
    vars(command)["_help_option"] = None
    context = click.Context(command, info_name=path, max_content_width=100, terminal_width=100)
    text = f"{'#' * level} {path}\n\n```text\n{command.get_help(context)}\n```"
    if not isinstance(command, click.Group):
        return text
    inner = click.Context(command, info_name=path)
    return "\n\n".join([text, *(_help_of(inner, each, level + 1) for each in command.commands)])


def _attributes(docstring: str) -> dict[str, str]:
    """Read `names: meaning` from the attributes of a docstring."""
    section = cleandoc(docstring).partition("Attributes:\n")[2]  # Python 3.13 removes the indent
    found = re.findall(r"^    (\S.*?): (.*(?:\n        .*)*)", section, re.MULTILINE)
    return {
        name: " ".join(meaning.split()) for names, meaning in found for name in names.split(", ")
    }


def _shown(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _escaped(text: str) -> str:
    return (
        re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", text).replace("\\<", "&lt;").replace("\\>", "&gt;")
    )


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join(_lines(head, rows))


def _lines(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def llms() -> str:
    """Return what llms.txt says: each page of the navigation with its first sentence."""
    site = yaml.safe_load((_DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8"))
    lines = [f"# {site['site_name']}", "", f"> {site['site_description']}."]
    for entry in site["nav"]:
        ((section, pages_of),) = entry.items()
        lines += ["", f"## {section}", ""]
        listed = [{section: pages_of}] if isinstance(pages_of, str) else pages_of
        lines += [_llms_line(title, page) for each in listed for title, page in each.items()]
    return "\n".join(lines) + "\n"


def _llms_line(title: str, page: str) -> str:
    text = (_DOCS / page).read_text(encoding="utf-8")
    prose = re.search(r"^[A-Z`].*?\.(?=\s)", text, re.MULTILINE)
    first = _LINK.sub(r"\1", prose[0]) if prose else ""
    return f"- [{title}]({page}): {first}"


def write() -> None:
    """Write the generated parts of all pages into their files, and llms.txt."""
    LLMS.write_text(llms(), encoding="utf-8")
    for path in pages():
        path.write_text(with_generated(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write()
