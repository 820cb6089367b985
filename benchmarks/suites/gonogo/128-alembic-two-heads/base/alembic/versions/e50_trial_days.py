import sqlalchemy as sa
from alembic import op

revision = "e50"
down_revision = "e49"


def upgrade():
    op.add_column("plans", sa.Column("trial_days", sa.String(8)))


def downgrade():
    op.drop_column("plans", "trial_days")
