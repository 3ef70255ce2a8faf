"""The environment is read once, all problems at once, and secrets stay secret."""

import re
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

import pytest

import winnow.worker
from winnow.streams.cleaning import Unchanged
from winnow.streams.kafka.connection import Connection, Mechanism, Secret, Security
from winnow.worker.setting_types import size
from winnow.worker.settings import Settings, SettingsError
from winnow.worker.settings_help import help_lines, redacted

BOOTSTRAP = {"WINNOW_KAFKA_BOOTSTRAP": "kafka:9092"}


def problems_of(environ: dict[str, str]) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(environ)
    return caught.value.problems


@pytest.fixture
def password(tmp_path: Path) -> Path:
    path = tmp_path / "password"
    path.write_text("hunter2\n")
    return path


def test_settings_have_defaults_for_all_but_the_brokers() -> None:
    settings = Settings.from_env(BOOTSTRAP)

    assert settings.kafka_bootstrap == ("kafka:9092",)
    assert settings == Settings(kafka_bootstrap=("kafka:9092",))
    assert settings.topics().pages == "winnow.pages"
    assert (settings.web_host, settings.web_port, settings.drain_seconds) == (
        "127.0.0.1",
        6066,
        25.0,
    )


def test_settings_read_every_kind_of_value() -> None:
    settings = Settings.from_env(
        {
            "WINNOW_KAFKA_BOOTSTRAP": "a:1, b:2,[::1]:3",
            "WINNOW_KAFKA_SASL_MECHANISM": "scram-sha-256",
            "WINNOW_PROCESSES": "4",
            "WINNOW_BUFFER_BYTES": "64Mi",
            "WINNOW_BATCH_BYTES": "1000000",
            "WINNOW_LOG_PAGES": "0.01",
            "WINNOW_UNCHANGED": "stats-only",
            "WINNOW_GROUP": "",
            "HOME": "/root",
        }
    )

    assert settings.kafka_bootstrap == ("a:1", "b:2", "[::1]:3")
    assert settings.kafka_sasl_mechanism is Mechanism.SCRAM_SHA_256
    assert (settings.processes, settings.buffer_bytes, settings.batch_bytes) == (
        4,
        64 << 20,
        1_000_000,
    )
    assert (settings.log_pages, settings.unchanged) == (0.01, Unchanged.STATS_ONLY)
    assert settings.group == "winnow"


@pytest.mark.parametrize("raw", ["2147483648", "2097152Ki", "2048Mi", "2Gi"])
def test_settings_read_a_size_in_any_unit(raw: str) -> None:
    assert Settings.from_env(BOOTSTRAP | {"WINNOW_BUFFER_BYTES": raw}).buffer_bytes == 2 << 30


def test_the_page_of_settings_names_the_units_that_are_read() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "settings.md").read_text()
    (sentence,) = re.findall(r"may be written with (.*?)[;.]", page)
    named = re.findall(r"`(\w+)`", sentence.partition("such as")[0])

    assert [unit for unit in "k K kB Ki KiB M MB Mi MiB G Gi T Ti".split() if reads(unit)] == named


def reads(unit: str) -> bool:
    """Whether a size may be written with a unit."""
    with suppress(ValueError):
        return size(1, 1 << 50)(f"2{unit}") > 2
    return False


def test_settings_name_all_problems_at_once() -> None:
    problems = problems_of(
        {
            "WINNOW_PROCESSES": "0",
            "WINNOW_DRAIN_SECONDS": "nan",
            "WINNOW_KAFKA_SECURITY": "tls",
            "WINNOW_TOPIC_DEAD": "winnow dead",
            "WINNOW_MODEL": "/no/such/file",
            "WINNOW_TPOIC_PAGES": "x",
            "WINNOW_BUFFER_BYTES": "64MB",
        }
    )

    assert problems == (
        "WINNOW_BUFFER_BYTES: must be 1048576 to 8589934592 bytes, like 8388608 or 8Mi",
        "WINNOW_DRAIN_SECONDS: must be a number from 1 to 3600",
        "WINNOW_KAFKA_BOOTSTRAP: must be set",
        "WINNOW_KAFKA_SECURITY: must be one of plaintext, ssl, sasl_plaintext, sasl_ssl",
        "WINNOW_MODEL: /no/such/file: No such file or directory",
        "WINNOW_PROCESSES: must be a whole number from 1 to 256",
        "WINNOW_TOPIC_DEAD: must be 1 to 249 of the characters a-z A-Z 0-9 . _ -",
        "WINNOW_TPOIC_PAGES: unknown setting",
    )


def test_settings_need_no_broker_when_the_command_needs_none() -> None:
    assert Settings.from_env({}, required=()).kafka_bootstrap == ()


