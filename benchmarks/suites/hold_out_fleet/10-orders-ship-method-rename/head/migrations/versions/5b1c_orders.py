import sqlalchemy as sa
from alembic import op

revision = "5b1c"
down_revision = None


def upgrade():
    op.create_table(
        "orders",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("merchant_id", sa.BigInteger, nullable=False),
        sa.Column("ship_method", sa.Text, nullable=False, server_default="parcel"),
        sa.Column("printed_at", sa.DateTime(timezone=True)),
    )


def downgrade():
    op.drop_table("orders")
