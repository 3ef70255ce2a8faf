"""The command `winnow`, which `python -m winnow` runs too."""

import sys

from winnow.extras import MissingExtraError, importing


def main() -> None:
    """Run a command, or say which extra brings the commands."""
    try:
        with importing("the command"):
            from winnow.worker.cli import main as command  # noqa: PLC0415 - may not be installed
    except MissingExtraError as error:
        sys.stderr.write(f"winnow: {error}\n")
        sys.exit(2)
    command(prog_name="winnow")


if __name__ == "__main__":
    main()
