import sqlalchemy as sa
from alembic import op

revision = "a8"
down_revision = "a7"


def upgrade():
    op.alter_column("suppliers", "vat_id", existing_type=sa.String(64), type_=sa.String(16))


def downgrade():
    op.alter_column("suppliers", "vat_id", existing_type=sa.String(16), type_=sa.String(64))
