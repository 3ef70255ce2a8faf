"""What a worker process serves over HTTP: probes and metrics."""
