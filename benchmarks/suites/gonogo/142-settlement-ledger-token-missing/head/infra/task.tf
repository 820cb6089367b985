resource "aws_ecs_task_definition" "settlement" {
  family = "settlement"
  container_definitions = jsonencode([{
    name  = "settlement"
    image = "registry.corvane.example/settlement:77"
    environment = [
      { name = "LEDGER_URL", value = "https://ledger.corvane.example" },
      { name = "LOG_LEVEL", value = "info" },
    ]
    secrets = [
      { name = "DATABASE_URL", valueFrom = var.database_url_arn },
    ]
  }])
}
