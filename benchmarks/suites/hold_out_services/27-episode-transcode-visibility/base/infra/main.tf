variable "job_visibility" { type = number }
variable "tasks" { type = number }

module "jobs" {
  source     = "../modules/work_queue"
  name       = "episode-jobs"
  visibility = var.job_visibility
}

resource "aws_ecs_service" "worker" {
  name          = "episode-transcode"
  cluster       = "media"
  desired_count = var.tasks
}
