"""One module for each part of an account that is read."""
