output "lane_urls" {
  value = { for i, lane in var.lanes : lane => aws_sqs_queue.lane[i].url }
}
