import sqlalchemy as sa
from alembic import op

revision = "e52"
down_revision = "e50"


def upgrade():
    op.add_column("plans", sa.Column("seat_count", sa.Integer))


def downgrade():
    op.drop_column("plans", "seat_count")
