# role of the tasks
resource "aws_iam_role" "gateway" {
  name               = "gateway"
  assume_role_policy = file("assume.json")
}

# service
resource "aws_ecs_service" "gateway" {
  name          = "gateway"
  cluster       = "edge"
  desired_count = 4
}
