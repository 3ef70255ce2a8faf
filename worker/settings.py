"""The environment as one frozen object; nothing else of Winnow reads environment variables."""

from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Self

from streams.agents import Unchanged
from streams.connection import Connection, Mechanism, Secret, Security
from streams.topics import DEFAULT_GROUP, TopicNames
from worker import setting_types as take
from worker.setting_types import SecretFile

PREFIX: Final = "WINNOW_"
MAX_PORT: Final = 65535


class SettingsError(Exception):
    """One or more settings cannot be used; carries every problem, one a line."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        """Keep the problems in `args`, so that the error survives pickling."""
        super().__init__(problems)
        self.problems: Final = problems

    def __str__(self) -> str:
        """Return one problem a line."""
        return "\n".join(self.problems)


class LogLevel(StrEnum):
    """How much is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogFormat(StrEnum):
    """How a log line looks."""

    AUTO = "auto"  # console on a terminal, else json
    JSON = "json"
    CONSOLE = "console"


def _setting(parse: Callable[[str], Any], default: Any, meaning: str) -> Any:  # noqa: ANN401 - like `field`
    return field(default=default, metadata={"parse": parse, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting; the variable of `kafka_group` would be `WINNOW_KAFKA_GROUP`, and so on."""

    kafka_bootstrap: tuple[str, ...] = _setting(take.brokers, (), "brokers, host:port[,host:port]")
    kafka_security: Security = _setting(
        take.one_of(Security), Security.PLAINTEXT, "plaintext, ssl, sasl_plaintext or sasl_ssl"
    )
    kafka_sasl_mechanism: Mechanism = _setting(
        take.one_of(Mechanism), Mechanism.SCRAM_SHA_512, "PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512"
    )
    kafka_username_file: SecretFile | None = _setting(take.secret_file, None, "SASL user name")
    kafka_password_file: SecretFile | None = _setting(take.secret_file, None, "SASL password")
    kafka_ca_file: Path | None = _setting(take.existing_file, None, "certificates to trust (PEM)")
    kafka_cert_file: Path | None = _setting(take.existing_file, None, "client certificate (PEM)")
    kafka_key_file: Path | None = _setting(take.existing_file, None, "key of the certificate (PEM)")
    group: str = _setting(take.topic, DEFAULT_GROUP, "consumer group")
    topic_pages: str = _setting(take.topic, TopicNames().pages, "raw pages in")
    topic_documents: str = _setting(take.topic, TopicNames().documents, "cleaned documents out")
    topic_stats: str = _setting(take.topic, TopicNames().stats, "statistics out")
    topic_dead: str = _setting(take.topic, TopicNames().dead, "dead letters out")
    redis_url: str = _setting(take.redis_url, "", "shared result cache; without it one in memory")
    redis_password_file: SecretFile | None = _setting(take.secret_file, None, "Redis password")
    cache_ttl: float = _setting(take.number(1, 1e9), 604800.0, "seconds a cached result lives")
    unchanged: Unchanged = _setting(
        take.one_of(Unchanged), Unchanged.REPUBLISH, "what an unchanged page gives again"
    )
    model: Path | None = _setting(take.existing_file, None, "language model; default: the shipped")
    engine: str = _setting(take.text, "", "cleaning engine; default: the best that is shipped")
    options: Path | None = _setting(take.existing_file, None, "engine options (winnow calibrate)")
    processes: int = _setting(take.integer(1, 256), 1, "worker processes")
    threads: int = _setting(take.integer(1, 256), 1, "kernel threads in each process")
    web_host: str = _setting(take.text, "127.0.0.1", "address of /livez /readyz /metrics")
    web_port: int = _setting(take.integer(1, MAX_PORT), 6066, "its port; process i adds i")
    drain_seconds: float = _setting(take.number(1, 3600), 25.0, "deadline of a stop")
    stuck_seconds: float = _setting(
        take.number(5, 3600), 120.0, "with work at hand and none done for so long: not alive"
    )
    log_level: LogLevel = _setting(take.one_of(LogLevel), LogLevel.INFO, "least level logged")
    log_format: LogFormat = _setting(take.one_of(LogFormat), LogFormat.AUTO, "json or console")
    log_pages: float = _setting(take.number(0, 1), 1.0, "share of clean pages that get a line")
    batch_pages: int = _setting(take.integer(1, 10_000), 128, "pages in a batch at most")
    batch_bytes: int = _setting(take.size(1 << 16, 1 << 30), 8 << 20, "bytes in a batch at most")
    buffer_bytes: int = _setting(take.size(1 << 20, 1 << 33), 32 << 20, "pages fetched ahead")
    dead_ratio: float = _setting(
        take.number(0, 1), 0.75, "share of dead letters, of the last 1000 pages, that stops"
    )
    dead_consecutive: int = _setting(
        take.integer(1, 10**9), 250, "dead letters in a row that stop the worker"
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
        problems += settings._contradictions()
        if problems:
            raise SettingsError(tuple(sorted(problems)))
        return settings

    def topics(self) -> TopicNames:
        """Return the names of the four topics."""
        return TopicNames(self.topic_pages, self.topic_documents, self.topic_stats, self.topic_dead)

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

    def _contradictions(self) -> Iterator[str]:
        if self.kafka_security.uses_sasl:
            for name in ("kafka_username_file", "kafka_password_file"):
                if getattr(self, name) is None:
                    yield f"{variable_of(name)}: must be set with {self.kafka_security.value}"
        if (self.kafka_cert_file is None) != (self.kafka_key_file is None):
            yield "WINNOW_KAFKA_CERT_FILE and WINNOW_KAFKA_KEY_FILE: one needs the other"
        if self.web_port + self.processes - 1 > MAX_PORT:
            yield f"WINNOW_WEB_PORT: the port of the last process would be above {MAX_PORT}"
        names = self.topics()
        if len({names.pages, names.documents, names.stats, names.dead}) < 4:  # noqa: PLR2004 - topics
            yield "WINNOW_TOPIC_PAGES, _DOCUMENTS, _STATS, _DEAD: must be four different topics"


@dataclass(frozen=True, slots=True)
class SettingHelp:
    """One line of the table of settings."""

    variable: str
    meaning: str
    default: str


def variable_of(name: str) -> str:
    """Return the environment variable of a field of `Settings`."""
    return PREFIX + name.upper()


def help_lines() -> tuple[SettingHelp, ...]:
    """Return name, meaning and default of every setting, in their order."""
    return tuple(
        SettingHelp(variable_of(each.name), each.metadata["meaning"], shown(each.default))
        for each in fields(Settings)
    )


def redacted(settings: Settings) -> dict[str, str]:
    """Return every variable with its value as it may be printed: files of secrets by their path."""
    return {
        variable_of(each.name): shown(getattr(settings, each.name)) for each in fields(settings)
    }


def shown(value: object) -> str:
    """Return a value as it would be written in the environment."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def drop_foreign_variables(environ: MutableMapping[str, str]) -> None:
    """Remove what Faust reads from the environment when it is imported.

    Kubernetes sets `FAUST_WEB_PORT=tcp://...` in every pod beside a service named `faust-web`,
    and Faust would stop at it. Call this before the first import of Faust.
    """
    for name in [each for each in environ if each.startswith(("FAUST_", "F_"))]:
        del environ[name]


def _revealed(source: SecretFile | None) -> str:
    return source.secret.reveal() if source else ""
