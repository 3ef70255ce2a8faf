"""The environment as one frozen object; nothing else of Winnow reads environment variables."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Self

from winnow.models.errors import WinnowError
from winnow.streams.cleaning import DOUBTFUL_BELOW, Unchanged
from winnow.streams.kafka.connection import Connection, Mechanism, Secret, Security
from winnow.streams.kafka.tuning import Compression
from winnow.streams.topics import DEFAULT_GROUP, TopicNames
from winnow.worker import setting_types as take
from winnow.worker.logs import LogFormat, LogLevel
from winnow.worker.setting_types import MAX_PORT, SecretFile

PREFIX: Final = "WINNOW_"
_SASL_FILES: Final = ("kafka_username_file", "kafka_password_file")
_REDIS_FILES: Final = ("redis_password_file", "cache_key_file")
_TLS_FILES: Final = ("kafka_ca_file", "kafka_cert_file", "kafka_key_file")


class SettingsError(WinnowError):
    """One or more settings are invalid; the message lists every problem, one per line."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        """Keep the problems in `args`, so that the error survives pickling."""
        super().__init__(problems)
        self.problems: Final = problems

    def __str__(self) -> str:
        """Return one problem per line."""
        return "\n".join(self.problems)


def _by(parse: Callable[[str], object], meaning: str) -> Mapping[str, object]:
    return {"parse": parse, "meaning": meaning}


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting; the field `kafka_group` is the variable `WINNOW_KAFKA_GROUP`, and so on."""

    kafka_bootstrap: tuple[str, ...] = field(
        default=(), metadata=_by(take.brokers, "brokers, host:port[,host:port]")
    )
    kafka_security: Security = field(
        default=Security.PLAINTEXT,
        metadata=_by(take.one_of(Security), "plaintext, ssl, sasl_plaintext or sasl_ssl"),
    )
    kafka_sasl_mechanism: Mechanism = field(
        default=Mechanism.SCRAM_SHA_512,
        metadata=_by(take.one_of(Mechanism), "PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512"),
    )
    kafka_username_file: SecretFile | None = field(
        default=None, metadata=_by(take.secret_file, "SASL user name")
    )
    kafka_password_file: SecretFile | None = field(
        default=None, metadata=_by(take.secret_file, "SASL password")
    )
    kafka_ca_file: Path | None = field(
        default=None, metadata=_by(take.existing_file, "certificates to trust (PEM)")
    )
    kafka_cert_file: Path | None = field(
        default=None, metadata=_by(take.existing_file, "client certificate (PEM)")
    )
    kafka_key_file: Path | None = field(
        default=None, metadata=_by(take.existing_file, "key of the certificate (PEM)")
    )
    kafka_compression: Compression = field(
        default=Compression.NONE,
        metadata=_by(
            take.one_of(Compression), "compression of output topics: none, gzip, snappy, lz4, zstd"
        ),
    )
    group: str = field(default=DEFAULT_GROUP, metadata=_by(take.topic, "consumer group"))
    group_instance: str = field(
        default="",
        metadata=_by(take.text, "static group member: a name that survives restarts"),
    )
    topic_pages: str = field(default=TopicNames().pages, metadata=_by(take.topic, "raw pages in"))
    topic_documents: str = field(
        default=TopicNames().documents, metadata=_by(take.topic, "cleaned documents out")
    )
    topic_stats: str = field(default=TopicNames().stats, metadata=_by(take.topic, "statistics out"))
    topic_dead: str = field(default=TopicNames().dead, metadata=_by(take.topic, "dead letters out"))
    topic_doubtful: str = field(
        default="",
        metadata=_by(
            take.topic, "copies of doubtful documents, for a second opinion; default: not written"
        ),
    )
    doubtful_below: float = field(
        default=DOUBTFUL_BELOW,
        metadata=_by(take.number(0, 1), "confidence below which a document is doubtful"),
    )
    redis_url: str = field(
        default="", metadata=_by(take.redis_url, "shared result cache; default: in memory")
    )
    redis_password_file: SecretFile | None = field(
        default=None, metadata=_by(take.secret_file, "Redis password")
    )
    cache_key_file: SecretFile | None = field(
        default=None,
        metadata=_by(
            take.key_file,
            "key that signs results in Redis (openssl rand -hex 32); unsigned ones are ignored",
        ),
    )
    cache_ttl: float = field(
        default=604800.0, metadata=_by(take.number(1, 1e9), "seconds a cached result lives")
    )
    pass_headers: tuple[str, ...] = field(
        default=("*",),
        metadata=_by(
            take.header_names,
            "headers of a page that are copied to its outputs: name[,name...]; * in a name "
            "matches any characters",
        ),
    )
    unchanged: Unchanged = field(
        default=Unchanged.REPUBLISH,
        metadata=_by(take.one_of(Unchanged), "what an unchanged page publishes again"),
    )
    model: Path | None = field(
        default=None,
        metadata=_by(
            take.existing_path, "language model, or a folder of them; default: shipped models"
        ),
    )
    engine: str = field(default="", metadata=_by(take.text, "cleaning engine; default: hybrid"))
    options: Path | str | None = field(
        default=None,
        metadata=_by(
            take.file_or_json,
            'cleaning options: JSON, or a file of it (winnow calibrate); {"seen": 0}: no memory of '
            'sites, {"spans": true}: blocks and sentences in the documents',
        ),
    )
    processes: int = field(default=1, metadata=_by(take.integer(1, 256), "worker processes"))
    threads: int = field(
        default=1, metadata=_by(take.integer(1, 256), "kernel threads in each process")
    )
    web_host: str = field(
        default="127.0.0.1", metadata=_by(take.text, "address of /livez /readyz /metrics")
    )
    web_port: int = field(
        default=6066, metadata=_by(take.integer(1, MAX_PORT), "its port; process i adds i")
    )
    inspect_host: str = field(
        default="127.0.0.1", metadata=_by(take.text, "address of the inspector")
    )
    inspect_port: int = field(
        default=0,
        metadata=_by(
            take.integer(0, MAX_PORT), "port of the inspector (a separate process); 0: off"
        ),
    )
    drain_seconds: float = field(
        default=25.0, metadata=_by(take.number(1, 3600), "deadline of a stop, in seconds")
    )
    session_seconds: float = field(
        default=30.0,
        metadata=_by(take.number(1, 1800), "session timeout of the consumer group, in seconds"),
    )
    stuck_seconds: float = field(
        default=120.0,
        metadata=_by(take.number(5, 3600), "seconds without progress before /livez fails"),
    )
    log_level: LogLevel = field(
        default=LogLevel.INFO, metadata=_by(take.one_of(LogLevel), "lowest level logged")
    )
    log_format: LogFormat = field(
        default=LogFormat.AUTO, metadata=_by(take.one_of(LogFormat), "json or console")
    )
    log_pages: float = field(
        default=1.0, metadata=_by(take.number(0, 1), "share of cleaned pages that get a log line")
    )
    batch_pages: int = field(
        default=128, metadata=_by(take.integer(1, 10_000), "maximum pages per batch")
    )
    batch_bytes: int = field(
        default=16 << 20, metadata=_by(take.size(1 << 16, 1 << 30), "maximum bytes per batch")
    )
    buffer_bytes: int = field(
        default=32 << 20,
        metadata=_by(take.size(1 << 20, 1 << 33), "maximum bytes of pages fetched ahead"),
    )
    dead_ratio: float = field(
        default=0.75,
        metadata=_by(
            take.number(0, 1), "share of dead letters, of the last 1000 pages, that stops"
        ),
    )
    dead_consecutive: int = field(
        default=250,
        metadata=_by(take.integer(1, 10**9), "dead letters in a row that stop the worker"),
    )

    @classmethod
    def from_env(
        cls, environ: Mapping[str, str], required: Collection[str] = ("kafka_bootstrap",)
    ) -> Self:
        """Read all `WINNOW_` variables; an empty one counts as not set.

        Args:
            environ: `os.environ` outside tests.
            required: fields that must be set.

        Raises:
            SettingsError: with all problems, unknown `WINNOW_` variables among them.
        """
        known = {variable_of(each.name): each for each in fields(cls)}
        given = {name: raw for name, raw in environ.items() if name.startswith(PREFIX) and raw}
        problems = [f"{name}: unknown setting" for name in sorted(given.keys() - known.keys())]
        values: dict[str, Any] = {}
        for name in given.keys() & known.keys():
            try:
                values[known[name].name] = known[name].metadata["parse"](given[name])
            except ValueError as error:
                problems.append(f"{name}: {error}")
        missing = [variable_of(each) for each in required if variable_of(each) not in given]
        problems += [f"{name}: must be set" for name in missing]
        settings = cls(**values)
        unread = {known[name].name for name in given.keys() & known.keys()} - values.keys()
        problems += settings._contradictions(unread)
        if problems:
            raise SettingsError(tuple(sorted(problems)))
        return settings

    def topics(self) -> TopicNames:
        """Return the names of the topics."""
        return TopicNames(
            self.topic_pages,
            self.topic_documents,
            self.topic_stats,
            self.topic_dead,
            self.topic_doubtful,
        )

    def connection(self) -> Connection:
        """Return how to reach the brokers."""
        return Connection(
            bootstrap=self.kafka_bootstrap,
            security=self.kafka_security,
            mechanism=self.kafka_sasl_mechanism,
            username=_revealed(self.kafka_username_file),
            password=Secret(_revealed(self.kafka_password_file)),
            ca_file=self.kafka_ca_file,
            cert_file=self.kafka_cert_file,
            key_file=self.kafka_key_file,
        )

    def _contradictions(self, unread: Collection[str]) -> Iterator[str]:
        """Yield contradictions between settings; `unread` fields hold a default value."""
        if "kafka_security" not in unread:
            yield from self._unfit_credentials()
        if not self.redis_url and "redis_url" not in unread:
            for name in _REDIS_FILES:
                if getattr(self, name) is not None:
                    yield f"{variable_of(name)}: has no effect without WINNOW_REDIS_URL"
        if self.web_port + self.processes - 1 > MAX_PORT:
            yield f"WINNOW_WEB_PORT: the port of the last process would be above {MAX_PORT}"
        if self.web_port <= self.inspect_port < self.web_port + self.processes:
            yield "WINNOW_INSPECT_PORT: a process has this port for its probes"
        names = self.topics().given()
        if len(set(names)) < len(names):
            yield "WINNOW_TOPIC_PAGES, _DOCUMENTS, _STATS, _DEAD, _DOUBTFUL: must differ"

    def _unfit_credentials(self) -> Iterator[str]:
        security = self.kafka_security
        for name in _SASL_FILES if security.uses_sasl else ():
            if getattr(self, name) is None:
                yield f"{variable_of(name)}: must be set with {security.value}"
        unused: list[str] = []
        unused += () if security.uses_sasl else _SASL_FILES
        unused += () if security.uses_tls else _TLS_FILES
        why = f"has no effect while WINNOW_KAFKA_SECURITY is {security.value}"
        for name in unused:
            if getattr(self, name) is not None:
                yield f"{variable_of(name)}: {why}"
        if security.uses_tls and (self.kafka_cert_file is None) != (self.kafka_key_file is None):
            yield "WINNOW_KAFKA_CERT_FILE and WINNOW_KAFKA_KEY_FILE: one needs the other"


def variable_of(name: str) -> str:
    """Return the environment variable of a field of `Settings`."""
    return PREFIX + name.upper()


def _revealed(source: SecretFile | None) -> str:
    return source.secret.reveal() if source else ""
