"""Compare the trees of all development pages and of ten thousand mutated ones with lexbor's."""

import sys
from pathlib import Path
from typing import Final

from tests.trees.pages import development_pages, differs, mutated_pages

SHARED: Final = Path(__file__).resolve().parents[3] / "shared"
MUTATED: Final = 10_000


def main() -> None:
    """Print how many trees there are of each kind, and the begin of each page that differs."""
    pages = list(development_pages(SHARED))
    kinds = {"development pages": pages, "mutated pages": mutated_pages(pages, MUTATED, seed=52)}
    found = 0
    for kind, of_kind in kinds.items():
        different = [page[:200] for page in of_kind if differs(page)]
        lines = [f"{kind}: {len(different)} trees differ from lexbor's", *different]
        sys.stdout.writelines(f"{line}\n" for line in lines)
        found += len(different)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
