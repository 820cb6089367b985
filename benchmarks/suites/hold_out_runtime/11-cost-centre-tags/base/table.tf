resource "aws_dynamodb_table" "drafts" {
  name         = "drafts"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"

  attribute {
    name = "id"
    type = "S"
  }

  tags = {
    CostCentre = "4411"
  }
}
