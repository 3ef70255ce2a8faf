"""Language models of other programs -> model files."""
