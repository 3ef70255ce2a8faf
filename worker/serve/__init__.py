"""Pages cleaned over HTTP, for crawlers that have neither Python nor Kafka."""
