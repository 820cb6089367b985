import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    op.add_column("settlements", sa.Column("fx_rate", sa.Numeric(12, 6), nullable=True))


def downgrade() -> None:
    op.drop_column("settlements", "fx_rate")
