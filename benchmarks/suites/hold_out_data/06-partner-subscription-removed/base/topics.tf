resource "aws_sns_topic" "stock" {
  name = "stock-changes"
}
