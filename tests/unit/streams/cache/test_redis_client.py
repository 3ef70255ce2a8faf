"""Redis URLs: which are taken, what they mean, and that no password ever shows."""

from pathlib import Path

import pytest

from winnow.streams.cache.redis_client import (
    FileCredentials,
    RedisAddress,
    open_client,
    parse_address,
)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://cache", RedisAddress("server", (("cache", 6379),))),
        ("redis://worker@cache:7000/3", RedisAddress("server", (("cache", 7000),), "worker", 3)),
        ("redis://[::1]:7000", RedisAddress("server", (("::1", 7000),))),
        ("unix:///run/redis.sock?db=2", RedisAddress("server", (), db=2, socket="/run/redis.sock")),
        ("rediss://cache", RedisAddress("server", (("cache", 6379),), tls={})),
        (
            "rediss://cache?ssl_ca_certs=/etc/ca.pem",
            RedisAddress("server", (("cache", 6379),), tls={"ssl_ca_certs": "/etc/ca.pem"}),
        ),
        (
            "redis+sentinel://w%40rker@one,two:5000/main/1",
            RedisAddress("sentinel", (("one", 26379), ("two", 5000)), "w@rker", 1, "main"),
        ),
        (
            "rediss+cluster://one:7000,two",
            RedisAddress("cluster", (("one", 7000), ("two", 6379)), tls={}),
        ),
    ],
)
def test_parse_address_takes_the_url_apart(url: str, address: RedisAddress) -> None:
    assert parse_address(url) == address


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("http://cache", "must begin with"),
        ("cache:6379", "must begin with"),
        ("", "must begin with"),
        ("redis://:hunter2@cache", "must not hold a password"),
        ("redis+sentinel://user:hunter2@one,two/main", "must not hold a password"),
        ("redis://", "must have a host"),
        ("redis://one,two", "several hosts"),
        ("redis://cache:hunter2", "port"),
        ("redis://cache:70000", "port"),
        ("redis://cache:0", "port"),
        ("redis://cache/hunter2", "number"),
        ("redis+sentinel://one,two", "name of the service"),
        ("redis+cluster://one/1", "only database 0"),
        ("redis://cache?ssl_ca_certs=/etc/ca.pem", "rediss"),
        ("rediss://cache?ssl_cert_reqs=none", "unknown option"),
        ("redis://cache?password=hunter2", "unknown option"),
        ("redis://:hunter2@ca\u2100che", "invalid host"),
        ("redis://:[hunter2]@cache", "invalid host"),
        ("redis://:hunter2@[cache", "invalid host"),
    ],
)
def test_parse_address_refuses_a_url_without_repeating_it(url: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as refusal:
        parse_address(url)

    assert "hunter2" not in str(refusal.value)


def test_credentials_are_read_again_when_the_file_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("first\n")
    credentials = FileCredentials("worker", file)

    before = credentials.get_credentials()
    file.write_text("second")
    after = credentials.get_credentials()

    assert (before, after) == (("worker", "first"), ("worker", "second"))


def test_credentials_are_a_password_alone_when_no_user_is_named(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("secret\r\n")

    assert FileCredentials("", file).get_credentials() == ("secret",)


def test_a_client_shows_no_password_when_it_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("hunter2")

    client = open_client(parse_address("redis://worker@cache"), file, timeout_s=1.0)

    assert "hunter2" not in repr(client)
