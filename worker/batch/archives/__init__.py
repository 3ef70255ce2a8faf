"""Whole archives: WARC, JSON lines and packed pages in; shards of documents out, resumable."""
