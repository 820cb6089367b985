import sqlalchemy as sa
from alembic import op

revision = "9f31"
down_revision = "9f30"


def upgrade():
    op.add_column("payouts", sa.Column("currency", sa.String(3), server_default="EUR", nullable=False))


def downgrade():
    op.drop_column("payouts", "currency")
