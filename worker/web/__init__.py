"""What serves over HTTP: bounds, bodies that arrive, and processes that work and may be killed."""
