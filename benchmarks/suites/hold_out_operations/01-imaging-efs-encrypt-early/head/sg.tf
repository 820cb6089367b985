resource "aws_security_group" "efs" {
  name = "imaging-efs"

  ingress {
    from_port   = 2049
    to_port     = 2049
    protocol    = "tcp"
    cidr_blocks = ["10.20.0.0/16"]
  }
}
