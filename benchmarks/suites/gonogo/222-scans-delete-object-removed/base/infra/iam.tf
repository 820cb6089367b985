data "aws_iam_policy_document" "objects" {
  statement {
    sid = "Objects"
    actions = [
      "s3:GetObject",
      "s3:PutObject",
      "s3:DeleteObject",
    ]
    resources = ["${aws_s3_bucket.scans.arn}/*"]
  }
}

resource "aws_iam_role_policy" "objects" {
  name   = "objects"
  role   = aws_iam_role.archive.id
  policy = data.aws_iam_policy_document.objects.json
}

resource "aws_iam_role" "archive" {
  name               = "archive"
  assume_role_policy = file("${path.module}/assume-ecs.json")
}
