resource "aws_dynamodb_table" "quotes" {
  name         = "quotes"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"

  attribute {
    name = "id"
    type = "S"
  }

  tags = {
    team = "quotes"
  }
}
