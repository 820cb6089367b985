data "aws_iam_policy_document" "viewer" {
  statement {
    sid       = "ReadScans"
    actions   = ["s3:GetObject"]
    resources = ["arn:aws:s3:::scans-7781/*"]
  }
}

resource "aws_iam_role_policy" "viewer" {
  name   = "viewer"
  role   = "scan-viewer"
  policy = data.aws_iam_policy_document.viewer.json
}
