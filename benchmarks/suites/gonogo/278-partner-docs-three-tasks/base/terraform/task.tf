resource "aws_ecs_task_definition" "partner_docs" {
  family                   = "partner-docs"
  cpu                      = 1024
  memory                   = 2048
  network_mode             = "awsvpc"
  requires_compatibilities = ["FARGATE"]
  container_definitions    = file("${path.module}/containers.json")
}
