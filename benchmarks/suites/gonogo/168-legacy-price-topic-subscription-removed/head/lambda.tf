resource "aws_lambda_event_source_mapping" "price_cache" {
  event_source_arn = aws_sqs_queue.price_cache.arn
  function_name    = "price-cache-worker"
  batch_size       = 10
}
