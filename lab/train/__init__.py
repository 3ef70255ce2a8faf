"""Training of every engine, one package each."""
