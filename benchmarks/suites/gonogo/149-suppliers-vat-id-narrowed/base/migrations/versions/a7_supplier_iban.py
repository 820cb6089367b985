import sqlalchemy as sa
from alembic import op

revision = "a7"
down_revision = "a6"


def upgrade():
    op.add_column("suppliers", sa.Column("iban", sa.String(34)))


def downgrade():
    op.drop_column("suppliers", "iban")
