# The task definition is published by the platform pipeline.
data "aws_ecs_task_definition" "relay" {
  task_definition = "relay"
}

resource "aws_ecs_service" "relay" {
  name            = "relay"
  cluster         = "main"
  desired_count   = 4
  task_definition = data.aws_ecs_task_definition.relay.arn
}
