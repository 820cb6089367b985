resource "aws_lambda_event_source_mapping" "search_feed" {
  event_source_arn = aws_sqs_queue.search_feed.arn
  function_name    = "search-feed-worker"
  batch_size       = 10
}
