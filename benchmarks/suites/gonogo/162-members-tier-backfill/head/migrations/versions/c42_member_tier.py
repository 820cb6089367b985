import sqlalchemy as sa
from alembic import op

revision = "c42"
down_revision = "c41"


def upgrade():
    op.add_column("members", sa.Column("tier", sa.String(16)))
    op.execute(
        "UPDATE members SET tier = CASE WHEN lifetime_spend > 100000 THEN 'gold'"
        " WHEN lifetime_spend > 20000 THEN 'silver' ELSE 'basic' END"
    )


def downgrade():
    op.drop_column("members", "tier")
