resource "aws_ecs_service" "crm_sync" {
  name          = "crm-sync-worker"
  cluster       = "jobs"
  desired_count = 2
}
