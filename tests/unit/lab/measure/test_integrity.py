"""Faults of documents that need no gold text."""

from dataclasses import replace
from pathlib import Path

import pytest

from winnow.lab.measure.choice import Choice
from winnow.lab.measure.copies import held_twice, sources
from winnow.lab.measure.faults import Counts, Fault, faults_of
from winnow.lab.measure.integrity import BY_BLOCK, WHOLE, choices, main, pages_of
from winnow.models import Cleaner, Page

TEXT = "The council of the town decided on Tuesday to keep the old lighthouse on the northern pier."
CLEANER = Cleaner()
# three parts of one class with a heading and a list, the second is of links
LINKS = "".join(
    f"<div class=c><h3>{name}</h3><ul><li>{item}<li>{item}</ul></div>"
    for name, item in (("a", "a"), ("zz of others", "<a href=/b>b zz</a>"), ("c", "c"))
)
# three headings in elements of one class, each with a text; the second is open
PARTS = (
    "<div class=c><h3>a</h3></div><p>a a a<div class=c><h3>{}</h3></div><p>{}"
    "<div class=c><h3>c</h3></div><p>c c c"
)


OTHER = "Nobody had expected that the small museum above the office would survive its third move."
CARD = f"<div class=c><h3>Ash</h3><p>{OTHER}</p></div>"
CONTENTS = f"<ul><li><a href=#a>{OTHER}</a></ul>"
ADDRESS = "https://a.example/images/of/the/old/lighthouse/on/the/northern/pier/large.jpg"
INGREDIENTS = "<h3>You need</h3><ul><li>2 eggs<li>\u00bd cup of milk<li>salt<li>40 g butter</ul>"
TASKS = "<h3>You need</h3><ul><li>eggs<li>milk<li>salt<li>2 spoons of butter</ul>"
RATING = "<p>(1)1 reviews with an average rating of 5.0 out of 5 stars</p>"


def post(*passages: str) -> str:
    """Return a post of a thread."""
    return f"<div class=post>{''.join(f'<p>{each}</p>' for each in passages)}</div>"


def choice(markup: str, dropped: str = "") -> Choice:
    """Return a page of which the blocks are kept that do not hold `dropped`."""
    explanation = CLEANER.explain(Page(url="", body=f"<p>{TEXT}</p>{markup}".encode()))
    kept = tuple(not dropped or dropped not in each.block.text for each in explanation.blocks)
    return Choice(explanation, kept)


@pytest.mark.parametrize(
    ("markup", "fault"),
    [
        ("<table><tr><td>a<td>zz<tr><td>c<td>d</table>", Fault.TABLE),
        ("<ul><li>a<li>zz<li>c</ul>", Fault.LIST),
        ("<dl><dt>zz<dd>zz<dt>b<dd>c<dt>d<dd>e</dl>", Fault.LIST),
        ("<div class=c>a</div><div class=c>zz</div><div class=c>c</div>", Fault.SERIES),
        ("<h2>More</h2><p>zz zz zz</p>", Fault.HEADING),
        ("<h2>More</h2><p><a href=/a>zz</a><p><a href=/b>zz zz</a>", Fault.HEADING),
        (PARTS.format("zz", "b b b"), Fault.SERIES),
        (LINKS.replace("<a href=/b>", ""), Fault.SERIES),
        ("<ol class=footnotes><li>zz<li>zz</ol>", Fault.NOTES),
        ("<p>Lea también: <a href=/a>El faro</a></p>", Fault.PROMOTION),
        ("<p>{{ price }}</p>", Fault.PLACEHOLDER),
        ("<p>We and our partners use cookies.</p>", Fault.CONSENT),
        (f"<p>{TEXT}</p>", Fault.COPY),
        (f"{CARD}<p>b</p>{CARD}", Fault.COPY),
        (f"<p>b</p><div>{TEXT}</div>", Fault.COPY),
        (f"<p>b</p><h2>Ash</h2><p>{TEXT}</p><h2>Oak</h2>", Fault.COPY),
        (f"<div>{OTHER}</div><h2>{OTHER}</h2><p>b", Fault.COPY),
        (post(OTHER, "b") + post(OTHER), Fault.COPY),
        ("<h2>Ash</h2><p>zz zz zz", Fault.HEADING),
        ("<h2><a href=/a>Ash</a></h2><p>" + "zz " * 12, Fault.HEADING),
        (
            f"<div><h2>More</h2><p><a href=/a>zz</a><p><a href=/b>zz zz</a></div><p>{OTHER}",
            Fault.HEADING,
        ),
        (f"<div><h2>More</h2><p>{'zz ' * 12}</div><p>{OTHER}", Fault.HEADING),
        (f"<div><h2>More</h2><p>{'zz 2 ' * 12}</div><p>{OTHER}", Fault.HEADING),
        (f"<div><h2>More</h2>{'<p>zz zz zz' * 8}</div><p>{OTHER}", Fault.HEADING),
        (f"<div><h2>More</h2><p>Ann zz zz</div><h2>Ash</h2><p>{OTHER}", Fault.HEADING),
        ("<div><h2>More</h2><p>Ann zz zz</div><p>a b c", Fault.HEADING),
        (f"<p>b<p>He wrote a book.</p><div>{TEXT}</div>", Fault.COPY),
        (f"<p>Quote of the day</p><div>{TEXT}</div>", Fault.COPY),
        (f"<p>{TEXT} {ADDRESS}</p><p>b</p><div>{TEXT} {ADDRESS}</div>", Fault.COPY),
        ("<ul><li><a href=/a>a</a><li><a href=/b>zz</a><li><a href=/c>c</a></ul>", Fault.LIST),
        ("<ul><li>a<li>Read zz: <a href=/b>a day of the town</a><li>c</ul>", Fault.LIST),
        (f"<ul><li><p>a</p><li><p>zz</p><p>{TEXT}</p><li><p>c</p></ul>", Fault.COPY),
        ("<h2>Ash</h2><p>Posted by Ann zz</p>", Fault.HEADING),
        ("<h2>Hours</h2><p>Daily zz from 9:00 to 18:00</p>", Fault.HEADING),
        ("<h2>Ash</h2><p>Posted by Ann zz at 9:00</p><p>zz zz", Fault.HEADING),
        (f"<p>b</p><h2>Cake</h2><div>{TEXT}</div>{TASKS}", Fault.COPY),
        (f"<p>b</p><h2>Cake</h2><div>{TEXT}</div><p>{OTHER}</p>{INGREDIENTS}", Fault.COPY),
        (f"{INGREDIENTS}<h2>Cake</h2><div>{TEXT}</div>{INGREDIENTS}", Fault.COPY),
    ],
)
def test_a_fault_of_each_kind_is_found(markup: str, fault: Fault) -> None:
    assert list(faults_of(choice(markup, "zz"))) == [fault]


