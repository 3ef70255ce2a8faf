"""The process you run: command line, settings, supervisor, observability."""
