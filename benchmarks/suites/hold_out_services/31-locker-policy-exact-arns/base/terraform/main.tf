module "lockers_table" {
  source     = "./modules/table"
  table_name = "locker-rentals"
  hash_key   = "wristband"
  range_key  = "rented_at"
}

resource "aws_ecs_service" "lockers" {
  name            = "lockers"
  cluster         = "grounds"
  desired_count   = 4
  task_definition = "lockers"
}

resource "aws_iam_role_policy" "lockers" {
  name = "rentals"
  role = "lockers-task"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"]
      Resource = [module.lockers_table.arn, "${module.lockers_table.arn}/index/*"]
    }]
  })
}
