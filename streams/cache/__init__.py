"""What cleaning a URL gave last time: values, Redis, a breaker around it."""
