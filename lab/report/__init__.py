"""Figures as tables, plots and one HTML page."""
