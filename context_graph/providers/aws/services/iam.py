"""AWS IAM: roles, and what their policies allow them to do with which resource."""

from collections.abc import Iterator, Mapping
from typing import Any

from context_graph.collecting import Grants
from context_graph.providers.aws.asking import Asking, chosen, listed
from context_graph.providers.aws.documents import Statement, opened, statements
from gonogo.resource import Relation

SERVICE = "iam"
PERMISSIONS = ("iam:GetAccountAuthorizationDetails",)

_MOST = 5000
"""Pairs of action and resource of one role: more are a policy for everything."""


def collect(ask: Asking) -> None:
    """Every role with the documents of all its policies: one list holds them."""
    policies: dict[str, Mapping[str, Any]] = {}
    ours = ["LocalManagedPolicy", "AWSManagedPolicy"]
    for policy in ask.pages(SERVICE, "get_account_authorization_details", "Policies", Filter=ours):
        with ask.detail(f"policy {policy.get('PolicyName')}"):
            arn = policy["Arn"]
            current = [v for v in listed(policy, "PolicyVersionList") if v.get("IsDefaultVersion")]
            policies[arn] = opened(current[0].get("Document") if current else None)
            if f":{ask.scope.account}:" in arn:
                name = arn.rpartition("/")[2]
                ask.resource(arn, "aws.iam.policy", name, chosen(policy, "AttachmentCount"), region="global")
    for role in ask.pages(SERVICE, "get_account_authorization_details", "RoleDetailList", Filter=["Role"]):
        with ask.detail(f"role {role.get('RoleName')}"):
            _role(ask, role, policies)


def _role(ask: Asking, role: Mapping[str, Any], policies: Mapping[str, Mapping[str, Any]]) -> None:
    arn = role["Arn"]
    attached = [policy["PolicyArn"] for policy in role.get("AttachedManagedPolicies") or ()]
    inline = [policy["PolicyName"] for policy in role.get("RolePolicyList") or ()]
    attributes = {"path": role.get("Path"), "managed_policies": sorted(attached), "inline_policies": sorted(inline)}
    ask.resource(arn, "aws.iam.role", role["RoleName"], attributes, region="global")
    for policy in attached:
        if policy in policies and f":{ask.scope.account}:" in policy:
            ask.edge(arn, policy, Relation.DEPENDS_ON, "attached")
    said = [s for policy in attached for s in statements(policies.get(policy, {}))]
    for policy in role.get("RolePolicyList") or ():
        said += statements(opened(policy.get("PolicyDocument")))
    allowed = [pair for s in said if s.effect == "Allow" for pair in _pairs(s)]
    denied = [pair for s in said if s.effect == "Deny" and not s.is_conditional for pair in _pairs(s)]
    ask.grants(arn, Grants(allowed[:_MOST], denied[:_MOST]))


def _pairs(statement: Statement) -> Iterator[tuple[str, str]]:
    return ((action, resource) for action in statement.actions for resource in statement.resources)
