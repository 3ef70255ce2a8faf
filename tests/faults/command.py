"""`winnow worker` with all its start checks: `python -m tests.faults.command`."""

from winnow.worker.cli import main

if __name__ == "__main__":
    main(["worker"])
