"""Turn the text of one environment variable into a checked value."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar

from winnow.streams.cache.redis_client import parse_address
from winnow.streams.kafka.connection import Secret

E = TypeVar("E", bound=StrEnum)

_SIZE: Final = re.compile(r"(\d+)(Ki|Mi|Gi)?")
_UNITS: Final = {None: 1, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30}
_TOPIC: Final = re.compile(r"[a-zA-Z0-9._-]{1,249}")
_BROKER: Final = re.compile(r"(\[[0-9a-fA-F:]+\]|[^\s:/@,\[\]]+):([0-9]{1,5})")
_MAX_SECRET_BYTES: Final = 4096
# too many to guess, even as hexadecimal digits
_MIN_KEY_BYTES: Final = 32
MAX_PORT: Final = 65535


@dataclass(frozen=True, slots=True)
class SecretFile:
    """A secret and the mounted file that it came from; shows only the file."""

    path: Path
    secret: Secret

    def __str__(self) -> str:
        """Return the path."""
        return str(self.path)


def text(raw: str) -> str:
    """Accept any text."""
    return raw


def integer(low: int, high: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from `low` to `high`."""

    def parse(raw: str) -> int:
        number = int(raw) if raw.isdecimal() else None
        if number is None or not low <= number <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return number

    return parse


def number(low: float, high: float) -> Callable[[str], float]:
    """Return a parser of decimal numbers from `low` to `high`."""

    def parse(raw: str) -> float:
        try:
            value = float(raw)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:  # false for NaN too
            raise ValueError(f"must be a number from {low:g} to {high:g}")
        return value

    return parse


def size(low: int, high: int) -> Callable[[str], int]:
    """Return a parser of bytes from `low` to `high`: a number, or one with Ki, Mi or Gi."""

    def parse(raw: str) -> int:
        match = _SIZE.fullmatch(raw)
        count = int(match[1]) * _UNITS[match[2]] if match else -1
        if not low <= count <= high:
            raise ValueError(f"must be {low} to {high} bytes, like 8388608 or 8Mi")
        return count

    return parse


def one_of(choices: type[E]) -> Callable[[str], E]:
    """Return a parser of the values of an enum, in upper or lower case."""

    def parse(raw: str) -> E:
        for choice in choices:
            if choice.value.lower() == raw.lower():
                return choice
        raise ValueError(f"must be one of {', '.join(choice.value for choice in choices)}")

    return parse


def brokers(raw: str) -> tuple[str, ...]:
    """Accept `host:port,...`. Errors do not quote the text: it may hold a password by mistake."""
    addresses = tuple(part.strip() for part in raw.split(","))
    matches = [_BROKER.fullmatch(address) for address in addresses]
    if not all(matches):
        raise ValueError("must be host:port[,host:port...], without scheme, user or password")
    if not all(1 <= int(match[2]) <= MAX_PORT for match in matches if match):
        raise ValueError(f"a port must be a number from 1 to {MAX_PORT}")
    return addresses


def topic(raw: str) -> str:
    """Accept a topic name that Kafka allows."""
    if not _TOPIC.fullmatch(raw) or raw in {".", ".."}:
        raise ValueError("must be 1 to 249 of the characters a-z A-Z 0-9 . _ -")
    return raw


def header_names(raw: str) -> tuple[str, ...]:
    """Accept `name,...` of record headers; a name may contain `*`."""
    names = tuple(part.strip() for part in raw.split(","))
    if not all(names):
        raise ValueError("must be name[,name...], like crawl-id,x-*")
    return names


def redis_url(raw: str) -> str:
    """Accept a Redis URL without a password."""
    parse_address(raw)
    return raw


def existing_file(raw: str) -> Path:
    """Accept the path of a readable file."""
    path = Path(raw)
    try:
        with path.open("rb"):
            return path
    except OSError as error:
        raise ValueError(f"{raw}: {error.strerror}") from error


def file_or_json(raw: str) -> Path | str:
    """Accept the path of a readable file, or one JSON object as text."""
    return raw if raw.lstrip().startswith("{") else existing_file(raw)


def existing_path(raw: str) -> Path:
    """Accept the path of a folder or of a readable file."""
    path = Path(raw)
    return path if path.is_dir() else existing_file(raw)


def secret_file(raw: str) -> SecretFile:
    """Read a secret from a file, without one line break at its end.

    If the path is not a file, it may be the secret itself by mistake: errors do not quote it.
    """
    path = Path(raw)
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_SECRET_BYTES + 1)
    except OSError as error:
        raise ValueError(f"must be the path of a file: {error.strerror}") from None
    if not content.strip() or len(content) > _MAX_SECRET_BYTES:
        raise ValueError(f"{raw}: must hold 1 to {_MAX_SECRET_BYTES} bytes")
    try:
        return SecretFile(path, Secret(content.decode("utf-8").removesuffix("\n").rstrip("\r")))
    except UnicodeDecodeError:
        raise ValueError(f"{raw}: is not UTF-8") from None


def key_file(raw: str) -> SecretFile:
    """Read a signing key. Nobody types it, so it must be long."""
    taken = secret_file(raw)
    if len(taken.secret.reveal().encode()) < _MIN_KEY_BYTES:
        raise ValueError(
            f"{raw}: must hold at least {_MIN_KEY_BYTES} bytes: run openssl rand -hex 32"
        )
    return taken
