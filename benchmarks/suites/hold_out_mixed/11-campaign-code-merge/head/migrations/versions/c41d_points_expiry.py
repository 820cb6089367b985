"""points expiry"""
import sqlalchemy as sa
from alembic import op

revision = "c41d"
down_revision = None


def upgrade():
    op.create_table("points", sa.Column("id", sa.BigInteger, primary_key=True), sa.Column("expires_on", sa.Date))


def downgrade():
    op.drop_table("points")
