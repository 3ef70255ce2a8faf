"""Language models of other programs to model files."""
