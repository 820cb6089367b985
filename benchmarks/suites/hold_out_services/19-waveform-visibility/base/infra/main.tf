variable "job_visibility" { type = number }
variable "tasks" { type = number }

module "jobs" {
  source     = "../modules/work_queue"
  name       = "waveform-jobs"
  visibility = var.job_visibility
}

resource "aws_ecs_service" "worker" {
  name          = "waveforms"
  cluster       = "media"
  desired_count = var.tasks
}
