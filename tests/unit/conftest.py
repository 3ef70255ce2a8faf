"""Fixtures of the unit tests."""

import os
from collections.abc import Iterator

import pytest

from winnow.models.ngram import NgramModel


@pytest.fixture(scope="session")
def english() -> NgramModel:
    """The English model that is shipped."""
    return NgramModel.shipped("en")


@pytest.fixture(scope="session", autouse=True)
def _no_wait_for_the_disk() -> Iterator[None]:
    """Skip the flush to the disk: tests need no durability, and a flush takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield
