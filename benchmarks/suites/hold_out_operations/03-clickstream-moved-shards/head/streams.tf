moved {
  from = aws_kinesis_stream.events
  to   = aws_kinesis_stream.clickstream
}

resource "aws_kinesis_stream" "clickstream" {
  name             = "clickstream"
  shard_count      = 4
  retention_period = 168

  stream_mode_details {
    stream_mode = "PROVISIONED"
  }
}
