resource "aws_efs_file_system" "imaging" {
  creation_token   = "imaging"
  performance_mode = "generalPurpose"
  throughput_mode  = "elastic"
  encrypted        = true
  kms_key_id       = aws_kms_key.imaging.arn

  lifecycle_policy {
    transition_to_ia = "AFTER_30_DAYS"
  }

  tags = {
    Name = "imaging"
    Team = "imaging"
    Cost = "clinical"
  }
}

resource "aws_efs_mount_target" "imaging" {
  count           = length(var.vpc_subnets)
  file_system_id  = aws_efs_file_system.imaging.id
  subnet_id       = var.vpc_subnets[count.index]
  security_groups = [aws_security_group.efs.id]
}
