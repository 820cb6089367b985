import sqlalchemy as sa
from alembic import op

revision = "5c10"
down_revision = "31aa"


def upgrade():
    op.add_column("loans", sa.Column("rate_bp", sa.Integer(), nullable=True))


def downgrade():
    op.drop_column("loans", "rate_bp")
