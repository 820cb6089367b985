"""Rules of config."""
