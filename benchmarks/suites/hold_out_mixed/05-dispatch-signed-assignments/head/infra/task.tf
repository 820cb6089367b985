resource "aws_ecs_task_definition" "dispatch" {
  family                   = "dispatch"
  requires_compatibilities = ["FARGATE"]
  cpu                      = 512
  memory                   = 1024
  network_mode             = "awsvpc"
  container_definitions = jsonencode([{
    name  = "app"
    image = "733910024418.dkr.ecr.eu-north-1.amazonaws.com/dispatch:62"
    environment = [
      { name = "PORT", value = "8080" },
      { name = "REGION_SET", value = "nordics" }
    ]
    secrets = [
      { name = "DATABASE_URL", valueFrom = "arn:aws:ssm:eu-north-1:733910024418:parameter/dispatch/database-url" }
    ]
  }])
}
