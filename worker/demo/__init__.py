"""The whole pipeline in one process, on an embedded broker."""
