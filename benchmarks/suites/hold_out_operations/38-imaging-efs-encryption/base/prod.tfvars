env         = "prod"
vpc_subnets = ["subnet-0a11", "subnet-0b22", "subnet-0c33"]
