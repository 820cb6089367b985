resource "aws_ecs_service" "webhooks" {
  name          = "webhooks-worker"
  cluster       = "jobs"
  desired_count = 2
}
