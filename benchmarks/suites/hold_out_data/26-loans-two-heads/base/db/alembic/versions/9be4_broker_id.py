import sqlalchemy as sa
from alembic import op

revision = "9be4"
down_revision = "5c10"


def upgrade():
    op.add_column("loans", sa.Column("broker_id", sa.Integer(), nullable=True))


def downgrade():
    op.drop_column("loans", "broker_id")
