"""How pages arrive and documents leave: Faust on Kafka, cache, dead letters."""
