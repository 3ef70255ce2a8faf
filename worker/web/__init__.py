"""Parts of the HTTP servers: limits, arriving bodies, and worker processes that can be killed."""
