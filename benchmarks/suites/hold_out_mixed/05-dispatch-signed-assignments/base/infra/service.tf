resource "aws_ecs_service" "dispatch" {
  name            = "dispatch"
  cluster         = "field"
  desired_count   = 4
  task_definition = aws_ecs_task_definition.dispatch.arn
}
