import sqlalchemy as sa
from alembic import op

revision = "e49"
down_revision = None


def upgrade():
    op.create_table("plans", sa.Column("id", sa.BigInteger, primary_key=True), sa.Column("name", sa.Text))


def downgrade():
    op.drop_table("plans")
