"""Rules about when jobs start."""
