locals {
  tables = toset(["ledger-entries", "ledger-balances", "ledger-locks"])
}

resource "aws_dynamodb_table" "ledger" {
  for_each     = local.tables
  name         = each.key
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
