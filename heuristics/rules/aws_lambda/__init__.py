"""Rules of aws_lambda."""
