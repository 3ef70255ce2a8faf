"""Training and evaluation of Web2Text."""
