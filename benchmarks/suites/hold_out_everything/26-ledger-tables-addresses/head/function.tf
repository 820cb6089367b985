resource "aws_lambda_function" "post" {
  function_name = "ledger-post"
  role          = var.role_arn
  handler       = "post.handler"
  runtime       = "nodejs20.x"
  s3_bucket     = var.artifacts
  s3_key        = var.key
  timeout       = 10

  environment {
    variables = {
      ENTRIES_TABLE = "ledger-entries"
    }
  }
}
