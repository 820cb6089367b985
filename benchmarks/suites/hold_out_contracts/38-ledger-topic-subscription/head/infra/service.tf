resource "aws_ecs_service" "worker" {
  name          = "ledger-worker"
  cluster       = "finance"
  desired_count = 2
}
