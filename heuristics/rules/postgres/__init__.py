"""What hurts on PostgreSQL."""
