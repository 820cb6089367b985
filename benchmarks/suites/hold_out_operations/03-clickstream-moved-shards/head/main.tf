resource "aws_kinesis_firehose_delivery_stream" "lake" {
  name        = "clickstream-lake"
  destination = "extended_s3"

  kinesis_source_configuration {
    kinesis_stream_arn = aws_kinesis_stream.clickstream.arn
    role_arn           = var.firehose_role
  }

  extended_s3_configuration {
    bucket_arn = var.lake_bucket
    role_arn   = var.firehose_role
  }
}
