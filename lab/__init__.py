"""Training and measurement of engines; not part of the service."""
