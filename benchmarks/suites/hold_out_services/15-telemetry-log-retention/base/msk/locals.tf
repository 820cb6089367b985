locals {
  cluster         = "telemetry"
  brokers         = 3
  volume_gib      = 500
  retention_hours = 72
}
