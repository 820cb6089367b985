resource "aws_ecs_service" "claims" {
  name            = "claims"
  cluster         = "core"
  desired_count   = 14
  task_definition = "claims"
  launch_type     = "FARGATE"
}
