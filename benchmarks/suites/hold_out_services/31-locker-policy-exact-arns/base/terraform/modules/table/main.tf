variable "table_name" {
  type = string
}

variable "hash_key" {
  type = string
}

variable "range_key" {
  type = string
}

resource "aws_dynamodb_table" "this" {
  name         = var.table_name
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = var.hash_key
  range_key    = var.range_key

  attribute {
    name = var.hash_key
    type = "S"
  }

  attribute {
    name = var.range_key
    type = "S"
  }

  attribute {
    name = "venue"
    type = "S"
  }

  global_secondary_index {
    name            = "by-venue"
    hash_key        = "venue"
    projection_type = "KEYS_ONLY"
  }
}

output "arn" {
  value = aws_dynamodb_table.this.arn
}
