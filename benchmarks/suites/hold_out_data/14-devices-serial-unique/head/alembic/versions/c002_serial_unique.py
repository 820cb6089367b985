from alembic import op

revision = "c002"
down_revision = "c001"


def upgrade():
    op.create_unique_constraint("uq_devices_serial", "devices", ["serial"])


def downgrade():
    op.drop_constraint("uq_devices_serial", "devices")
