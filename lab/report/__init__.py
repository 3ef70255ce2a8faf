"""Show figures as tables, plots and HTML pages."""
