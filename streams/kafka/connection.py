"""How to connect to the brokers: addresses, security, and secrets that are never printed."""

import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

# different clients' texts for the same connection problem
_PLAIN: Final = {
    "connection refused": re.compile(r"connection refused|connect call failed", re.IGNORECASE),
    "no such host": re.compile(
        r"failed to resolve|name or service not known|name resolution|no address associated",
        re.IGNORECASE,
    ),
    "no answer in time": re.compile(r"connection setup timed out", re.IGNORECASE),
}


class Secret:
    """A text that is shown only by an explicit call."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        """Keep `text`."""
        self._text = text

    def reveal(self) -> str:
        """Return the text; the caller passes it to a client and keeps no copy."""
        return self._text

    def __repr__(self) -> str:
        """Return a fixed text of stars."""
        return "***"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        """Compare texts."""
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        """Hash the text."""
        return hash(self._text)


NO_SECRET: Final = Secret("")


class Security(StrEnum):
    """Kafka's security protocols by their own names, in lower case."""

    PLAINTEXT = "plaintext"
    SSL = "ssl"
    SASL_PLAINTEXT = "sasl_plaintext"
    SASL_SSL = "sasl_ssl"

    @property
    def uses_sasl(self) -> bool:
        """Whether the brokers ask for a user name and a password."""
        return self in {Security.SASL_PLAINTEXT, Security.SASL_SSL}

    @property
    def uses_tls(self) -> bool:
        """Whether the connection is encrypted."""
        return self in {Security.SSL, Security.SASL_SSL}


class Mechanism(StrEnum):
    """The SASL mechanisms that need only a user name and a password."""

    PLAIN = "PLAIN"
    SCRAM_SHA_256 = "SCRAM-SHA-256"
    SCRAM_SHA_512 = "SCRAM-SHA-512"


@dataclass(frozen=True, slots=True)
class Connection:
    """Everything a Kafka client needs to connect.

    Attributes:
        bootstrap: `host:port` of at least one broker.
        username, password: for SASL; ignored without it.
        ca_file: trusted certificates (PEM); None trusts the system's.
        cert_file, key_file: certificate of this client (PEM), if brokers require one.
    """

    bootstrap: tuple[str, ...]
    security: Security = Security.PLAINTEXT
    mechanism: Mechanism = Mechanism.SCRAM_SHA_512
    username: str = ""
    password: Secret = NO_SECRET
    ca_file: Path | None = None
    cert_file: Path | None = None
    key_file: Path | None = None

    def ssl_context(self) -> ssl.SSLContext | None:
        """Return the TLS context, or None for an unencrypted connection.

        Raises:
            OSError: a file is missing or is not a certificate (`ssl.SSLError` is an `OSError`).
        """
        if not self.security.uses_tls:
            return None
        context = ssl.create_default_context(cafile=self.ca_file)
        if self.cert_file:
            context.load_cert_chain(self.cert_file, self.key_file)
        return context

    def client_options(self) -> dict[str, Any]:
        """Return the connection arguments of aiokafka's clients."""
        options: dict[str, Any] = {
            "bootstrap_servers": list(self.bootstrap),
            "security_protocol": self.security.name,
            "ssl_context": self.ssl_context(),
        }
        if self.security.uses_sasl:
            options |= {
                "sasl_mechanism": self.mechanism.value,
                "sasl_plain_username": self.username,
                "sasl_plain_password": self.password.reveal(),
            }
        return options


def in_words(why: str) -> str:
    """Return why a broker cannot be reached: one text for what different clients report."""
    plain = (words for words, said in _PLAIN.items() if said.search(why))
    return next(plain, why)


def cannot_connect(addresses: Sequence[str], why: str) -> str:
    """Return the one wording for the case that no broker can be reached."""
    return f"cannot connect to any broker at {','.join(addresses)}: {why}"
