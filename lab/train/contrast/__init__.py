"""Training of the contrast engine."""
