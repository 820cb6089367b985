resource "aws_lambda_function" "checkout" {
  function_name = "checkout"
  handler       = "checkout.handler"
  runtime       = "python3.12"
  role          = var.role_arn
  filename      = "checkout.zip"
}
