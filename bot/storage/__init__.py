"""What is kept between evaluations, in SQLite or PostgreSQL."""
