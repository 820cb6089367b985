import sqlalchemy as sa
from alembic import op

revision = "e51"
down_revision = "e50"


def upgrade():
    op.add_column("plans", sa.Column("currency", sa.String(8)))


def downgrade():
    op.drop_column("plans", "currency")
