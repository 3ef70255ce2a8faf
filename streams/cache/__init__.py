"""Cached results of cleaning, by URL: values, Redis, a circuit breaker."""
