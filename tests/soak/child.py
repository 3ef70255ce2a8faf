"""A real worker process that tells how many tasks it has: `python -m tests.soak.child`.

At SIGUSR2 it writes a line `tasks N`.
"""

import asyncio
import gc
import signal

from worker.child import main
from worker.cleaning import build_cleaner


def tell_tasks(*_: object) -> None:
    """Write how many tasks of all event loops are not done."""
    # no isinstance: it would ask dead weak references for their class
    tasks = [each for each in gc.get_objects() if type(each) is asyncio.Task]
    print("tasks", sum(not task.done() for task in tasks), flush=True)  # noqa: T201


if __name__ == "__main__":
    signal.signal(signal.SIGUSR2, tell_tasks)
    main(0, build_cleaner)
