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
  role   = aws_iam_role.intake.id
  policy = data.aws_iam_policy_document.objects.json
}

resource "aws_iam_role" "intake" {
  name               = "intake"
  assume_role_policy = file("${path.module}/assume-ecs.json")
}