@pytest.mark.parametrize(
    ("markup", "dropped"),
    [
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table><ul><li>a<li>b<li>c</ul>", ""),
        ("<ul><li>zz<li>zz<li>zz</ul><h2>zz more</h2><p>zz", "zz"),
        ("<h1>Title</h1><p>zz zz zz", "zz"),
        ("<title>Garlic helps | Health</title><h2>Garlic helps</h2><p>zz zz zz", "zz"),
        ("<h6>Photograph by Ann Lind</h6><p>zz zz zz", "zz"),
        ("<div><h2>1. A school</h2><p>zz (Up)</div><p>Its text.", "zz"),
        ("<h2>A mouse</h2><p><a href=/a>zz the whole text</a>", "zz"),
        (
            "<h2>No ferry left the port on Sunday: the wind had grown all night.</h2><p>zz zz zz",
            "zz",
        ),
        ("<ul><li><p>a</p><li>zz<li><p>c</p></ul>", "zz"),
        (PARTS.format("zz", "zz zz zz"), "zz"),
        (LINKS, "zz"),
        ("<p>Related: the debt of the town.</p><pre>{{ price }}</pre>", ""),
        ("<pre>{% if price %}{{ price }}{% endif %}</pre><h3>{{ price }}</h3><p>A number.</p>", ""),
        (f"<p>{TEXT} {{{{ name }}}} {TEXT}</p><p>{{{{ name }}}}</p>", ""),
        ("<p>Grandmother baked cookies.</p><p>Write {{ name }} there.</p>", ""),
        (f"<blockquote>{TEXT}</blockquote><blockquote><p>{TEXT}</p></blockquote>", ""),
        (f"<p>b</p><p>{TEXT}</p><p>c</p>", ""),
        (f"{CONTENTS}<h2>{OTHER}</h2><p>b</p>", ""),
        (f"{CONTENTS}<p>{OTHER}</p>", ""),
        (post(OTHER) + post(OTHER, "b"), ""),
        (RATING * 2, ""),
        ("<h2>Ash</h2><p>→ ↗ ► zz", "zz"),
        ("<h2><a href=/a>Ash</a></h2><p>By Ann zz", "zz"),
        (f"<div><h2>Ash</h2><p>By Ann zz</div><p>{OTHER}", "zz"),
        (f"<div><h2>Ash</h2><p>By Ann zz</div><h3>Size</h3><p>a<p>{OTHER}", "zz"),
        (f"<div><h2>Ash</h2><p>{'zz ' * 11} on May 1</div><p>{OTHER}", "zz"),
        (f"<div><h2>Ash</h2><p>By Ann zz</div><h3>Size</h3><ul>{'<li>a b c' * 4}</ul>", "zz"),
        (f"<p>Quote:</p><div>{TEXT}</div>", ""),
        (f"<p>Ann Lind wrote:</p><p>b</p><div>{TEXT}</div>", ""),
        (f"<p>{ADDRESS}</p><div>{ADDRESS}</div>", ""),
        ("<ul><li>a<li><a href=/b>zz</a><li>c</ul>", "zz"),
        ("<ul><li>a<li>Read more: <a href=/b>a zz of the town</a><li>c</ul>", "zz"),
        ("<h2>Ash</h2><p>Posted by Ann zz at 9:00</p>", "zz"),
        (f"<p>b</p><h2>Cake</h2><div>{TEXT}</div><p>4 persons</p>{INGREDIENTS}", ""),
        (f"<p>b</p><div>{TEXT.replace('northern', 'southern')}</div>", ""),
    ],
)
def test_whole_units_are_not_faults(markup: str, dropped: str) -> None:
    assert list(faults_of(choice(markup, dropped))) == []


