"""merge tier and campaign"""
revision = "f002"
down_revision = ("d7e0", "e918")


def upgrade():
    pass


def downgrade():
    pass
