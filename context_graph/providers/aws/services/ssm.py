"""AWS Systems Manager: which parameters there are. Their values are never asked for."""

from context_graph.providers.aws.asking import Asking, chosen

SERVICE = "ssm"
PERMISSIONS = ("ssm:DescribeParameters",)


def collect(ask: Asking) -> None:
    """Every parameter by name and type."""
    for parameter in ask.pages(SERVICE, "describe_parameters", "Parameters", MaxResults=50):
        with ask.detail(f"parameter {parameter.get('Name')}"):
            name = parameter["Name"]
            arn = parameter.get("ARN") or ask.arn("ssm", f"parameter/{name.removeprefix('/')}")
            attributes = chosen(parameter, "Type Tier Version LastModifiedDate DataType")
            ask.resource(arn, "aws.ssm.parameter", name, attributes)
