data "aws_iam_policy_document" "viewer" {
  statement {
    sid       = "ReadScans"
    actions   = ["s3:GetObject"]
    resources = ["arn:aws:s3:::scans-7781/*"]
  }

  statement {
    sid       = "Keys"
    actions   = ["kms:Decrypt"]
    resources = [var.scans_key_arn]
  }
}

resource "aws_iam_role_policy" "viewer" {
  name   = "viewer"
  role   = "scan-viewer"
  policy = data.aws_iam_policy_document.viewer.json
}
