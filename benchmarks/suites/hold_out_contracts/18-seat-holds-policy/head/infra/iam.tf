data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "holds" {
  name               = "seat-holds"
  assume_role_policy = data.aws_iam_policy_document.assume.json
}

data "aws_iam_policy_document" "table" {
  statement {
    actions = [
      "dynamodb:DeleteItem",
      "dynamodb:GetItem",
      "dynamodb:PutItem",
    ]
    resources = ["arn:aws:dynamodb:eu-west-1:*:table/seat-holds"]
  }
}

resource "aws_iam_role_policy" "table" {
  name   = "seat-holds-table"
  role   = aws_iam_role.holds.id
  policy = data.aws_iam_policy_document.table.json
}
