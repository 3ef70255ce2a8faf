"""Clean archives on datatrove: `python datatrove_job.py ARCHIVES OUTPUT TASKS`."""

import sys

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers import JsonlWriter

from winnow.datatrove import ArchiveReader, WinnowExtractor

if __name__ == "__main__":
    archives, output, tasks = sys.argv[1:]
    LocalPipelineExecutor(
        pipeline=[
            ArchiveReader(archives, glob_pattern="*.warc.gz"),
            WinnowExtractor(),
            JsonlWriter(output, compression=None),
        ],
        tasks=int(tasks),
        workers=int(tasks),
        logging_dir=f"{output}/logs",
    ).run()
