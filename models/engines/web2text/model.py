"""A weight file -> labelled blocks."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from winnow.models._kernel import Web2TextNetworks
from winnow.models.errors import ModelError

SHIPPED: Final = Path(__file__).parents[2] / "data" / "web2text.weights"


@dataclass(frozen=True, slots=True)
class Web2TextModel:
    """Networks ready to run in the kernel; immutable and thread-safe.

    Attributes:
        digest: hex SHA-256 of the weight file that holds them.
    """

    networks: Web2TextNetworks
    digest: str

    @classmethod
    def load(cls, path: Path = SHIPPED, threshold: float = 0.0) -> Self:
        """Read a weight file of feature version 2; the shipped one by default.

        `threshold` is subtracted from the score of label 1 of every block: a higher one keeps less.

        Raises:
            ModelError: the file cannot be read or used.
        """
        try:
            file = path.read_bytes()
            networks = Web2TextNetworks.read(file, threshold)
        except OSError as error:
            raise ModelError(f"{path}: {error.strerror or error}") from error
        except ModelError as error:
            raise ModelError(f"{path}: {error}") from error
        return cls(networks, hashlib.sha256(file).hexdigest())
