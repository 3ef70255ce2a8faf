"""Winnow as one of the tools of lab/measure/peers: one process, one page at a time.

python -m bench.compare.winnow_tool [OPTION=VALUE]...
"""

import sys

from winnow.lab.measure.peers.tools import refuse_network, serve
from winnow.models import Cleaner, CleanerOptions, Page
from winnow.models.errors import InvalidPage


def main(options: dict[str, str]) -> None:
    """Answer line by line until the input ends; a refused page is an error of the tool."""
    cleaner = Cleaner(CleanerOptions().with_values(options))

    def extract(html: str, _: str) -> str:
        page = Page(
            "http://page.invalid/", html.encode(errors="replace"), "text/html; charset=utf-8"
        )
        try:
            return cleaner.clean(page).text
        except InvalidPage as error:
            raise ValueError(error.reason) from error

    refuse_network()
    serve(extract)


if __name__ == "__main__":
    main(dict(argument.split("=", 1) for argument in sys.argv[1:]))
