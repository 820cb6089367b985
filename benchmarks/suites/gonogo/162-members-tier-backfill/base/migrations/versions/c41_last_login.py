import sqlalchemy as sa
from alembic import op

revision = "c41"
down_revision = "c40"


def upgrade():
    op.add_column("members", sa.Column("last_login", sa.DateTime(timezone=True)))


def downgrade():
    op.drop_column("members", "last_login")
