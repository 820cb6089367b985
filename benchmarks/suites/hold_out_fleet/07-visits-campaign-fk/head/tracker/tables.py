from sqlalchemy import BigInteger, Column, MetaData, Table, Text

meta = MetaData()
campaigns = Table("campaigns", meta, Column("id", BigInteger, primary_key=True), Column("title", Text))
visits = Table("visits", meta, Column("id", BigInteger, primary_key=True), Column("campaign_id", BigInteger), Column("agent", Text), schema="tracking")
