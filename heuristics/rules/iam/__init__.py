"""Rules of iam."""
