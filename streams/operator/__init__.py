"""What the operator's commands ask of the brokers, through librdkafka."""
