"""Keep other programs' environment variables away from the libraries that read them at import."""

from collections.abc import MutableMapping
from typing import Final

_READ_BY_FAUST: Final = ("FAUST_", "F_")


def drop_foreign_variables(environ: MutableMapping[str, str]) -> None:
    """Remove the variables that Faust reads at import.

    In the namespace of a service named `faust-web`, Kubernetes sets `FAUST_WEB_PORT=tcp://...`
    in every pod, and Faust fails on it. Call this before the first import of Faust.
    """
    for name in [each for each in environ if each.startswith(_READ_BY_FAUST)]:
        del environ[name]
