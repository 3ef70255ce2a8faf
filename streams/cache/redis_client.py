"""Redis URL and password file -> a client of a server, of a sentinel's master or of a cluster.

redis://[user@]host[:port][/db]                        one server, rediss:// by TLS
unix://[user@]/path/to/socket[?db=n]                   one server on this host
redis+sentinel://[user@]host[:port],.../service[/db]   the master according to the sentinels
redis+cluster://[user@]host[:port],...                 a cluster, found through any of its nodes

`?ssl_ca_certs=FILE`, `ssl_certfile` and `ssl_keyfile` name PEM files for schemes that begin with
rediss.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.credentials import CredentialProvider

DEFAULT_PORT: Final = 6379
DEFAULT_SENTINEL_PORT: Final = 26379
MAX_PASSWORD_BYTES: Final = 4096
_SCHEMES: Final = frozenset(
    {"redis", "rediss", "unix"}
    | {f"{tls}+{kind}" for tls in ("redis", "rediss") for kind in ("sentinel", "cluster")}
)
_QUERY: Final = frozenset({"db", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile"})


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """A parsed Redis URL; it has no field for a password.

    Attributes:
        kind: "server", "sentinel" or "cluster".
        hosts: at least one host with its port; empty for a socket.
        service: name of the master that the sentinels watch.
        tls: file paths by redis-py's names for them; None without TLS.
    """

    kind: str
    hosts: tuple[tuple[str, int], ...]
    username: str = ""
    db: int = 0
    service: str = ""
    socket: str = ""
    tls: Mapping[str, str] | None = None


def parse_address(url: str) -> RedisAddress:
    """Parse a URL.

    Raises:
        ValueError: the URL is invalid; the text never repeats it, as it may hold a
            password by mistake.
    """
    parts = _split(url)
    if parts.scheme not in _SCHEMES:
        raise ValueError(f"the Redis URL must begin with one of {', '.join(sorted(_SCHEMES))}")
    userinfo, _, hosts = parts.netloc.rpartition("@")
    if ":" in userinfo:
        raise ValueError("the Redis URL must not hold a password: mount it as a file")
    query = dict(parse_qsl(parts.query))
    if query.keys() - _QUERY:
        raise ValueError(
            f"unknown option in the Redis URL: must be one of {', '.join(sorted(_QUERY))}"
        )
    tls = {name: path for name, path in query.items() if name.startswith("ssl_")}
    if tls and not parts.scheme.startswith("rediss"):
        raise ValueError("certificates in the Redis URL need a scheme that begins with rediss")
    kind = parts.scheme.partition("+")[2] or "server"
    service, db = _path(parts, kind, query.get("db", ""))
    if kind == "cluster" and db:
        raise ValueError("a Redis cluster has only database 0")
    default_port = DEFAULT_SENTINEL_PORT if kind == "sentinel" else DEFAULT_PORT
    is_socket = parts.scheme == "unix"
    return RedisAddress(
        kind=kind,
        hosts=() if is_socket else _hosts(hosts, kind, default_port),
        username=unquote(userinfo),
        db=db,
        service=service,
        socket=unquote(parts.path) if is_socket else "",
        tls=tls if parts.scheme.startswith("rediss") else None,
    )


@dataclass(frozen=True, slots=True)
class RedisClient:
    """A client and its open connections.

    Attributes:
        commands: takes pipelines.
        sentinels: clients of the sentinels that know the master.
    """

    commands: Redis | RedisCluster
    sentinels: tuple[Redis, ...] = ()

    async def aclose(self) -> None:
        """Close every connection.

        Raises:
            RedisError, RedisClusterException, OSError: a connection was not closed cleanly.
        """
        for client in (self.commands, *self.sentinels):
            await client.aclose()


def open_client(address: RedisAddress, password_file: Path | None, timeout_s: float) -> RedisClient:
    """Return a client that is not connected yet.

    The password is read again for every new connection, so a change needs no restart. One immediate
    retry covers a connection that the server has closed. The client has no timeout of its own for
    answers: the caller limits the time of the whole request.
    """
    options: dict[str, Any] = {
        "socket_timeout": None,
        "socket_connect_timeout": timeout_s,
        "retry": Retry(NoBackoff(), 1),
        "protocol": 2,
    }
    if password_file:
        options["credential_provider"] = FileCredentials(address.username, password_file)
    if address.tls is not None:
        options |= {"ssl": True, **address.tls}
    if address.kind == "cluster":
        nodes = [ClusterNode(host, port, **options) for host, port in address.hosts]
        return RedisClient(RedisCluster(startup_nodes=nodes, **options))
    if address.kind == "sentinel":
        sentinels = Sentinel(  # type: ignore[no-untyped-call]  # redis-py has no types here
            address.hosts, sentinel_kwargs=options, **options
        )
        master = sentinels.master_for(address.service, db=address.db)
        return RedisClient(master, tuple(sentinels.sentinels))
    if address.socket:
        return RedisClient(Redis(unix_socket_path=address.socket, db=address.db, **options))
    host, port = address.hosts[0]
    return RedisClient(Redis(host=host, port=port, db=address.db, **options))


@dataclass(frozen=True, slots=True)
class FileCredentials(CredentialProvider):
    """Reads the password from its file each time a connection is made."""

    username: str
    password_file: Path = field(repr=False)

    def get_credentials(self) -> tuple[str] | tuple[str, str]:
        """Return the password, preceded by the user name if there is one.

        Raises:
            OSError: the file cannot be read.
        """
        with self.password_file.open("rb") as stream:
            password = stream.read(MAX_PASSWORD_BYTES).decode().rstrip("\r\n")
        return (self.username, password) if self.username else (password,)

    async def get_credentials_async(self) -> tuple[str] | tuple[str, str]:
        """Return the same without a thread: a mounted secret is a few bytes in memory."""
        return self.get_credentials()


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # its text quotes the host and the text before it
        raise ValueError("invalid host in the Redis URL") from None


def _hosts(netloc: str, kind: str, default_port: int) -> tuple[tuple[str, int], ...]:
    hosts = []
    for part in netloc.split(","):
        one = _split(f"//{part}")
        try:
            port = default_port if one.port is None else one.port
        except ValueError:
            port = 0
        if port == 0:
            raise ValueError("invalid port in the Redis URL: must be a number from 1 to 65535")
        hosts.append((one.hostname or "", port))
    if not all(host for host, _ in hosts):
        raise ValueError("the Redis URL must have a host")
    if kind == "server" and len(hosts) > 1:
        raise ValueError("several hosts need redis+sentinel:// or redis+cluster://")
    return tuple(hosts)


def _path(parts: SplitResult, kind: str, db: str) -> tuple[str, int]:
    """Return the service and the database from the path."""
    segments = [] if parts.scheme == "unix" else [unquote(s) for s in parts.path.split("/") if s]
    service = segments.pop(0) if kind == "sentinel" and segments else ""
    if kind == "sentinel" and not service:
        raise ValueError("redis+sentinel:// needs the name of the service: .../mymaster")
    wanted = "/".join(segments) or db or "0"
    if not wanted.isdecimal():
        raise ValueError("invalid database in the Redis URL: must be a number")
    return service, int(wanted)
