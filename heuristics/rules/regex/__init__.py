"""Rules about regular expressions."""
