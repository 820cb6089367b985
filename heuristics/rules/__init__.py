"""Rules, one a file; a family a folder."""
