"""Mend gold texts in a browser, the pages on which the engine agrees least first.

python -m winnow.lab.label ../shared/pages/postlight.tar.zst --worst 20 --out build/patches.jsonl
"""

import argparse
import asyncio
import contextlib
import sys
from pathlib import Path

from aiohttp import web

from winnow.lab.label.pages import worst_pages
from winnow.lab.label.server import HOST, application
from winnow.lab.label.session import Session
from winnow.lab.sets.parts import Part
from winnow.models.errors import WinnowError


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(
        "winnow.lab.label", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("sources", nargs="+", type=Path, metavar="PAGES_SET")
    parser.add_argument("--out", type=Path, required=True, help="file of patches to write")
    parser.add_argument("--worst", type=int, default=20, metavar="N", help="how many pages")
    parser.add_argument(
        "--split", choices=tuple(Part), type=Part, help="only pages of sites of this part"
    )
    parser.add_argument("--port", type=int, default=6081, help="of 127.0.0.1; 0 for a free one")
    chosen = parser.parse_args()
    try:
        session = Session(worst_pages(chosen.sources, chosen.split, chosen.worst), chosen.out)
    except WinnowError as error:
        sys.exit(f"winnow.lab.label: {error}")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(session, chosen.port))


async def _serve(session: Session, port: int) -> None:
    runner = web.AppRunner(application(session), access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, port).start()
        print(f"{len(session.pages)} pages: http://{HOST}:{runner.addresses[0][1]}/", flush=True)
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


if __name__ == "__main__":
    main()
