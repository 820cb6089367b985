resource "kafka_topic" "vessel_positions" {
  name               = "vessel-positions"
  partitions         = local.partitions
  replication_factor = 3

  config = {
    "cleanup.policy" = "delete"
    "retention.ms"   = tostring(local.retention_hours * local.hour_ms)
    "segment.ms"     = tostring(local.hour_ms / 2)
  }
}

resource "kafka_topic" "port_calls" {
  name               = "port-calls"
  partitions         = 3
  replication_factor = 3

  config = {
    "cleanup.policy" = "compact"
  }
}
