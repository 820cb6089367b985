resource "aws_msk_configuration" "this" {
  name           = local.cluster
  kafka_versions = ["3.6.0"]

  server_properties = <<-EOT
    auto.create.topics.enable=false
    default.replication.factor=3
    min.insync.replicas=2
    log.retention.hours=${local.retention_hours}
    log.segment.bytes=536870912
  EOT
}

resource "aws_msk_cluster" "this" {
  cluster_name           = local.cluster
  kafka_version          = "3.6.0"
  number_of_broker_nodes = local.brokers

  broker_node_group_info {
    instance_type   = "kafka.m7g.large"
    client_subnets  = var.subnets
    security_groups = var.security_groups

    storage_info {
      ebs_storage_info {
        volume_size = local.volume_gib
      }
    }
  }

  configuration_info {
    arn      = aws_msk_configuration.this.arn
    revision = aws_msk_configuration.this.latest_revision
  }
}
