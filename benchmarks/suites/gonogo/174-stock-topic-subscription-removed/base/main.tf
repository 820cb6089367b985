resource "aws_sns_topic" "stock_changed" {
  name = "stock-changed"
}

resource "aws_sqs_queue" "search_feed" {
  name                       = "search-feed"
  visibility_timeout_seconds = 180
}
