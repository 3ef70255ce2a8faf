"""Keep other programs' environment variables away from the libraries that read them at import."""

from collections.abc import MutableMapping
from typing import Final

_READ_BY_FAUST: Final = ("FAUST_", "F_")


def drop_foreign_variables(environ: MutableMapping[str, str]) -> None:
    """Remove what Faust reads when it is imported.

    Kubernetes sets `FAUST_WEB_PORT=tcp://...` in every pod beside a service named `faust-web`,
    and Faust would stop at it. To be called before the first import of Faust.
    """
    for name in [each for each in environ if each.startswith(_READ_BY_FAUST)]:
        del environ[name]
