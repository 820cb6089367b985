resource "aws_mq_broker" "edi" {
  broker_name        = "edi"
  engine_type        = "RabbitMQ"
  engine_version     = "3.13"
  host_instance_type = "mq.m5.large"
  security_groups    = [aws_security_group.edi.id]

  user {
    username = "edi"
    password = data.aws_ssm_parameter.broker.value
  }
}

data "aws_ssm_parameter" "broker" {
  name = "/edi/broker/password"
}
