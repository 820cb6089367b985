import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    op.execute("SET lock_timeout = '3s'")
    op.drop_column("payouts", "fx_rate")


def downgrade() -> None:
    op.add_column("payouts", sa.Column("fx_rate", sa.Numeric(12, 6), nullable=True))
