"""The service: worker processes, their supervisor, what they report."""
