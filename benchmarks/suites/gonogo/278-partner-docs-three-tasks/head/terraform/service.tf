resource "aws_ecs_service" "partner_docs" {
  name            = "partner-docs"
  cluster         = "web"
  task_definition = aws_ecs_task_definition.partner_docs.arn
  desired_count   = 3
  launch_type     = "FARGATE"

  load_balancer {
    target_group_arn = var.target_group_arn
    container_name   = "app"
    container_port   = 8080
  }
}
