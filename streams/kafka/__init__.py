"""Faust and aiokafka, with the parts replaced that lose, repeat or starve records."""
