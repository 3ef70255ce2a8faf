"""The service: worker processes, their supervisor, their metrics and probes."""
