provider "aws" {
  region = "eu-central-1"
}

resource "aws_lambda_function" "mailer" {
  function_name = "duesly-statement-mailer"
  role          = aws_iam_role.mailer.arn
  runtime       = "python3.12"
  handler       = "statements.mailer.handle"
  filename      = "build/statements.zip"
  timeout       = 120
}
