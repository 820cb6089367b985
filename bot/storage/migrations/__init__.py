"""Steps from one shape of the tables to the next; alembic runs them."""
