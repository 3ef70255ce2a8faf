"""Training of the engines, one package each."""
