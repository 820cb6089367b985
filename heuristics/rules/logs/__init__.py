"""Rules about what is written to logs."""
