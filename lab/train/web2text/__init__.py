"""Training of Web2Text, the published system, and what both are measured by."""
