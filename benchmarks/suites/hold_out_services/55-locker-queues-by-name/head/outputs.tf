output "lane_urls" {
  value = { for lane, q in aws_sqs_queue.lane : lane => q.url }
}
