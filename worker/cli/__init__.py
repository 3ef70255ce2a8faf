"""The console script `winnow`: one module per command."""

from winnow.worker.cli.main import main

__all__ = ["main"]
