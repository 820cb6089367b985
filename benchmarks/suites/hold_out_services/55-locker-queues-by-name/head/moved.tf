moved {
  from = aws_sqs_queue.dead[0]
  to   = aws_sqs_queue.dead["door-open"]
}

moved {
  from = aws_sqs_queue.dead[1]
  to   = aws_sqs_queue.dead["door-close"]
}

moved {
  from = aws_sqs_queue.dead[2]
  to   = aws_sqs_queue.dead["heartbeat"]
}

moved {
  from = aws_sqs_queue.lane[0]
  to   = aws_sqs_queue.lane["door-open"]
}

moved {
  from = aws_sqs_queue.lane[1]
  to   = aws_sqs_queue.lane["door-close"]
}

moved {
  from = aws_sqs_queue.lane[2]
  to   = aws_sqs_queue.lane["heartbeat"]
}
