resource "aws_iam_role" "thumbs" {
  name               = "thumbs"
  assume_role_policy = file("${path.module}/assume-lambda.json")
}
