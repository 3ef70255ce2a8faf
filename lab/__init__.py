"""Where engines are trained and measured; no part of the service."""
