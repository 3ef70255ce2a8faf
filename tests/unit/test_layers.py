"""The layers import in one direction, and each imports at all."""

import lab
import models._kernel
import streams
import worker


def test_every_layer_imports() -> None:
    assert models._kernel.__name__ == "models._kernel"
    assert streams.__doc__
    assert lab.__doc__
    assert worker.__doc__
