"""Dates as pages write them to RFC 3339."""

import re
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime

_ISO_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_MAX_CHARS = 64
_MINUTE = timedelta(minutes=1)


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
