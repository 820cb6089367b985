resource "aws_lambda_function" "ledger_export" {
  function_name = "ledger-export"
  role          = aws_iam_role.ledger_export.arn
  handler       = "export.handler"
  runtime       = "python3.12"
  filename      = "build/export.zip"
  memory_size   = 1024
  timeout       = 30

  environment {
    variables = {
      BUCKET = "pennywise-ledger-exports"
    }
  }
}
