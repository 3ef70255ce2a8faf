"""`python -m winnow` is the command `winnow`."""

from winnow.worker.cli import main

if __name__ == "__main__":
    main(prog_name="winnow")
