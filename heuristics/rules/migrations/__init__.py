"""What hurts whatever the server is."""
