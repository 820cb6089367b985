import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade():
    op.create_table("visits", sa.Column("id", sa.BigInteger, primary_key=True), sa.Column("campaign_id", sa.BigInteger), sa.Column("agent", sa.Text), schema="tracking")


def downgrade():
    op.drop_table("visits", schema="tracking")
