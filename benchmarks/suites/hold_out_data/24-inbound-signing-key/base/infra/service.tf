# The task definition is published by the platform pipeline.
data "aws_ecs_task_definition" "inbound" {
  task_definition = "inbound"
}

resource "aws_ecs_service" "inbound" {
  name            = "inbound"
  cluster         = "main"
  desired_count   = 4
  task_definition = data.aws_ecs_task_definition.inbound.arn
}
