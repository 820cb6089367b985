"""Which IAM action a call needs, and the policy that allows exactly the calls that are made.

Source: AWS service authorization reference. Most actions are called as the API's operation; the table holds the others.
"""

from collections.abc import Iterable
from typing import Any

_PREFIX = {"monitoring": "cloudwatch"}
"""Where the name that requests are signed with is not the prefix of the actions."""

_ACTIONS = {
    "apigateway": "apigateway:GET",  # one action reads everything
    "s3:ListBuckets": "s3:ListAllMyBuckets",
    "s3:GetBucketNotificationConfiguration": "s3:GetBucketNotification",
    "s3:GetBucketLifecycleConfiguration": "s3:GetLifecycleConfiguration",
    "s3:GetBucketEncryption": "s3:GetEncryptionConfiguration",
    "lambda:GetFunctionConcurrency": "lambda:GetFunctionConcurrency",
}


def permission_of(client: Any, operation: str) -> str:
    """A boto3 client and the name of its method → `lambda:ListFunctions`."""
    signed_as: str = client.meta.service_model.signing_name
    prefix = _PREFIX.get(signed_as, signed_as)
    action = f"{prefix}:{client.meta.method_to_api_mapping[operation]}"
    return _ACTIONS.get(prefix) or _ACTIONS.get(action) or action


def policy(permissions: Iterable[str]) -> dict[str, object]:
    """The read-only IAM policy that allows these calls and nothing else."""
    statement = {"Sid": "GonogoReads", "Effect": "Allow", "Action": sorted(set(permissions)), "Resource": "*"}
    return {"Version": "2012-10-17", "Statement": [statement]}
