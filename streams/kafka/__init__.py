"""Faust and aiokafka, with replacements for the parts that lose, repeat or starve records."""
