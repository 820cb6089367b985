"""Runs the migrations on the connection that `bot.storage.database.migrate` hands over."""

from alembic import context

from bot.storage.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=False)
context.run_migrations()
