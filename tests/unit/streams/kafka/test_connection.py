"""Secrets never print themselves, and security means what it says."""

from pathlib import Path

import pytest

from winnow.streams.kafka.connection import Connection, Mechanism, Secret, Security, in_words


def test_secret_shows_stars_however_it_is_printed() -> None:
    secret = Secret("hunter2")

    assert f"{secret} {secret!r} {[secret]} {Connection(('a:1',), password=secret)}".count("***")
    assert "hunter2" not in repr(Connection(("a:1",), password=secret))
    assert secret.reveal() == "hunter2"


def test_client_options_have_no_credentials_without_sasl() -> None:
    options = Connection(("a:1", "b:2"), username="u", password=Secret("p")).client_options()

    assert options == {
        "bootstrap_servers": ["a:1", "b:2"],
        "security_protocol": "PLAINTEXT",
        "ssl_context": None,
    }


def test_client_options_have_context_and_credentials_with_sasl_over_tls() -> None:
    connection = Connection(("a:1",), Security.SASL_SSL, Mechanism.SCRAM_SHA_256, "u", Secret("p"))

    options = connection.client_options()

    assert options["security_protocol"] == "SASL_SSL"
    assert options["ssl_context"].verify_mode.name == "CERT_REQUIRED"
    assert options["ssl_context"].check_hostname
    assert (options["sasl_mechanism"], options["sasl_plain_username"]) == ("SCRAM-SHA-256", "u")
    assert options["sasl_plain_password"] == "p"


def test_ssl_context_raises_when_the_certificate_file_is_invalid(tmp_path: Path) -> None:
    broken = tmp_path / "ca.pem"
    broken.write_text("no certificate")

    with pytest.raises(OSError, match="CERTIFICATE"):
        Connection(("a:1",), Security.SSL, ca_file=broken).ssl_context()


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("[Errno 111] Connect call failed ('127.0.0.1', 1)", "connection refused"),
        ("Multiple exceptions: [Errno 111] Connect call failed, again", "connection refused"),
        (
            "Connect to ipv4#127.0.0.1:1 failed: Connection refused (after 0ms in state CONNECT)",
            "connection refused",
        ),
        ("[Errno -2] Name or service not known", "no such host"),
        ("Failed to resolve 'kafka:9092': Name or service not known (after 3ms)", "no such host"),
        ("SASL authentication error: wrong password", "SASL authentication error: wrong password"),
    ],
)
def test_connection_errors_are_quoted_alike_by_all_clients(said: str, words: str) -> None:
    assert in_words(said) == words
