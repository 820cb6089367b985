resource "aws_iam_role" "mailer" {
  name               = "duesly-mailer"
  assume_role_policy = data.aws_iam_policy_document.lambda.json
}

data "aws_iam_policy_document" "lambda" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "mailer" {
  statement {
    actions   = ["ses:SendEmail"]
    resources = ["arn:aws:ses:eu-central-1:*:identity/duesly.example"]
  }
  statement {
    actions   = ["s3:GetObject"]
    resources = ["arn:aws:s3:::duesly-statements/*"]
  }
}

resource "aws_iam_role_policy" "mailer" {
  role   = aws_iam_role.mailer.id
  policy = data.aws_iam_policy_document.mailer.json
}
