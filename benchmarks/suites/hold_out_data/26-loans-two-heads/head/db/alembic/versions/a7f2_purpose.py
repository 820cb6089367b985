import sqlalchemy as sa
from alembic import op

revision = "a7f2"
down_revision = "5c10"


def upgrade():
    op.add_column("loans", sa.Column("purpose", sa.Text(), nullable=True))


def downgrade():
    op.drop_column("loans", "purpose")
