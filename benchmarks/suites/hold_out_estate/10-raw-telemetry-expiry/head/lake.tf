module "lake" {
  source = "./modules/bucket"
  name   = "furrow-lake"

  expire_days = {
    "tmp/"           = 3
    "telemetry/raw/" = 30
  }
}
