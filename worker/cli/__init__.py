"""The console script `winnow`: one module per command."""

from worker.cli.main import main

__all__ = ["main"]
