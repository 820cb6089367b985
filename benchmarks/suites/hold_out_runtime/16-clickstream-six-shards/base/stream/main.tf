resource "aws_kinesis_stream" "clicks" {
  name             = "clickstream"
  shard_count      = 12
  retention_period = 48

  stream_mode_details {
    stream_mode = "PROVISIONED"
  }
}
