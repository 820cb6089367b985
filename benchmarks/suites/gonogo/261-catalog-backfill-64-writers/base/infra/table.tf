resource "aws_dynamodb_table" "shop" {
  name           = "shop"
  billing_mode   = "PROVISIONED"
  hash_key       = "pk"
  range_key      = "sk"
  read_capacity  = 1200
  write_capacity = 900

  attribute {
    name = "pk"
    type = "S"
  }

  attribute {
    name = "sk"
    type = "S"
  }
}
