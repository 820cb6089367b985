module "sheets" {
  source = "./modules/queue_worker"

  name           = "contact-sheets"
  memory_mb      = 1024
  timeout_s      = 120
  visibility_s   = 300
  batch_size     = var.batch_size
  batch_window_s = var.batch_window_s
}
