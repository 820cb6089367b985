output "stream_arn" {
  value = aws_kinesis_stream.clickstream.arn
}
