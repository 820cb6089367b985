revision = "31aa"
down_revision = None


def upgrade():
    pass


def downgrade():
    pass
