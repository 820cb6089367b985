locals {
  tables = ["ledger-entries", "ledger-balances", "ledger-locks"]
}

resource "aws_dynamodb_table" "ledger" {
  count        = length(local.tables)
  name         = local.tables[count.index]
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "pk"
  range_key    = "sk"

  attribute {
    name = "pk"
    type = "S"
  }

  attribute {
    name = "sk"
    type = "S"
  }
}
