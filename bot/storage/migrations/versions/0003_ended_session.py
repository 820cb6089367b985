"""Sessions of the dashboard that were signed out before they would have run out."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "ended_session",
        sa.Column("nonce", sa.Text, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False, comment="its cookie is refused after that anyway"),
        sa.PrimaryKeyConstraint("nonce", name="pk_ended_session"),
    )
