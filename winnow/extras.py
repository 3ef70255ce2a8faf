"""Which extra of the distribution brings a package, and what to say when it is not installed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from winnow.models.errors import WinnowError

# extra -> the names under which its packages are imported; a test holds them to pyproject.toml
MODULES: Final[Mapping[str, frozenset[str]]] = {
    "cli": frozenset({"aiohttp", "brotli", "click", "msgspec", "orjson", "rich", "zstandard"}),
    "worker": frozenset(
        {
            "aiokafka",
            "confluent_kafka",
            "cramjam",
            "faust",
            "prometheus_client",
            "redis",
            "structlog",
        }
    ),
    "lab": frozenset({"nltk", "numpy", "selectolax"}),
    "parquet": frozenset({"pyarrow"}),
    "remote": frozenset({"fsspec"}),
    "datatrove": frozenset({"datatrove"}),
    "spark": frozenset({"pyspark"}),
    "ray": frozenset({"ray"}),
    "nemo-curator": frozenset({"nemo_curator"}),
    "langchain": frozenset({"langchain_core"}),
    "llamaindex": frozenset({"llama_index"}),
}


class MissingExtraError(WinnowError, ModuleNotFoundError):
    """A package is not installed, and an extra of Winnow brings it."""


@contextmanager
def importing(what: str, extra: str = "") -> Iterator[None]:
    """Name the extra when an import in the block does not find a package of one.

    Args:
        what: is imported, as the message names it.
        extra: to name; by default the one that brings the package.

    Raises:
        MissingExtraError: a package of an extra is not installed.
        ModuleNotFoundError: another module is not there; nothing is hidden.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        found = _extra_of(error)
        if not found:
            raise
        named = extra or found
        why = f"{what} needs the extra {named}: pip install 'winnow-web[{named}]'"
        raise MissingExtraError(why, name=error.name) from error


def _extra_of(error: ModuleNotFoundError) -> str:
    package = (error.name or "").partition(".")[0]
    return next((extra for extra, modules in MODULES.items() if package in modules), "")
