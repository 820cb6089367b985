from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade():
    op.create_foreign_key(
        "visits_campaign_id_fkey",
        "visits",
        "campaigns",
        ["campaign_id"],
        ["id"],
        source_schema="tracking",
    )


def downgrade():
    op.drop_constraint("visits_campaign_id_fkey", "visits", schema="tracking")
