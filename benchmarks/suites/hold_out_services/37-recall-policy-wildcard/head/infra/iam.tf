data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "recall_api" {
  statement {
    actions = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"]

    resources = [aws_dynamodb_table.recalls.arn]
  }
}

resource "aws_iam_role" "recall_api" {
  name               = "recall-api"
  assume_role_policy = data.aws_iam_policy_document.assume.json
}

resource "aws_iam_role_policy" "recall_api" {
  name   = "table"
  role   = aws_iam_role.recall_api.id
  policy = data.aws_iam_policy_document.recall_api.json
}
