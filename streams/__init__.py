"""Read pages from Kafka with Faust and publish documents: agent, cache, dead letters."""
