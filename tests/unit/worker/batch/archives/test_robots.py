"""What a robots.txt allows, by RFC 9309."""

import time

import pytest

from winnow.worker.batch.archives.robots import MAX_ROBOTS_BYTES, Robots

GROUPS = b"""
User-agent: other
Disallow: /

User-Agent: Winnow/1.0   # and its friend
user-agent: friend
Disallow: /private
Allow: /private/open

User-agent: *
Disallow: /all
Sitemap: https://a.invalid/map

User-agent: winnow
Disallow: /second
"""


@pytest.mark.parametrize(
    ("agent", "path", "is_allowed"),
    [
        ("winnow", "/", True),
        ("winnow", "/private", False),
        ("winnow", "/private/open/1", True),
        ("winnow", "/second?a=1", False),
        ("winnow", "/all", True),
        ("friend", "/private/", False),
        ("friend", "/second", True),
        ("somebody", "/all", False),
        ("other", "/", False),
    ],
)
def test_the_groups_of_a_robot_decide(agent: str, path: str, is_allowed: bool) -> None:
    assert Robots(GROUPS, agent).allows(path) is is_allowed


@pytest.mark.parametrize(
    ("rules", "path", "is_allowed"),
    [
        (b"", "/a", True),
        (b"Disallow:", "/a", True),
        (b"Disallow: /", "/a", False),
        (b"Disallow: /a\nAllow: /a", "/a", True),
        (b"Disallow: /*.pdf$", "/x/y.pdf", False),
        (b"Disallow: /*.pdf$", "/x/y.pdf?a", True),
        (b"Disallow: /*.pdf$", "/x.pdf/y.pdf", False),
        (b"Disallow: /*/b*c", "/a/b/d/c/e", False),
        (b"Disallow: /*/b*c", "/a/c/b", True),
        (b"Disallow: /ab*ab$", "/ab", True),
        (b"Disallow: /a$", "/a", False),
        (b"Disallow: /a$", "/ab", True),
        (b"Disallow: /caf\xc3\xa9", "/caf%c3%A9", False),
        (b"Disallow: /%7euser", "/~user/", False),
        (b"Disallow: /a%2Fb", "/a/b", True),
    ],
)
def test_the_longest_pattern_that_fits_decides(rules: bytes, path: str, is_allowed: bool) -> None:
    assert Robots(b"User-agent: *\r\n" + rules, "winnow").allows(path) is is_allowed


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00", b"\xef\xbb\xbf", b"<html>", b"disallow: /", b":\n:\n", b"a" * 99]
)
def test_an_answer_that_is_not_robots_txt_allows_all(content: bytes) -> None:
    assert Robots(content, "winnow").allows("/")


def test_only_the_beginning_of_a_long_robots_txt_counts() -> None:
    long = b"User-agent: *\n" + b"#" * MAX_ROBOTS_BYTES + b"\nDisallow: /"

    assert Robots(long, "winnow").allows("/")


def test_hostile_patterns_cost_little() -> None:
    pattern = b"Disallow: /" + b"*a" * 2000 + b"b\n"
    began = time.process_time()

    assert Robots(b"User-agent: *\n" + pattern * 10, "winnow").allows("/" + "a" * 8000)
    assert time.process_time() - began < 5
