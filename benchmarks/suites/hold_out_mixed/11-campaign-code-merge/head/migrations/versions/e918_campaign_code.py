"""campaign code"""
import sqlalchemy as sa
from alembic import op

revision = "e918"
down_revision = "c41d"


def upgrade():
    op.add_column("points", sa.Column("campaign_code", sa.Text, nullable=True))


def downgrade():
    op.drop_column("points", "campaign_code")
