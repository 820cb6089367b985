locals {
  partitions      = 12
  retention_hours = 12
  hour_ms         = 3600 * 1000
}
