"""The newest rides of a station, without reading the whole table."""

from alembic import op

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.create_index(
            "ix_rides_station_started",
            "rides",
            ["station_id", "started_at"],
            postgresql_concurrently=True,
            if_not_exists=True,
        )


def downgrade() -> None:
    with op.get_context().autocommit_block():
        op.drop_index("ix_rides_station_started", table_name="rides", postgresql_concurrently=True, if_exists=True)
