output "imaging_fs" {
  value = aws_efs_file_system.imaging.id
}
