import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("payout_methods", sa.Column("label", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("payout_methods", "label")
