"""redis-server on loopback: in memory only, with the directives a test asks for."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.services.certificates import Secrets
from tests.services.processes import Lifetime, ServerProcess, free_port
from tests.services.programs import require

READY_WITHIN_S: Final = 20.0


class RedisServer:
    """One redis-server, which can be ended and started again on its port, empty."""

    def __init__(self, folder: Path, lifetime: Lifetime, directives: Sequence[str] = ()) -> None:
        """Start the server and wait until it takes connections.

        Args:
            folder: for its configuration and output.
            lifetime: when it must be gone.
            directives: lines of `redis.conf` in addition to port and address; `{port}` is
                replaced by the server's port.

        Raises:
            ServerError: redis-server is missing or not ready in time.
        """
        require("redis-server", "setpriv")
        self.port: Final = free_port()
        self._is_sentinel = any(line.startswith("sentinel ") for line in directives)
        self._folder = folder
        self._lifetime = lifetime
        folder.mkdir(parents=True, exist_ok=True)
        lines = ["bind 127.0.0.1", f"dir {folder}", 'save ""', "appendonly no", *directives]
        if not any(line.startswith("tls-port ") for line in directives):
            lines.append("port {port}")
        text = "".join(f"{line}\n" for line in lines)
        (folder / "redis.conf").write_text(text.replace("{port}", str(self.port)))
        self.process = self._launch()

    @property
    def url(self) -> str:
        """Address as clients take it when the server asks for neither TLS nor a password."""
        return f"redis://127.0.0.1:{self.port}/0"

    def secured_url(self, secrets: Secrets) -> str:
        """Address when the server was started with `secured_directives`; holds no password."""
        return f"rediss://{secrets.username}@127.0.0.1:{self.port}/0?ssl_ca_certs={secrets.ca_file}"

    def restart(self) -> None:
        """Start the server again, empty, after it was stopped or killed."""
        self.process = self._launch()

    def _launch(self) -> ServerProcess:
        mode = ["--sentinel"] if self._is_sentinel else []
        process = ServerProcess(["redis-server", "redis.conf", *mode], self._folder, self._lifetime)
        words = "Sentinel ID is" if self._is_sentinel else "Ready to accept connections"
        process.wait_for_output(words, READY_WITHIN_S)
        return process


def secured_directives(secrets: Secrets) -> list[str]:
    """Return the directives of a server that takes TLS alone, and one user by password."""
    return [
        "port 0",
        "tls-port {port}",
        f"tls-cert-file {secrets.server_cert_file}",
        f"tls-key-file {secrets.server_key_file}",
        f"tls-ca-cert-file {secrets.ca_file}",
        "tls-auth-clients no",
        "user default off",
        f"user {secrets.username} on >{secrets.password} ~winnow:* +@connection +getrange +set",
    ]