@pytest.mark.parametrize(
    "raw",
    [
        "kafka",
        "kafka://kafka:9092",
        "user:hunter2@kafka:9092",
        "kafka:9092,",
        "kafka:x",
        "kafka:\u0663",
    ],
)
def test_settings_refuse_an_invalid_broker_without_repeating_it(raw: str) -> None:
    (problem,) = problems_of({"WINNOW_KAFKA_BOOTSTRAP": raw})

    assert "hunter2" not in problem
    assert problem.startswith("WINNOW_KAFKA_BOOTSTRAP: must be host:port")


@pytest.mark.parametrize("port", ["0", "65536", "99999"])
def test_settings_refuse_an_invalid_port(port: str) -> None:
    assert problems_of({"WINNOW_KAFKA_BOOTSTRAP": f"a:9092,kafka:{port}"}) == (
        "WINNOW_KAFKA_BOOTSTRAP: a port must be a number from 1 to 65535",
    )


def test_settings_take_the_lowest_and_the_highest_port() -> None:
    settings = Settings.from_env({"WINNOW_KAFKA_BOOTSTRAP": "a:1,b:65535"})

    assert settings.kafka_bootstrap == ("a:1", "b:65535")


def test_settings_refuse_a_password_in_the_redis_url_and_do_not_repeat_it() -> None:
    (problem,) = problems_of(BOOTSTRAP | {"WINNOW_REDIS_URL": "redis://u:hunter2@redis:6379/0"})

    assert problem.startswith("WINNOW_REDIS_URL: the Redis URL must not hold a password")
    assert "hunter2" not in problem


def test_settings_take_credentials_from_files_and_never_show_them(password: Path) -> None:
    environ = BOOTSTRAP | {
        "WINNOW_KAFKA_SECURITY": "sasl_plaintext",
        "WINNOW_KAFKA_USERNAME_FILE": str(password),
        "WINNOW_KAFKA_PASSWORD_FILE": str(password),
    }

    settings = Settings.from_env(environ)

    connection = settings.connection()
    assert (connection.username, connection.password.reveal()) == ("hunter2", "hunter2")
    assert connection.security is Security.SASL_PLAINTEXT
    assert redacted(settings)["WINNOW_KAFKA_PASSWORD_FILE"] == str(password)
    assert "hunter2" not in f"{settings!r} {redacted(settings)} {connection.password}"


def test_settings_give_all_that_a_connection_needs(password: Path, tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("ca_file", "cert_file", "key_file")}
    for path in files.values():
        path.touch()
    given = {f"WINNOW_KAFKA_{name.upper()}": str(path) for name, path in files.items()}

    settings = Settings.from_env(
        BOOTSTRAP
        | given
        | {
            "WINNOW_KAFKA_SECURITY": "sasl_ssl",
            "WINNOW_KAFKA_SASL_MECHANISM": "plain",
            "WINNOW_KAFKA_USERNAME_FILE": str(password),
            "WINNOW_KAFKA_PASSWORD_FILE": str(password),
            "WINNOW_REDIS_URL": "redis://redis",
            "WINNOW_REDIS_PASSWORD_FILE": str(password),
        }
    )

    assert settings.connection() == Connection(
        ("kafka:9092",),
        Security.SASL_SSL,
        Mechanism.PLAIN,
        "hunter2",
        Secret("hunter2"),
        **files,
    )


def test_settings_ask_for_the_credentials_that_sasl_needs() -> None:
    assert problems_of(BOOTSTRAP | {"WINNOW_KAFKA_SECURITY": "SASL_SSL"}) == (
        "WINNOW_KAFKA_PASSWORD_FILE: must be set with sasl_ssl",
        "WINNOW_KAFKA_USERNAME_FILE: must be set with sasl_ssl",
    )


@pytest.mark.parametrize(
    "name",
    ["KAFKA_USERNAME_FILE", "KAFKA_PASSWORD_FILE", "REDIS_PASSWORD_FILE", "CACHE_KEY_FILE"],
)
def test_settings_do_not_repeat_a_secret_given_in_place_of_its_file(name: str) -> None:
    secure = {"WINNOW_KAFKA_SECURITY": "sasl_ssl", "WINNOW_REDIS_URL": "redis://redis"}

    problems = problems_of(BOOTSTRAP | secure | {f"WINNOW_{name}": "hunter2"})

    assert f"WINNOW_{name}: must be the path of a file: No such file or directory" in problems
    assert "hunter2" not in str(problems)


@pytest.mark.parametrize("content", ["\n", "x" * 4097])
def test_settings_refuse_a_secret_that_is_empty_or_too_long(tmp_path: Path, content: str) -> None:
    path = tmp_path / "secret"
    path.write_text(content)

    (problem,) = problems_of(BOOTSTRAP | {"WINNOW_REDIS_PASSWORD_FILE": str(path)})

    assert problem.endswith("must hold 1 to 4096 bytes")


