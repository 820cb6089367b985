"""Rules about switches that turn."""
