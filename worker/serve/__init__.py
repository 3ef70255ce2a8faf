"""Clean pages over HTTP, for crawlers without Python and Kafka."""
