"""The layers import in one direction, and each imports at all."""

import winnow.lab
import winnow.models._kernel
import winnow.streams
import winnow.worker


def test_every_layer_imports() -> None:
    assert winnow.models._kernel.__name__ == "winnow.models._kernel"
    assert winnow.streams.__doc__
    assert winnow.lab.__doc__
    assert winnow.worker.__doc__
