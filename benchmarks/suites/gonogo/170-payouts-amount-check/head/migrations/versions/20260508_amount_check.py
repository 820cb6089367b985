from alembic import op

revision = "9f32"
down_revision = "9f31"


def upgrade():
    op.create_check_constraint("payouts_amount_positive", "payouts", "amount >= 0")


def downgrade():
    op.drop_constraint("payouts_amount_positive", "payouts")
