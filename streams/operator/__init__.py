"""Requests of the operator's commands to the brokers, through librdkafka."""
