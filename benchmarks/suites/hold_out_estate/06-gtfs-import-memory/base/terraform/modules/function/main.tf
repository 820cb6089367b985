variable "name" { type = string }
variable "handler" { type = string }
variable "memory_size" { type = number }
variable "timeout" { type = number }

resource "aws_lambda_function" "this" {
  function_name = var.name
  handler       = var.handler
  runtime       = "python3.12"
  memory_size   = var.memory_size
  timeout       = var.timeout
  filename      = "${path.root}/build/${var.name}.zip"
  role          = "arn:aws:iam::640117788120:role/feeds-lambda"
}

output "arn" { value = aws_lambda_function.this.arn }
