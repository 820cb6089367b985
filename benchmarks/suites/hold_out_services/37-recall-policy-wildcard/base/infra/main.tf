resource "aws_dynamodb_table" "recalls" {
  name         = "recalls"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "patient_id"

  attribute {
    name = "patient_id"
    type = "S"
  }

  attribute {
    name = "clinic_id"
    type = "S"
  }

  attribute {
    name = "due_on"
    type = "S"
  }

  global_secondary_index {
    name            = "by-due-date"
    hash_key        = "clinic_id"
    range_key       = "due_on"
    projection_type = "ALL"
  }
}

resource "aws_lambda_function" "recall_api" {
  function_name = "recall-api"
  role          = aws_iam_role.recall_api.arn
  runtime       = "python3.12"
  handler       = "recalls.handler.handle"
  filename      = var.package
  timeout       = 10
  memory_size   = 512

  environment {
    variables = {
      TABLE = aws_dynamodb_table.recalls.name
    }
  }
}
