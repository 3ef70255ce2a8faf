"""`winnow worker` with all that it asks first: `python -m tests.faults.command`."""

from winnow.worker.cli import main

if __name__ == "__main__":
    main(["worker"])
