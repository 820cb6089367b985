from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_check_constraint(
        "ck_payout_methods_currency",
        "payout_methods",
        "currency IN ('EUR', 'USD', 'GBP')",
    )


def downgrade() -> None:
    op.drop_constraint("ck_payout_methods_currency", "payout_methods", type_="check")
