from alembic import op

revision = "9f20"
down_revision = "5b1c"


def upgrade():
    op.alter_column("orders", "ship_method", new_column_name="delivery_kind")


def downgrade():
    op.alter_column("orders", "delivery_kind", new_column_name="ship_method")
