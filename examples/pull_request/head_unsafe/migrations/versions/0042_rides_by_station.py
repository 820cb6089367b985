"""The newest rides of a station, without reading the whole table."""

from alembic import op

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    op.create_index("ix_rides_station_started", "rides", ["station_id", "started_at"])


def downgrade() -> None:
    op.drop_index("ix_rides_station_started", table_name="rides")
