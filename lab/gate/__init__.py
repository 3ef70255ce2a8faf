"""Quality floors of the engines."""
