import sqlalchemy as sa
from alembic import op

revision = "c001"
down_revision = None


def upgrade():
    op.create_table("devices", sa.Column("id", sa.BigInteger(), primary_key=True), sa.Column("serial", sa.Text(), nullable=False))


def downgrade():
    op.drop_table("devices")
