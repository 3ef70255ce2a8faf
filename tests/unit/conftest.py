"""Fixtures of the unit tests."""

import pytest

from winnow.models.ngram import NgramModel


@pytest.fixture(scope="session")
def english() -> NgramModel:
    """The English model that is shipped."""
    return NgramModel.shipped("en")
