"""AWS Secrets Manager: which secrets there are. Their values are never asked for."""

from context_graph.providers.aws.asking import Asking, chosen
from gonogo.pattern import pattern
from gonogo.resource import Relation

SERVICE = "secretsmanager"
PERMISSIONS = ("secretsmanager:ListSecrets",)

_RANDOM_ENDING = pattern(r"-[A-Za-z0-9]{6}$")


def collect(ask: Asking) -> None:
    """Every secret by name. It also answers to its ARN without the random ending, which is how many programs are told it."""
    for secret in ask.pages(SERVICE, "list_secrets", "SecretList", MaxResults=100):
        with ask.detail(f"secret {secret.get('Name')}"):
            arn = secret["ARN"]
            attributes = chosen(secret, "RotationEnabled LastRotatedDate LastChangedDate OwningService PrimaryRegion")
            ask.resource(arn, "aws.secretsmanager.secret", secret["Name"], attributes, aliases=[_RANDOM_ENDING.sub("", arn)])
            if rotation := secret.get("RotationLambdaARN"):
                ask.edge(arn, rotation, Relation.TRIGGERS, "RotationLambdaARN")
