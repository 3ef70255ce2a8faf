"""Training of the hybrid engine."""
