resource "aws_ecs_service" "ledger_api" {
  name          = "ledger-api"
  cluster       = "money"
  desired_count = 6
}
