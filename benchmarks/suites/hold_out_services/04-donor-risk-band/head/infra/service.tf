locals {
  name = "intake"
}

resource "aws_ecs_service" "intake" {
  name          = local.name
  cluster       = "clinic"
  desired_count = 8
}

resource "aws_ecs_task_definition" "migrate" {
  family                = "${local.name}-migrate"
  container_definitions = jsonencode([{ name = "migrate", image = "intake", command = ["python", "manage.py", "migrate", "--noinput"] }])
}
