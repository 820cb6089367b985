resource "aws_ecs_service" "search_front" {
  name            = "search-front"
  cluster         = "web"
  task_definition = aws_ecs_task_definition.search_front.arn
  desired_count   = 9
  launch_type     = "FARGATE"

  load_balancer {
    target_group_arn = var.target_group_arn
    container_name   = "app"
    container_port   = 8080
  }
}
