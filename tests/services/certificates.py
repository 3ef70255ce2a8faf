"""Make a certificate authority and what it signs, for servers on loopback."""

import secrets
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.services.programs import require

_NEW_KEY: Final = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
# the form that RFC 5280 asks for: clients of Python 3.13 and newer trust no other
_AUTHORITY: Final = ["-addext", "keyUsage=critical,keyCertSign"]
_END: Final = ["-addext", "basicConstraints=critical,CA:FALSE"]


@dataclass(frozen=True, slots=True)
class Secrets:
    """Files such as an operator mounts; each password is new in every run.

    Attributes:
        ca_file: certificate of the authority that clients trust.
        server_cert_file: certificate of the server for 127.0.0.1 and localhost.
        server_key_file: its PKCS #8 key.
        cert_file: certificate of a client.
        key_file: the key of that client.
        username_file: name of the one user.
        password_file: that user's password, with the line end that editors leave.
    """

    ca_file: Path
    server_cert_file: Path
    server_key_file: Path
    cert_file: Path
    key_file: Path
    username_file: Path
    password_file: Path

    @property
    def username(self) -> str:
        """The one user's name."""
        return self.username_file.read_text().strip()

    @property
    def password(self) -> str:
        """The one user's password."""
        return self.password_file.read_text().strip()


def make_secrets(folder: Path) -> Secrets:
    """Write a new authority, two certificates and one user's credentials into a folder."""
    require("openssl")
    folder.mkdir(parents=True, exist_ok=True)
    _openssl(folder, "ca", "/CN=winnow test authority", *_AUTHORITY)
    signed = ["-CA", "ca.crt", "-CAkey", "ca.key", *_END]
    names = ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    _openssl(folder, "server", "/CN=localhost", *signed, *names)
    _openssl(folder, "client", "/CN=winnow-client", *signed)
    (folder / "username").write_text("winnow-user\n")
    (folder / "password").write_text(f"{secrets.token_hex(16)}\n")
    return Secrets(
        ca_file=folder / "ca.crt",
        server_cert_file=folder / "server.crt",
        server_key_file=folder / "server.key",
        cert_file=folder / "client.crt",
        key_file=folder / "client.key",
        username_file=folder / "username",
        password_file=folder / "password",
    )


def _openssl(folder: Path, name: str, subject: str, *more: str) -> None:
    files = ["-keyout", f"{name}.key", "-out", f"{name}.crt", "-subj", subject]
    command = ["openssl", "req", "-x509", "-days", "2", *_NEW_KEY, *files, *more]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
