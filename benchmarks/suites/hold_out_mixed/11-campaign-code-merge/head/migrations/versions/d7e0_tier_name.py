"""tier name"""
import sqlalchemy as sa
from alembic import op

revision = "d7e0"
down_revision = "c41d"


def upgrade():
    op.add_column("points", sa.Column("tier", sa.Text, nullable=True))


def downgrade():
    op.drop_column("points", "tier")
