"""The picture at the top of the README: a page, and the document that Winnow makes of it.

    python -m tests.web.before_after

The page is a sample with a stylesheet, as a site would have one; the document is what
`winnow clean --format jsonl` writes. `make screenshots` runs this too.
"""

import html
from collections.abc import Callable
from typing import Final

from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.serving import chromium
from tests.web.taking import take
from winnow.models import Cleaner, CleanerOptions
from winnow.models import Page as RawPage
from winnow.models.document import Document
from winnow.worker.batch.inputs import SAMPLES

_SAMPLE: Final = "article.html"
_URL: Final = "https://gazette.example/features/lighthouse"
_SIZE: Final = (1240, 930)
_FIELDS: Final = ("title", "author", "published_at", "language", "page_type", "confidence", "words")
# what the site's own stylesheet would say
_SITE: Final = """
body{margin:0;font:14px/1.45 Georgia,serif;color:#222;background:#fff}
.site-header{background:#14324a;padding:12px 20px}
.site-header>a{color:#fff;font-size:22px;font-weight:bold;text-decoration:none}
nav ul,footer ul{display:flex;gap:18px;list-style:none;padding:0;margin:8px 0 0}
nav a{color:#cfe3f2;text-decoration:none}
#cookie{background:#fff3c4;border-bottom:1px solid #e3c565;padding:8px 20px;font:13px sans-serif}
#cookie p{display:inline;margin-right:12px}
main{padding:4px 20px}
h1{font-size:25px;line-height:1.2;margin:8px 0}
h2{font-size:18px;margin:12px 0 4px}
.crumbs,.byline,.share,figcaption{font:12px sans-serif;color:#666;margin:6px 0}
.share a{margin-right:10px}
article>p{margin:8px 0}
figure{margin:10px 0}
figure::before{content:"";display:block;height:64px;background:linear-gradient(120deg,#9db8c9,#d8c9a8)}
figure img{display:none}
.promo{float:right;width:190px;margin:0 0 8px 16px;padding:8px 12px;background:#f2f2f2;font:13px sans-serif}
.promo h3,.related h3{margin:0 0 4px;font-size:13px;text-transform:uppercase}
.promo ul{padding-left:16px;margin:0}
.related{clear:both;background:#f2f2f2;padding:10px 12px;font:13px sans-serif}
.related a{margin-right:14px}
"""
_FRAME: Final = """<!doctype html><meta charset=utf-8><style>
:root{{color-scheme:light dark;--ink:#1f2933;--back:#f4f6f8;--paper:#fff;--line:#cfd8df;--soft:#5b6b78;--own:#00796b}}
@media(prefers-color-scheme:dark){{:root{{--ink:#e4e8eb;--back:#0d1117;--paper:#161b22;--line:#30363d;--soft:#9aa7b2;--own:#4db6ac}}}}
*{{box-sizing:border-box}}
body{{margin:0;padding:16px;height:100vh;background:var(--back);color:var(--ink);font:14px/1.45 sans-serif;
display:grid;grid-template-columns:1fr 56px 1fr;grid-template-rows:auto 1fr;gap:8px 0}}
h6{{margin:0;font-size:15px}} h6 small{{color:var(--soft);font-weight:normal}}
iframe,section{{width:100%;height:100%;border:1px solid var(--line);border-radius:8px;background:var(--paper);overflow:hidden}}
iframe{{background:#fff}} section{{padding:6px 20px;font-family:Georgia,serif;position:relative}}
i{{align-self:center;text-align:center;font-style:normal;font-size:34px;color:var(--own)}}
dl{{font:12.5px/1.5 ui-monospace,"DejaVu Sans Mono",monospace;display:grid;grid-template-columns:auto 1fr;gap:0 14px;
margin:8px 0;padding-bottom:8px;border-bottom:1px solid var(--line)}}
dt{{color:var(--own)}} dd{{margin:0}}
h1{{font-size:22px;line-height:1.2;margin:8px 0}} h2{{font-size:17px;margin:10px 0 4px}} p{{margin:7px 0}}
blockquote{{margin:8px 0;padding-left:12px;border-left:3px solid var(--line)}}
</style>
<h6>the page <small>{page_bytes:,} bytes of HTML</small></h6><span></span><h6>its document <small>Markdown and fields</small></h6>
<iframe sandbox srcdoc="{page}"></iframe><i>&#10132;</i><section><dl>{fields}</dl>{text}</section>
"""


def take_before_after(browser: Browser) -> None:
    """Take the picture, light and dark."""
    body = (SAMPLES / _SAMPLE).read_bytes()
    options = CleanerOptions().with_values({"format": "markdown"})
    document = Cleaner(options).clean(RawPage(_URL, body, "text/html; charset=utf-8"))
    for name, is_dark in (("before-after", False), ("before-after-dark", True)):
        take(browser, name, _shown(body, document), _SIZE, dark=is_dark)


def _shown(body: bytes, document: Document) -> Callable[[Page], None]:
    styled = body.decode().replace("</head>", f"<style>{_SITE}</style></head>")
    record = document.to_dict()
    fields = "".join(
        f"<dt>{name}<dd>{html.escape(_as_text(record[name]))}" for name in _FIELDS if record.get(name)
    )
    framed = _FRAME.format(
        page=html.escape(styled),
        page_bytes=len(body),
        fields=fields,
        text=MarkdownIt().render(document.text),
    )
    return lambda page: page.set_content(framed)


def _as_text(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    with sync_playwright() as playwright:
        take_before_after(playwright.chromium.launch(executable_path=chromium()))
