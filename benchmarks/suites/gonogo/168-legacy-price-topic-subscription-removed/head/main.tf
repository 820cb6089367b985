resource "aws_sns_topic" "legacy_price_changed" {
  name = "legacy-price-changed"
}

resource "aws_sqs_queue" "price_cache" {
  name                       = "price-cache"
  visibility_timeout_seconds = 180
}
