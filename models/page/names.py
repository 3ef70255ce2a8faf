# ruff: noqa: RUF001 - letters and signs of other scripts are what pages write
"""Names of authors out of what pages write where an author should stand."""

import re
from typing import Final

from models.page.lines import line
from models.page.months import month_of

_MAX_CHARS: Final = 100
_MAX_NAME_WORDS: Final = 6
# what stands before a name, in the languages whose bylines are read
_LEAD: Final = re.compile(
    r"^\W*(?:(?:(?:article|blog|post|story|words?|text|recipe|guest post)\s+)?"
    r"(?:(?:medically |fact )?(?:written|posted|published|authored|created|contributed|submitted"
    r"|compiled|asked|started|updated)\s+)?by\b:?(?!-)"
    r"|(?:about the )?authors?(?:\(s\))?:|author name:|byline:?|writer:"
    r"|(?:ein (?:artikel|beitrag|kommentar|gastbeitrag) )?von\b:?|autore?n?(?:in)?:"
    r"|verfasst von\b:?|(?:écrit |publié |rédigé )?par\b:?|auteure?:"
    r"|(?:escrito |publicado )?por\b:?|autora?:|(?:scritto |pubblicato )?d[ai]\b:?"
    r"|tekst:|автор:?|(?:文|著者|筆者|執筆者?|ライター|作者|記者)\s*[:：／/])\s*",
    re.IGNORECASE,
)
# where a byline goes on to something else
_END: Final = re.compile(
    r"\s*[|•·●∙⋅▪—–／*<>@(\[]|\s+-\s|,?\s\(?\d|\s(?:on|in|at|for|published|posted|updated|last"
    r"|min|minutes?|am|le|il|el|em)\s|\s?,\s?(?:senior|staff|chief|contributing|contributor"
    r"|editor|writer|reporter|correspondent|director|founder|co-founder|ceo|head|the)\b",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"https?:|//|www\.|@|\S+\.(?:com|net|org|html?|php)\b")
_NONE: Final = frozenset(
    {
        *("admin", "administrator", "author", "authors", "editor", "editors", "root", "user"),
        *("webmaster", "anonymous", "guest", "unknown", "none", "null", "undefined", "n/a"),
        *("staff", "default", "name", "contributor", "member", "moderator", "owner", "username"),
        *("view all posts", "read more", "about", "posts", "share", "follow", "see all", "more"),
        *("about the author", "about author", "meet the author", "byline", "contact"),
    }
)
_WORD: Final = re.compile(r"[^\W\d_]")
_SMALL: Final = frozenset(
    {
        *("de", "da", "do", "dos", "das", "del", "della", "di", "du", "la", "le", "van"),
        *("von", "der", "den", "ter", "ten", "zu", "zum", "y", "e", "and", "und", "et"),
        *("i", "und", "&", "the", "of", "al", "bin", "ibn", "el", "ap"),
    }
)


_ROLES: Final = frozenset(
    {
        *("writer", "editor", "reporter", "correspondent", "director", "founder"),
        *("consultant", "former", "senior", "staff", "contributor", "contributing"),
        *("specialist", "manager", "updated", "published", "posted", "last", "sign"),
    }
)
# months that people are called by
_NAMES_TOO: Final = frozenset(
    {
        *("may", "april", "june", "august", "jun", "jan", "mar", "augusto", "mai", "maj"),
    }
)
_DAYS: Final = frozenset(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
_LOGIN: Final = re.compile(r"[a-z0-9]+(?:[._-]?[a-z0-9]+)*")


def declared_author(text: str) -> str:
    """Return the names that a field for authors holds; empty if it leads to one instead.

    Addresses, handles and numbers lead to an author; so do the names that software gives by
    itself, `admin` and the like.
    """
    name = line(text, 4 * _MAX_CHARS)
    name = _LEAD.sub("", name).strip(" \t,;:|-–—·•")
    return "" if _is_no_name(name) else name


def seen_author(text: str) -> str:
    """Return the names in a byline, `By Ann Bee | 3 May 2025`; empty if it is none."""
    byline = line(text, 2 * _MAX_CHARS)
    led = _LEAD.match(byline)
    return _named(byline[led.end() :]) if led else ""


def marked_author(text: str) -> str:
    """Return the names in an element whose markup says that it names an author."""
    byline = line(text, 2 * _MAX_CHARS)
    return _named(_LEAD.sub("", _LEAD.sub("", byline)))


def is_login(name: str) -> bool:
    """Whether a name is what an account is called: one word in small letters and digits."""
    return _LOGIN.fullmatch(name) is not None


def _named(text: str) -> str:
    words = _END.split(text, maxsplit=1)[0].split()
    for at, word in enumerate(words):
        if at and _ends_name(word):
            del words[at:]
            break
    name = " ".join(words).strip(" \t,;:|-–—·•.")
    if _is_no_name(name) or len(words) > 2 * _MAX_NAME_WORDS or _ends_name(words[0]):
        return ""
    is_written_as_name = all(not word[0].islower() or word.casefold() in _SMALL for word in words)
    return name if is_written_as_name or len(words) == 1 else ""


def _ends_name(word: str) -> bool:
    plain = word.strip(",.:;").casefold()
    is_month = word[0].isupper() and plain not in _NAMES_TOO and month_of(plain, "") > 0
    return is_month or plain in _ROLES or plain in _DAYS


def _is_no_name(name: str) -> bool:
    is_short = 1 < len(name) <= _MAX_CHARS
    return (
        not is_short
        or not _WORD.search(name)
        or name.casefold() in _NONE
        or _ADDRESS.search(name) is not None
    )
