"""The sample pages show what engines tell apart."""

import pytest

import winnow
from winnow.worker.batch.inputs import SAMPLES

TYPES = {
    "article.html": "article",
    "documentation.html": "documentation",
    "forum.html": "forum",
    "front-page.html": "listing",
    "service.xhtml": "service",
    "shop.html": "product",
}


@pytest.mark.parametrize("name", TYPES)
def test_a_sample_has_the_type_in_its_name(name: str) -> None:
    document = winnow.clean((SAMPLES / name).read_bytes(), url=f"https://example.org/{name}")

    assert document.page_type == TYPES[name]
