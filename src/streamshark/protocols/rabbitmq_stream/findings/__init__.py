"""Rules of RabbitMQ Streams, by subject; `all_rules` has them all."""
