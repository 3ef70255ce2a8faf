"""Dates as pages write them to RFC 3339."""

import re
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

from models.page.months import month_of

_ISO_DATE: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_MAX_CHARS: Final = 64
_MINUTE: Final = timedelta(minutes=1)

# what readers see: the year has four digits, or nobody knows which number it is
_SEEN: Final = re.compile(
    r"(?<![\d.,/-])(?:"
    r"(?P<y1>\d{4})(?P<s1>[-/.])(?P<m1>\d{1,2})(?P=s1)(?P<d1>\d{1,2})"
    r"|(?P<y2>\d{4})\s?[年년]\s?(?P<m2>\d{1,2})\s?[月월]\s?(?P<d2>\d{1,2})\s?[日일]"
    r"|(?P<a3>\d{1,2})(?P<s3>[-/.])\s?(?P<b3>\d{1,2})(?P=s3)\s?(?P<y3>\d{4})"
    r"|(?P<d4>\d{1,2})(?:st|nd|rd|th|er|[.ºª°])?[\s-]{1,2}(?:de\s|of\s)?"
    r"(?P<m4>[^\W\d_]{3,12})[.,]{0,2}[\s-]{1,2}(?:de\s|del\s|of\s)?(?P<y4>\d{4})"
    r"|(?P<m5>(?<![^\W\d_])[^\W\d_]{3,12})[.,]?\s{1,2}(?P<d5>\d{1,2})(?:st|nd|rd|th)?,?\s{1,2}(?P<y5>\d{4})"
    r")(?!\.?\d)"
)
_HAS_YEAR: Final = re.compile(r"(?:19[89]|20\d)\d")
_YEARS: Final = range(1990, 2100)
_MONTHS: Final = 12
_MONTH_FIRST: Final = frozenset({"us", "ph"})
_DAY_FIRST: Final = frozenset(
    {"gb", "uk", "ie", "au", "nz", "in", "za", "sg", "hk", "my", "ke", "ng", "pk"}
)
# names of hosts that the United States give to their own
_OF_US: Final = frozenset({"us", "gov", "edu", "mil"})


def rfc3339(text: str) -> str:
    """Return the date, with the time if there is one and a zone; empty for what is no date.

    Understood are ISO 8601 and RFC 2822. A time without a zone is dropped, because what it
    means is not known; the date stays. The year 1 is what software writes for no date.
    """
    text = text.strip()
    if not text or len(text) > _MAX_CHARS:
        return ""
    moment = _iso(text) or _mail(text)
    if moment is None:
        return _date_alone(text)
    if moment.year == 1:
        return ""
    offset = moment.utcoffset()
    if offset is None or _is_date(text):
        return moment.date().isoformat()
    if offset % _MINUTE:
        return ""
    written = moment.isoformat(timespec="seconds")
    return written if offset else written.replace("+00:00", "Z")


def is_month_first(lang: str, host: str) -> bool | None:
    """Say whether `3/4/2025` is the 4th of March on a page; None if the page does not tell.

    Args:
        lang: language tag of the page, as it spells it.
        host: name of its host.
    """
    language, _, region = lang.replace("_", "-").lower().partition("-")
    region = region.rpartition("-")[2]
    ending = host.rpartition(".")[2].lower()
    if region in _MONTH_FIRST or ending in _OF_US:
        return True
    if region in _DAY_FIRST or ending in _DAY_FIRST:
        return False
    return None if language in {"", "en"} else False


def seen_date(text: str, lang: str, month_first: bool | None) -> str:  # noqa: FBT001 - tells of text
    """Return the first date in a text that readers see, empty if there is none.

    Args:
        text: a short one: a block beside the headline.
        lang: language of the page, for short names of months.
        month_first: as `is_month_first` says; without it numbers that may be either are left out.
    """
    if not _HAS_YEAR.search(text):  # most lines have none, and this is quick
        return ""
    for found in _SEEN.finditer(text):
        if day := _day(found, lang, month_first):
            return day
    return ""


def _day(found: re.Match[str], lang: str, month_first: bool | None) -> str:  # noqa: FBT001
    numbers = found.groupdict()
    if numbers["y1"] or numbers["y2"]:
        kind = "1" if numbers["y1"] else "2"
        parts = (numbers["y" + kind], numbers["m" + kind], numbers["d" + kind])
        return _calendar(*map(int, parts))
    if numbers["y3"]:
        first, second = int(numbers["a3"]), int(numbers["b3"])
        return _by_order(int(numbers["y3"]), first, second, numbers["s3"] != "." and month_first)
    kind = "4" if numbers["y4"] else "5"
    month = month_of(numbers["m" + kind], lang)
    return _calendar(int(numbers["y" + kind]), month, int(numbers["d" + kind])) if month else ""


def _by_order(year: int, first: int, second: int, month_first: bool | None) -> str:  # noqa: FBT001
    if first > _MONTHS or first == second:
        return _calendar(year, second, first)
    if second > _MONTHS or month_first:
        return _calendar(year, first, second)
    return _calendar(year, second, first) if month_first is False else ""


def _calendar(year: int, month: int, day: int) -> str:
    if year not in _YEARS:
        return ""
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def _is_date(text: str) -> bool:
    return ":" not in text


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _mail(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError, OverflowError):
        return None


def _date_alone(text: str) -> str:
    found = _ISO_DATE.match(text)
    if not found:
        return ""
    try:
        day = date(*map(int, found.groups()))
    except ValueError:
        return ""
    return "" if day.year == 1 else day.isoformat()
