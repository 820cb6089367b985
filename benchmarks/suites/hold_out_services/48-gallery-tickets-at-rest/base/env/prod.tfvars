store_class     = "db.m6g.large"
store_encrypted = false
private_subnets = ["subnet-0a11", "subnet-0b22"]
