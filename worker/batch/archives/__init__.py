"""Archives in (WARC, JSON lines, compressed pages), shards of documents out; resumable."""
