resource "aws_dynamodb_table" "prices" {
  name           = "prices"
  billing_mode   = "PROVISIONED"
  read_capacity  = 400
  write_capacity = 50
  hash_key       = "sku"

  attribute {
    name = "sku"
    type = "S"
  }
}
