locals {
  prefix = "tramline-${var.stage}"
}

module "importer" {
  source      = "./modules/function"
  name        = "${local.prefix}-gtfs-import"
  handler     = "importer.handler"
  memory_size = var.importer_memory_mb
  timeout     = 900
}

resource "aws_cloudwatch_event_rule" "delta" {
  name                = "${local.prefix}-delta"
  schedule_expression = "rate(15 minutes)"
}

resource "aws_cloudwatch_event_rule" "full" {
  name                = "${local.prefix}-full"
  schedule_expression = "cron(0 2 ? * WED,SUN *)"
}

resource "aws_cloudwatch_event_target" "delta" {
  rule  = aws_cloudwatch_event_rule.delta.name
  arn   = module.importer.arn
  input = jsonencode({ mode = "delta" })
}

resource "aws_cloudwatch_event_target" "full" {
  rule  = aws_cloudwatch_event_rule.full.name
  arn   = module.importer.arn
  input = jsonencode({ mode = "full" })
}
