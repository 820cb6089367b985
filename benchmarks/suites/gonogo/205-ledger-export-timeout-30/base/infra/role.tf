resource "aws_iam_role" "ledger_export" {
  name               = "ledger-export"
  assume_role_policy = file("${path.module}/assume-lambda.json")
}
