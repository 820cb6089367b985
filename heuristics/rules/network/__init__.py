"""Rules of network."""
