"""Sites and the parts they belong to."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.lab.sets.parts import Part, fold_of, part_of, site_of, site_of_url


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://news.bbc.co.uk/1/hi", "bbc.co.uk"),
        ("https://www.example.com:8080/", "example.com"),
        ("http://one.blogspot.com/", "one.blogspot.com"),
        ("http://www2.rizospastis.gr/x", "rizospastis.gr"),
        ("http://192.168.0.1/", "192.168.0.1"),
        ("http://192.168.0.1./", "192.168.0.1"),
        ("http://www.Example.COM./", "example.com"),
        ("http://foren.MÜNCHEN.de/", "xn--mnchen-3ya.de"),
        ("http://xn--mnchen-3ya.de/", "xn--mnchen-3ya.de"),
        ("http://новости。пример。рф/", "xn--e1afmkfd.xn--p1ai"),
        ("http://" + "ü" * 70 + ".de/", "ü" * 70 + ".de"),
        ("http://[broken/", ""),
        ("no url", ""),
    ],
)
def test_site_of_url_is_the_registered_name(url: str, site: str) -> None:
    assert site_of_url(url) == site


@pytest.mark.parametrize(
    ("page_id", "markup", "site"),
    [
        ("english/20111215_www.bbc.co.uk_e96f", b"", "bbc.co.uk"),
        ("7", b'<text id="http://apodion.com/vad?id=1" title="x">\n', "apodion.com"),
        ("7", b"<link href='http://a.example.org/x' rel='canonical'>", "example.org"),
        ("7", b'<meta property="og:url" content="http://b.example.org/">', "example.org"),
        ("7", b'<base href="http://c.example.org/">', "example.org"),
        (
            "7",
            b'<a href="http://google.com/"><a href="http://google.com/1"><img src="http://d.net/">',
            "d.net",
        ),
        ("7", b"<p>nothing</p>", "7"),
    ],
)
def test_site_of_reads_the_first_source_with_a_site(page_id: str, markup: bytes, site: str) -> None:
    assert site_of(page_id, markup) == site
    assert site_of(page_id, markup, "http://www.news.example/") == "news.example"


def test_parts_take_seven_one_and_two_tenths_of_the_sites() -> None:
    parts = Counter(part_of(f"site{i}.example") for i in range(10_000))

    assert parts[Part.TRAIN] == pytest.approx(7000, abs=150)
    assert parts[Part.TUNE] == pytest.approx(1000, abs=100)
    assert parts[Part.TEST] == pytest.approx(2000, abs=130)


def test_parts_never_move() -> None:
    """A page that changed its part would have been trained on and tested on."""
    sites = ["bbc.co.uk", "nfl.com", "rei.com", "udn.com"]

    assert [part_of(site) for site in sites] == [Part.TRAIN, Part.TUNE, Part.TEST, Part.TRAIN]


@given(st.text(), st.integers(min_value=1, max_value=20))
def test_folds_cover_zero_to_folds_minus_one(site: str, folds: int) -> None:
    assert 0 <= fold_of(site, folds) < folds
