"""What is kept for a shorter time."""
