"""Transliterate pages to an artificial language: every word becomes a made-up word.

This measures the engine on pages in unseen languages with gold text. Elements, classes, URLs and
numbers stay, and therefore the labels of blocks. Letters, lengths, capitals, blanks and punctuation
change to the other script; no known words remain. Classes and ids stay English, as on most sites in
every country; in "german-labels" they are German too.
"""

import html
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from selectolax.lexbor import LexborHTMLParser


def _letters(first: int, end: int) -> str:
    return "".join(map(chr, range(first, end)))


@dataclass(frozen=True, slots=True)
class Script:
    """The script of a language.

    Attributes:
        length: letters per English letter.
        capitals: whether half of all words begin with a capital, anywhere in a sentence.
        blank: separator of words; may be empty.
        stop: mark at the end of a sentence.
        marks: replacements of other punctuation.
        labels: replacements of parts of classes and ids.
    """

    letters: str
    length: float
    capitals: bool = False
    blank: str = " "
    stop: str = "."
    marks: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)


_GERMAN: Final = Script("abcdefghiklmnoprstuvwzäöüß", 1.2, capitals=True)
_GERMAN_LABELS: Final[dict[str, str]] = dict(
    re.findall(
        r"(\S+)=(\S+)",
        "ad-=werbung- article=artikel banner=anzeige breadcrumb=brotkrumen comment=kommentar "
        "contact=kontakt content=inhalt entry=beitrag foot=fuss header=kopf login=anmeldung "
        "main=haupt more=weitere page=seite popular=beliebt post=beitrag recent=neueste "
        "related=verwandt reply=antwort search=suche share=teilen sidebar=seitenleiste "
        "sponsor=werbe story=bericht subscribe=abonnieren tags=schlagworte tool=werkzeug",
    )
)

SCRIPTS: Final = {
    "german": _GERMAN,
    "german-labels": replace(_GERMAN, labels=_GERMAN_LABELS),
    "arabic": Script(_letters(0x627, 0x64B), 0.85, marks={",": "،", "?": "؟", ";": "؛"}),
    "hindi": Script(_letters(0x905, 0x93A), 0.7, stop="।"),
    "korean": Script(_letters(0xAC00, 0xB400), 0.5),
    "japanese": Script(
        _letters(0x3042, 0x3094) * 2 + _letters(0x4E00, 0x4F00),
        0.45,
        blank="",
        stop="。",
        marks={",": "、", "?": "？", "!": "！", ":": "：", "(": "（", ")": "）"},  # noqa: RUF001 - meant
    ),
    "thai": Script(_letters(0xE01, 0xE2F), 0.9, blank="", stop=" ", marks={",": " ", ";": " "}),
}

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")  # noqa: RUF001 - an apostrophe
_STOP: Final = re.compile(r"\.(?=\s|$)")
_BLANK: Final = re.compile(r"(?<=\S)\s+(?=\S)")
# a comment, or a tag as lexbor writes it: attributes without a value, or in double quotes
_MARKUP: Final = re.compile(
    r"<!--.*?-->|<![^>]*>|</?(?P<name>[a-zA-Z][^\s/>]*)(?:\s+[^\s=>]+(?:=\"[^\"]*\")?)*\s*/?>",
    re.DOTALL,
)
_READ_ATTRIBUTE: Final = re.compile(r'(?<=\s)(title|alt|content)="([^"]*)"')
_LABEL: Final = re.compile(r'(?<=\s)(?:class|id)="[^"]*"')
_RAW: Final = frozenset(
    {"script", "style", "textarea", "noscript", "template", "xmp", "iframe", "noframes"}
)
_STEP: Final = 1_103_515_245


def transliterated(body: bytes, script: Script) -> bytes:
    """Return a page in UTF-8 whose texts and titles are written in `script`.

    Raw text, JSON data and texts of URLs are unchanged.
    """
    markup = LexborHTMLParser(body).html or ""
    parts = ["\ufeff"]
    end, raw = 0, ""
    for tag in _MARKUP.finditer(markup):
        name = (tag["name"] or "").lower()
        if raw and (name != raw or not tag[0].startswith("</")):
            continue
        text = markup[end : tag.start()]
        parts.append(text if raw else _escaped(text, script))
        labelled = _LABEL.sub(lambda found: _label(found, script), tag[0])
        parts.append(_READ_ATTRIBUTE.sub(lambda found: _attribute(found, script), labelled))
        raw = name if name in _RAW and not raw else ""
        end = tag.end()
    parts.append(markup[end:] if raw else _escaped(markup[end:], script))
    return "".join(parts).encode()


def _attribute(found: re.Match[str], script: Script) -> str:
    is_text = " " in found[2] and ";" not in found[2]  # but not `text/html; charset=...`
    return f'{found[1]}="{_escaped(found[2], script)}"' if is_text else found[0]


def _label(found: re.Match[str], script: Script) -> str:
    label = found[0]
    for part, other in script.labels.items():
        label = re.sub(part, other, label, flags=re.IGNORECASE)
    return label


def _escaped(text: str, script: Script) -> str:
    return html.escape(rewritten(html.unescape(text), script))


def rewritten(text: str, script: Script) -> str:
    """Return a text in `script`; equal words get equal replacements."""
    text = _STOP.sub("\0", _WORD.sub(lambda found: _word(found[0], script), text))
    if not script.blank:
        text = _BLANK.sub("", text)
    marks = {ord(mark): other for mark, other in script.marks.items()}
    return text.replace("\0", script.stop).translate(marks)


def _word(word: str, script: Script) -> str:
    state = zlib.crc32(word.lower().encode())
    is_capital = script.capitals and state % 2 == 0
    letters = []
    for _ in range(max(1, round(len(word) * script.length))):
        state = (state * _STEP + 12_345) % (1 << 31)
        letters.append(script.letters[(state >> 8) % len(script.letters)])
    made_up = "".join(letters)
    if word.isupper() and len(word) > 2:  # noqa: PLR2004 - not an initial
        return made_up.upper()
    starts = is_capital or (word[0].isupper() and not script.capitals)
    return made_up[0].upper() + made_up[1:] if starts else made_up
