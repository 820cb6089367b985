resource "aws_lambda_event_source_mapping" "sessions" {
  event_source_arn       = aws_kinesis_stream.clicks.arn
  function_name          = "click-sessions"
  starting_position      = "LATEST"
  batch_size             = 500
  parallelization_factor = 2
}
