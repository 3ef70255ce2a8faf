"""The tree of all errors that Winnow raises on purpose, and what happens after each.

WinnowError
├── InvalidPage           the page is at fault: dead letter with its `Reason`, never retried
├── ModelError            a model file cannot be used: the process stops before the first event
├── OptionsError          engine or options are wrong: usage error, the process stops at start-up
├── MissingExtraError     an extra is not installed: a command or an adapter does not start
├── the streams' errors   drawn in streams/errors.py
├── worker
│   ├── SettingsError         settings cannot be used: the process does not start
│   ├── PreflightError        brokers or topics are not ready: the process does not start
│   ├── AddressInUseError     a port is already in use: the process does not start
│   ├── BadRequest            a request has no valid content (HTTP 400)
│   ├── _WrongType            a request has another content type (HTTP 415)
│   ├── NotFound              the inspector has nothing at this address (HTTP 404)
│   ├── CutShort              a request body did not arrive completely (HTTP 408 or 400)
│   ├── NotTaken              a request is refused: the client gets the reason (HTTP 4xx, 503)
│   ├── CannotServe           models or options cannot be used: inspector or server do not start
│   ├── NoAnswer              a request took too long, or ended its process (HTTP 504, 500)
│   ├── _Stopped              a client of a batch sends or reads nothing: it is disconnected
│   ├── _Gone                 the process at a port has ended: the client gets HTTP 500
│   ├── SourceUnavailable     a cache or broker needed for the answer is down (HTTP 503)
│   ├── NoSumError            a process gives no metrics: this scrape is answered with an error
│   ├── InputError            a path of the command line cannot be read: reported, others go on
│   ├── DamagedPacking        a packed body or file is truncated: reported, others go on
│   ├── DamagedRecord         a record of a WARC cannot be read: raised again as InvalidPage
│   ├── FingerprintsError     fingerprints of an earlier run are unusable: the command does not
start
│   ├── OtherRunError         an output folder belongs to another run: the command does not start
│   ├── RemoteUnavailable     a store of archives or shards does not answer: it is reported
│   ├── _Refused              a URL of the command line gives no page: reported, others go on
│   ├── MissingPackageError   an extra is not installed: the command does not start
│   ├── FolderInUseError      another process writes to it: the same
│   ├── ForeignFileError      a file in it is a link, or was not written by us: the same
│   ├── LineTooLong           a line is above the limit: reported, others go on
│   ├── WriteError            the file of one page cannot be written: reported, others go on
│   ├── _OutputError          standard output is closed or full: the command stops
│   ├── EmbeddedBrokerError   the broker of the demo does not start: the demo stops
│   └── DemoError             the demo got no answer for a page: the demo stops
└── lab
    ├── LabelledError         a labelled set cannot be used: the command stops
    ├── PatchError            a patch does not fit its page: the command stops
    ├── OutputsError          a file of outputs cannot be read: the command stops
    ├── RegressionError       floors would be lowered without a note: the gate fails
    └── _Format               bytes that are not a valid Storable: raised again as ModelError
"""

from enum import StrEnum
from typing import Final, Self


class Reason(StrEnum):
    """Why a page gives no document: one closed set for headers, logs and metric labels."""

    # the message around the page
    TOMBSTONE = "tombstone"  # no value at all
    EMPTY = "empty"  # the value or body is empty or white space only
    UNDECODABLE = "undecodable"  # neither JSON of the message schema nor page bytes with headers
    NO_URL = "no_url"  # no URL in key, headers or value
    UNREADABLE = "unreadable"  # a file that cannot be opened
    # the body
    TOO_LARGE = "too_large"  # more bytes than the limit
    NOT_HTML = "not_html"  # PDF, image, archive or another body that is not text
    BINARY = "binary"  # claims to be text but is not
    # the markup
    TOO_DEEP = "too_deep"  # nested deeper than the limit
    TOO_MANY_NODES = "too_many_nodes"  # more nodes than the limit
    # ours
    TIMEOUT = "timeout"  # used more CPU than the limit per page
    BUG = "bug"  # our error while cleaning; the log has the traceback


class WinnowError(Exception):
    """Base of all errors that Winnow raises on purpose."""


class InvalidPage(WinnowError):  # noqa: N818 - the stream vocabulary: an invalid message
    """The page cannot be cleaned, and a retry would not help.

    Attributes:
        reason: the closed-set cause.
        detail: one line for people: figures and limits, never page text.
    """

    def __init__(self, reason: Reason, detail: str = "") -> None:
        """Keep both arguments in `args`, so that the error survives pickling."""
        super().__init__(reason, detail)
        self.reason: Final = reason
        self.detail: Final = detail

    def __str__(self) -> str:
        """Return `reason: detail`."""
        return f"{self.reason.value}: {self.detail}" if self.detail else self.reason.value

    def as_value(self) -> Self:
        """Return an equal error without traceback: a traceback holds the page and its batch."""
        return type(self)(self.reason, self.detail)


class ModelError(WinnowError):
    """A model file is missing, truncated, corrupt, foreign or of another version."""


class OptionsError(WinnowError):
    """An engine name or an option is unknown or out of range."""
