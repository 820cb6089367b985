data "archive_file" "sign" {
  type        = "zip"
  source_file = "${path.module}/../dist/sign.js"
  output_path = "${path.module}/sign.zip"
}

resource "aws_lambda_function" "sign" {
  function_name    = "thumb-sign"
  role             = var.role_arn
  runtime          = "nodejs22.x"
  handler          = "sign.handler"
  timeout          = 5
  memory_size      = 256
  filename         = data.archive_file.sign.output_path
  source_code_hash = data.archive_file.sign.output_base64sha256
}

variable "role_arn" {
  type = string
}
