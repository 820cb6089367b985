output "queue_url" {
  description = "Queue of drafts to publish"
  value       = aws_sqs_queue.publish.url
}
