"""Rules of http."""
