"""Clean archives on Ray Data: `python ray_job.py OUTPUT ARCHIVE...`."""

import sys

import ray

from winnow.ray import CleanArchives

if __name__ == "__main__":
    output, *archives = sys.argv[1:]
    paths = ray.data.from_items([{"path": path} for path in archives])
    documents = paths.map_batches(
        CleanArchives,
        batch_size=1,
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=2),
    )
    documents.write_parquet(output)
