"""The proof at import that the kernel reads lexbor's tree rightly."""

import pytest
import selectolax

from winnow.models.page import selftest


def test_selftest_passes_on_the_pinned_version() -> None:
    selftest.check_tree_layout()


def test_selftest_stops_the_import_when_selectolax_is_another_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selectolax, "__version__", "1.0.3")

    with pytest.raises(ImportError, match=r"1\.0\.3 is installed"):
        selftest.check_tree_layout()


def test_selftest_stops_the_import_when_the_blocks_are_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selftest, "_MARKUP", "<p>something else")

    with pytest.raises(ImportError, match="does not read the tree"):
        selftest.check_tree_layout()
