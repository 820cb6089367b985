resource "aws_dynamodb_table" "listings" {
  name           = "listings"
  billing_mode   = "PROVISIONED"
  hash_key       = "listing_id"
  read_capacity  = 3000
  write_capacity = 120

  attribute {
    name = "listing_id"
    type = "S"
  }
}
