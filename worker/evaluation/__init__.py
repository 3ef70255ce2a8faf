"""Run engines over labelled pages and read what other tools made of them."""