def test_a_text_is_a_copy_of_an_earlier_one_unless_it_is_short() -> None:
    other = (
        "Nobody had expected the small museum above the office to survive its third move at all."
    )

    assert len([*sources([TEXT, other, TEXT, other])]) == 2
    assert len([*sources(["Read this"] * 5)]) == 0
    # a word more says something else, unless the text is long
    assert len([*sources([TEXT, TEXT.replace("pier", "pier too")])]) == 0
    assert len([*sources([f"{TEXT} {other}", f"{TEXT} {other} Or not"])]) == 1


def test_notes_that_are_printed_elsewhere_are_not_lost() -> None:
    notes = f"<p>{OTHER}</p><ol class=footnotes><li>A mill.</ol>"
    twice = choice(notes + notes.replace(OTHER, OTHER[::-1]))
    assert list(faults_of(Choice(twice.explanation, (*twice.kept[:-1], False)))) == []
    once = choice(notes)
    assert list(faults_of(Choice(once.explanation, (*once.kept[:-1], False)))) == [Fault.NOTES]


def test_an_item_that_a_longer_text_has_is_not_a_hole() -> None:
    items = f"<ul><li>{TEXT}</li><li>b</li><li>c</li></ul>"
    text = f"<p>{OTHER} {TEXT}</p>"

    def of(markup: str) -> list[Fault]:
        page = choice(markup)
        blocks = page.explanation.blocks
        kept = tuple(
            each.block.text != TEXT and kept for each, kept in zip(blocks, page.kept, strict=True)
        )
        return list(faults_of(Choice(page.explanation, kept)))

    assert of(text + items) == []
    assert of(items) == [Fault.LIST]


def test_text_that_gold_holds_twice_is_not_a_copy() -> None:
    assert len([*sources([TEXT, TEXT], held_twice(f"{TEXT}\n{TEXT}"))]) == 0
    assert len([*sources([TEXT, TEXT], held_twice(TEXT))]) == 1


def test_verdicts_of_the_engine_are_distinguished_from_verdicts_of_units() -> None:
    explanation = choice("<p>b").explanation
    blocks = (explanation.blocks[0], replace(explanation.blocks[1], decider="list"))
    whole_kept = tuple(each.kept > 0 for each in blocks)

    found = dict(choices(replace(explanation, blocks=blocks)))

    assert found[WHOLE].kept == whole_kept
    assert found[BY_BLOCK].kept == (whole_kept[0], not whole_kept[1])


def test_an_item_that_is_clearly_boilerplate_is_not_a_hole() -> None:
    # the last item is dropped: a name and what it says
    cut = choice("<ul><li>a<p>a</p><li>b<p>b</p><li>zz<p>zz zz zz zz</p></ul>", "zz")

    def of(name: float, says: float) -> list[Fault]:
        explained = cut.explanation.blocks
        given = [*[0.9] * (len(explained) - 2), name, says]
        blocks = tuple(
            replace(each, probability=p) for each, p in zip(explained, given, strict=True)
        )
        return list(faults_of(replace(cut, explanation=replace(cut.explanation, blocks=blocks))))

    assert of(0.01, 0.01) == []
    assert of(0.1, 0.005) == []
    assert of(0.3, 0.3) == [Fault.LIST]
    assert of(0.005, 0.1) == [Fault.LIST]


def test_faults_are_counted_over_documents_with_content() -> None:
    counts = Counts()
    counts.add(choice("<ul><li>a<li>zz<li>c</ul>", "zz"))
    counts.add(choice("<p>b"))
    counts.add(choice("", " "))

    assert counts.documents == 2
    assert counts.per_thousand(Fault.LIST) == 500
    assert counts.per_thousand(Fault.TABLE) == 0


@pytest.mark.parametrize(
    ("dropped", "gold", "tables"),
    [
        ("", "A b\nc zz", (1, 1)),
        ("zz", "a b c zz", (1, 0)),
        ("", "a b c", (0, 0)),
        ("", "a c b zz", (0, 0)),
        ("", "", (0, 0)),
    ],
)
def test_tables_of_the_gold_are_counted(dropped: str, gold: str, tables: tuple[int, int]) -> None:
    page = choice("<table><tr><td>a<td>b<tr><td>c<td>zz</table>", dropped)
    counts = Counts()
    for _, each in choices(page.explanation, gold):
        counts.add(replace(each, kept=page.kept))

    assert (counts.gold_tables, counts.whole_tables) == (2 * tables[0], 2 * tables[1])


def test_a_folder_of_pages_needs_no_gold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.html", "b.htm", "c.txt"):
        (tmp_path / name).write_text(f"<p>{TEXT}")

    assert len(list(pages_of(tmp_path, None))) == 2
    main([str(tmp_path), "--limit", "1"])

    assert capsys.readouterr().out.startswith("1 documents, faults per 1,000")
