resource "aws_ecs_service" "payslips" {
  name          = "payslips"
  cluster       = "hr"
  desired_count = 3
}
