"""AWS, read-only, through boto3: one module a service under `services`, and what they share."""