@pytest.mark.parametrize(
    "contradiction",
    [
        {"WINNOW_WEB_PORT": "65535", "WINNOW_PROCESSES": "2"},
        {"WINNOW_INSPECT_PORT": "6067", "WINNOW_PROCESSES": "2"},
        {"WINNOW_TOPIC_DEAD": "winnow.pages"},
        {"WINNOW_TOPIC_DOUBTFUL": "winnow.documents"},
        {"WINNOW_KAFKA_SECURITY": "ssl", "WINNOW_KAFKA_CERT_FILE": __file__},
        {"WINNOW_KAFKA_CERT_FILE": __file__},
    ],
)
def test_settings_refuse_values_that_do_not_fit_together(contradiction: dict[str, str]) -> None:
    assert len(problems_of(BOOTSTRAP | contradiction)) == 1


SASL_FILES = {"WINNOW_KAFKA_PASSWORD_FILE", "WINNOW_KAFKA_USERNAME_FILE"}
TLS_FILES = {"WINNOW_KAFKA_CA_FILE", "WINNOW_KAFKA_CERT_FILE", "WINNOW_KAFKA_KEY_FILE"}


@pytest.mark.parametrize(
    ("security", "unused"),
    [
        ("plaintext", SASL_FILES | TLS_FILES),
        ("ssl", SASL_FILES),
        ("sasl_plaintext", TLS_FILES),
    ],
)
def test_settings_refuse_credentials_that_the_security_does_not_use(
    security: str, unused: set[str], password: Path
) -> None:
    given = dict.fromkeys(SASL_FILES | TLS_FILES, str(password))

    problems = problems_of(BOOTSTRAP | given | {"WINNOW_KAFKA_SECURITY": security})

    why = f"has no effect while WINNOW_KAFKA_SECURITY is {security}"
    assert problems == tuple(f"{name}: {why}" for name in sorted(unused))


@pytest.mark.parametrize("variable", ["WINNOW_REDIS_PASSWORD_FILE", "WINNOW_CACHE_KEY_FILE"])
def test_settings_refuse_secrets_for_redis_without_a_redis(tmp_path: Path, variable: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("5" * 32)

    assert problems_of(BOOTSTRAP | {variable: str(secret)}) == (
        f"{variable}: has no effect without WINNOW_REDIS_URL",
    )


def test_settings_take_names_of_headers() -> None:
    named = {"WINNOW_KAFKA_BOOTSTRAP": "a:1", "WINNOW_PASS_HEADERS": "crawl-id, x-*"}

    assert Settings.from_env(named).pass_headers == ("crawl-id", "x-*")
    assert Settings().pass_headers == ("*",)
    with pytest.raises(SettingsError, match="WINNOW_PASS_HEADERS: must be name"):
        Settings.from_env(named | {"WINNOW_PASS_HEADERS": "crawl-id,,x"})


def test_settings_refuse_a_cache_key_that_could_be_guessed(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("5" * 31 + "\n")

    (problem,) = problems_of(
        BOOTSTRAP | {"WINNOW_REDIS_URL": "redis://redis", "WINNOW_CACHE_KEY_FILE": str(key)}
    )

    assert "must hold at least 32 bytes" in problem
    assert "555" not in problem


def test_settings_do_not_replace_an_unreadable_value_by_the_default(password: Path) -> None:
    problems = problems_of(
        BOOTSTRAP
        | {
            "WINNOW_KAFKA_SECURITY": "tls",
            "WINNOW_KAFKA_CA_FILE": str(password),
            "WINNOW_REDIS_URL": "http://redis",
            "WINNOW_REDIS_PASSWORD_FILE": str(password),
        }
    )

    assert [problem.partition(":")[0] for problem in problems] == [
        "WINNOW_KAFKA_SECURITY",
        "WINNOW_REDIS_URL",
    ]


def test_every_setting_is_read_by_the_worker() -> None:
    folder = Path(winnow.worker.__file__).parent
    own = folder / "settings.py"
    read = set(re.findall(r"\bself\.(\w+)", own.read_text()))
    for path in set(folder.rglob("*.py")) - {own}:
        read.update(re.findall(r"\b_?settings\.(\w+)", path.read_text()))

    assert {each.name for each in fields(Settings)} - read == set()


def test_help_names_every_setting_with_meaning_and_default() -> None:
    lines = {line.variable: line for line in help_lines()}

    assert set(lines) == set(redacted(Settings()))
    assert lines["WINNOW_CACHE_TTL"].default == "604800"
    assert all(line.meaning for line in lines.values())


def test_settings_of_the_environment_can_be_read_back_from_what_is_shown() -> None:
    settings = Settings.from_env(BOOTSTRAP | {"WINNOW_BATCH_PAGES": "7"})

    assert Settings.from_env(redacted(settings)) == settings


def test_options_are_json_or_the_path_of_a_file(tmp_path: Path) -> None:
    given = ' {"spans": true}'
    file = tmp_path / "options.json"
    file.write_text(given)

    assert Settings.from_env({"WINNOW_OPTIONS": given}, required=()).options == given
    assert Settings.from_env({"WINNOW_OPTIONS": str(file)}, required=()).options == file
    with pytest.raises(SettingsError, match="No such file or directory"):
        Settings.from_env({"WINNOW_OPTIONS": str(tmp_path / "none")}, required=())
