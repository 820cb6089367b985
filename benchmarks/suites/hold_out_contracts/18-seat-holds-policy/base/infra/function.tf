resource "aws_lambda_function" "holds" {
  function_name = "seat-holds"
  role          = aws_iam_role.holds.arn
  handler       = "handler.handler"
  runtime       = "nodejs20.x"
  memory_size   = 512
  timeout       = 5
  filename      = "dist/handler.zip"

  environment {
    variables = {
      HOLDS_TABLE = "seat-holds"
    }
  }
}
