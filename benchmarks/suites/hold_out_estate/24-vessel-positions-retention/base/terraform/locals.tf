locals {
  partitions      = 12
  retention_hours = 168
  hour_ms         = 3600 * 1000
}
